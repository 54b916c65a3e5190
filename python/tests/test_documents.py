"""The examples of docs/python.md: each block of Python runs after the ones before it; a block of text
behind it is what it prints."""

import contextlib
import io
import re

import pytest
from conftest import ROOT

PAGES = ["docs/python.md", "README.md"]
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\s*^prints$\s*^```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES)
def test_examples(page, monkeypatch, tmp_path):
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    monkeypatch.chdir(tmp_path)
    blocks = BLOCK.findall((ROOT / page).read_text())
    assert blocks
    names = {}
    for code, expected in blocks:
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec(compile(code, page, "exec"), names)
        assert output.getvalue() == expected, code
