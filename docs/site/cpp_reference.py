"""The reference of the C++ library as Markdown, made from the comments of the installed headers.

The comment of a declaration is before it, or behind it on its last line. A comment with an empty line
below is a paragraph between declarations. A class, a function or a type without a comment is an error; the
comment of a class may describe its constructors."""

import pathlib
import re
import subprocess

from clang import cindex
from clang.cindex import CursorKind as Kind
from mkdocs.exceptions import PluginError

ROOT = pathlib.Path(__file__).resolve().parents[2]
CLASSES = {Kind.CLASS_DECL: "class", Kind.STRUCT_DECL: "struct", Kind.ENUM_DECL: "enum"}
FUNCTIONS = (Kind.FUNCTION_DECL, Kind.CXX_METHOD, Kind.CONSTRUCTOR, Kind.DESTRUCTOR)
FIELDS = (Kind.FIELD_DECL, Kind.ENUM_CONSTANT_DECL)
OTHERS = (Kind.TYPE_ALIAS_DECL, Kind.VAR_DECL)
HIDDEN = (cindex.AccessSpecifier.PRIVATE, cindex.AccessSpecifier.PROTECTED)
# A class, or a member of one, in a text: Graph, Graph::load(), Bfs::run
NAME = re.compile(r"(?<![\w:`])(?:wayfront::)?([A-Z]\w+)(::\w+)?(?:\(\))?(?![\w`]|::)")


def installed_headers():
    """The names of the installed headers below src/, in the order of cmake/WayfrontInstall.cmake."""
    install = (ROOT / "cmake" / "WayfrontInstall.cmake").read_text(encoding="utf-8")
    of_library = re.search(r"set\(wayfront_headers ([^)]*)\)", install)[1].split()
    return [f"wayfront/{name}.hpp" for name in of_library] + re.findall(r"FILES src/(\S+\.hpp)", install)


def parsed():
    """The declarations in the namespace wayfront of each installed header."""
    includes = "".join(f'#include "{name}"\n' for name in installed_headers())
    # libclang from pip has no stddef.h of its own.
    of_compiler = subprocess.run(["c++", "-print-file-name=include"], capture_output=True, text=True, check=True).stdout.strip()
    unit = cindex.Index.create().parse("all.cpp", ["-std=c++20", f"-I{ROOT / 'src'}", f"-isystem{of_compiler}"], [("all.cpp", includes)])
    if errors := [str(message) for message in unit.diagnostics if message.severity >= cindex.Diagnostic.Error]:
        raise PluginError("\n".join(errors))
    headers = {ROOT / "src" / name: [] for name in installed_headers()}
    for space in unit.cursor.get_children():
        if space.kind == Kind.NAMESPACE and space.spelling == "wayfront":
            for cursor in space.get_children():
                if (name := pathlib.Path(cursor.location.file.name).resolve()) in headers:
                    headers[name].append(cursor)
    return headers


def uncommented(lines):
    return "\n".join(re.sub(r"^\s*///? ?", "", line) for line in lines)


