"""The notebooks of examples/ run, and find what other programs find. They are kept without outputs."""

import nbformat
import pytest
from conftest import ROOT
from nbclient import NotebookClient

# A cell behind those of each notebook.
CHECKS = {
    "depots": """
import scipy.sparse
from scipy.sparse.csgraph import dijkstra

matrix = scipy.sparse.coo_array((minutes, (sources, targets)), shape=(crossings.size, crossings.size)).tocsr()
distances, _, nearest = dijkstra(matrix, directed=False, indices=depots, return_predecessors=True, min_only=True)
np.testing.assert_allclose(np.where(reached, found.distances, np.inf), distances, rtol=1e-12)
np.testing.assert_array_equal(found.nearest[reached], nearest[reached])
expected = [dijkstra(matrix, directed=False, indices=[*depots[:-1], place], min_only=True)[reached].mean() for place in places[:5]]
np.testing.assert_allclose(average[:5], expected)
""",
    "closeness": """
closeness = nx.closeness_centrality(drawing)
np.testing.assert_allclose(figures.closeness, [closeness[member] for member in range(members)])
assert figures.diameter == nx.diameter(drawing)
assert pairs.sum() == members * (members - 1) / 2
drawing.remove_node(int(order[0]))
np.testing.assert_allclose(without[order[0]], nx.global_efficiency(drawing))
""",
}
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_outputs_are_stored(path):
    for cell in code_cells(nbformat.read(path, as_version=4)):
        assert not cell.outputs and cell.execution_count is None, "jupyter nbconvert --clear-output --inplace removes outputs"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path):
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell(CHECKS[path.stem]))
    NotebookClient(notebook, timeout=60, kernel_name="python3", resources={"metadata": {"path": path.parent}}).execute()
    outputs = [output for cell in code_cells(notebook) for output in cell.outputs]
    assert not [output.text for output in outputs if output.get("name") == "stderr"]
    assert any("image/png" in output.get("data", {}) for output in outputs)
