"""Hooks of mkdocs: pages from above docs/, notebooks, the reference of the C++ library, links to files
that are not part of the site, and a check that no page fetches anything from another host."""

import logging
import os
import pathlib
import posixpath
import re
import shutil
import subprocess
import sys

from cpp_reference import Reference
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ("CONTRIBUTING.md", "CHANGELOG.md")  # of the root, beside those of docs/
CPP_REFERENCE = "::: installed headers"  # a line of docs/cpp-api.md
# [text](target) of Markdown, but no image and no code
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
# Roles of reStructuredText in docstrings, for editors; Markdown shows the code alone.
ROLE = re.compile(r":(?:attr|class|exc|func|meth|mod):(?=<code>)")
# Elements that a browser fetches when it shows a page. A link that the reader follows is none.
FETCHED = re.compile(r"""<(?:script|img|iframe|source)\b[^>]*\bsrc=["']?(?:https?:)?//|<link\b(?![^>]*rel=["']?canonical)[^>]*\bhref=["']?(?:https?:)?//""")


def converted_notebooks():
    """A folder with the notebooks of examples/ as Markdown, and their pictures. They have outputs if the
    environment of the Python tests (./check makes it) has the package."""
    folder = ROOT / "build" / "pages" / "notebooks"
    shutil.rmtree(folder, ignore_errors=True)
    python = ROOT / "build" / "python" / "bin" / "python"
    can_run = python.exists() and subprocess.run([python, "-c", "import nbconvert, wayfront"], capture_output=True, check=False).returncode == 0
    if not can_run:
        if os.environ.get("CI"):
            raise PluginError(f"{python} cannot run the notebooks")
        logging.getLogger("mkdocs.hooks").info("Notebooks have no outputs: build/python has no wayfront")
    command = [python, "-m", "nbconvert", "--execute"] if can_run else [sys.executable, "-m", "nbconvert"]
    notebooks = sorted((ROOT / "examples").glob("*.ipynb"))
    done = subprocess.run([*command, "--to=markdown", f"--output-dir={folder}", *notebooks], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise PluginError(done.stderr)
    return folder


def on_files(files, config):
    for name in PAGES:
        files.append(File.generated(config, name, abs_src_path=str(ROOT / name)))
    folder = converted_notebooks()
    for path in filter(pathlib.Path.is_file, folder.rglob("*")):
        files.append(File.generated(config, f"examples/{path.relative_to(folder)}", abs_src_path=str(path)))
    return files


def target_on_site(target, page):
    """A link of `page`, as the repository has it, for the site; None if the site does not have its
    target."""
    path, _, anchor = target.partition("#")
    if not path or re.match(r"[a-z]+:", target):
        return target
    in_repository = page if page in PAGES or page.startswith("examples/") else posixpath.join("docs", page)
    folder = posixpath.dirname(in_repository)
    in_root = posixpath.normpath(posixpath.join(folder, path))
    if in_root == "README.md":
        on_site = "index.md"
        anchor = ""
    elif in_root in PAGES:
        on_site = in_root
    elif in_root.startswith("examples/") and in_root.endswith(".ipynb"):
        on_site = in_root.removesuffix(".ipynb") + ".md"
    elif in_root.startswith("docs/"):
        on_site = in_root.removeprefix("docs/")
    else:
        return None
    return posixpath.relpath(on_site, posixpath.dirname(page) or ".") + (f"#{anchor}" if anchor else "")


def on_page_markdown(markdown, page, config, files):
    def replaced(match):
        target = target_on_site(match[2], page.file.src_uri)
        return match[1] if target is None else f"[{match[1]}]({target})"

    if CPP_REFERENCE in markdown.splitlines():
        markdown = markdown.replace(CPP_REFERENCE, Reference().page())
    return LINK.sub(replaced, markdown)


def on_page_content(html, page, config, files):
    return ROLE.sub("", html)


def on_post_build(config):
    for page in pathlib.Path(config.site_dir).rglob("*.html"):
        if found := FETCHED.search(page.read_text(encoding="utf-8")):
            raise PluginError(f"{page}: something is fetched from another host: {found[0]}")