class Reference:
    def __init__(self):
        self.headers = parsed()
        self.names = set()
        for cursors in self.headers.values():
            for cursor in cursors:
                self.names.add(cursor.spelling)
                if cursor.kind in CLASSES:
                    self.names |= {f"{cursor.spelling}::{member.spelling}" for member in self.members(cursor) if member.kind not in FIELDS}
        self.missing = []  # comments
        self.parts = []  # of the page

    @staticmethod
    def members(cursor):
        """The public ones, without those that each class has: moves, copies, the destructor."""
        for member in cursor.get_children():
            usual = member.kind == Kind.DESTRUCTOR or member.spelling == "operator=" or member.is_copy_constructor() or member.is_move_constructor()
            if member.access_specifier not in HIDDEN and not usual:
                yield member

    def linked(self, text, here):
        """The text with links from names to their declarations, but not from the class `here`."""
        def link(match):
            name = match[1] + (match[2] or "")
            target = name if name in self.names else match[1]
            return match[0] if match[1] == here or target not in self.names else f"[`{match[0]}`](#wayfront::{target})"

        lines = [line if line.startswith("    ") else NAME.sub(link, line) for line in text.splitlines()]
        return re.sub(r"\bdocs/([\w-]+\.md)", r"[\1](\1)", "\n".join(lines))

    def declaration(self, cursor):
        """The text of a declaration without its body, at the left margin."""
        begin, end = cursor.extent.start, cursor.extent.end.offset
        for child in cursor.get_children():
            if child.kind == Kind.COMPOUND_STMT:
                end = child.extent.start.offset
        text = self.source[begin.offset:end].decode()
        if cursor.kind in CLASSES and "\n" in text:
            text = text.partition("{")[0]
        if cursor.kind == Kind.CONSTRUCTOR:
            text = re.sub(r"\)\s*:\s.*", ")", text, flags=re.DOTALL)
        return re.sub(rf"\n {{{begin.column - 1}}}", "\n", text.replace("[[nodiscard]] ", "")).strip()

    def comments(self, cursor, after):
        """The paragraphs between line `after` and a declaration, and the declaration's comment."""
        first, last = cursor.extent.start.line, cursor.extent.end.line
        paragraphs, block = [], []
        for line in self.lines[after:first - 1]:
            if line.strip().startswith("//"):
                block.append(line)
            else:
                paragraphs, block = paragraphs + ([uncommented(block)] if block else []), []
        behind = re.match(r"[;,]?\s*//(?!/)(.*)", self.lines[last - 1][cursor.extent.end.column - 1:])
        return paragraphs, "\n".join(filter(None, (uncommented(block), behind[1].strip() if behind else "")))

    def add(self, cursors, after, level, scope=""):
        """Adds declarations, of which the first is below line `after`; `scope` is their class."""
        previous = ""
        for cursor in cursors:
            name = f"{scope}::{cursor.spelling}".removeprefix("::")
            known = cursor.kind in CLASSES and cursor.is_definition() or cursor.kind in (*FUNCTIONS, *FIELDS, *OTHERS)
            paragraphs, comment = self.comments(cursor, after) if known else ([], "")
            after = cursor.extent.end.line
            if not known:
                continue
            self.parts += [self.linked(paragraph, scope) for paragraph in paragraphs]
            comment = self.linked(comment, scope or cursor.spelling)
            declaration = self.declaration(cursor)
            if cursor.kind in FIELDS:
                text = f"- `{' '.join(declaration.split())}`" + (f": {comment}" if comment else "")
                self.parts.append(text.replace("\n", "\n    "))
                continue
            if not comment and cursor.kind != Kind.CONSTRUCTOR:
                self.missing.append(f"{cursor.location.file}:{cursor.location.line}: {name} has no comment")
            if name != previous:  # overloads share a heading
                title = f"{CLASSES.get(cursor.kind, '')} {cursor.spelling}{'()' * (cursor.kind in FUNCTIONS)}".strip()
                self.parts.append(f"{'#' * level} {title} {{ #wayfront::{name} }}")
            previous = name
            members = list(self.members(cursor)) if cursor.kind in CLASSES else []
            if "{" in declaration:  # all in one line
                members = []
            if not members or ":" in declaration:  # or a base
                self.parts.append(f"```cpp\n{declaration}\n```")
            self.parts.append(comment)
            self.add(members, cursor.extent.start.line, level + 1, name)

    def page(self):
        for header, cursors in self.headers.items():
            self.source = header.read_bytes()
            self.lines = self.source.decode().splitlines()
            title = "wayfront/" + str(header.relative_to(ROOT / "src")).removeprefix("wayfront/")
            begin = self.lines.index("#pragma once")
            self.parts += [f"## {title} {{ #{title} }}", self.linked(uncommented(self.lines[:begin]), "")]
            self.add(cursors, begin, 3)
        if self.missing:
            raise PluginError("\n".join(self.missing))
        return re.sub(r"^(- .*(?:\n    .*)*)\n\n(?=- )", r"\1\n", "\n\n".join(filter(None, self.parts)), flags=re.MULTILINE)
