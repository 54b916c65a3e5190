"""The examples of the documents: each block of Python runs after the ones before it; a block of text
behind it is what it prints."""

import re
import subprocess
import sys

import pytest
import wayfront
from conftest import ROOT

PAGES = ["docs/python.md", "docs/tour.md", "docs/tutorials/python.md", "README.md"]
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\s*^prints[^\n]*\n\s*^```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)
END = "\x1e"


def test_every_page_with_examples_is_named():
    pages = {str(page.relative_to(ROOT)) for page in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")) if "```python" in page.read_text()}
    assert pages == set(PAGES)


@pytest.mark.parametrize("page", PAGES)
def test_examples(page, tmp_path):
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    blocks = BLOCK.findall((ROOT / page).read_text())
    assert blocks
    code = f"\nprint(end='{END}')\n".join(code for code, _ in blocks)
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    for (code, expected), output in zip(blocks, run.stdout.split(END), strict=True):
        assert output == expected, code


def test_the_reference_has_all_public_names():
    page = (ROOT / "docs" / "python-api.md").read_text()
    names = re.findall(r"^(?:::: wayfront\.(\w+)|### `(\w+)`)$", page, re.MULTILINE)
    assert sorted(made or written for made, written in names) == sorted({*wayfront.__all__, "csgraph"})
