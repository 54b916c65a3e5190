#!/usr/bin/env python3
"""Finds names that one program defines twice: the one-definition rule, which neither compiler nor linker checks across files.

A type, an inline function, a template or an inline variable that two files define under one qualified name is one entity for the linker, which keeps
either definition without a word. Every definition in a file of a program is compared with all other files of that program, also with those that are
never included together. A name in an unnamed namespace or in a function belongs to its file alone, unless the file is a header: each file that
includes an unnamed namespace has names of its own in it, so a header must not contain one. Overloads, specialisations and templates with different
parameters are different names. An alias may be repeated for the same type. Alternatives in one file (#if, #else) are not compared.

A program is the product (src, graph500) with the tests of one folder and the code that tests share, or with one file of bench, or one file of the
other folders of tests.

usage: definitions.py [ROOT]     prints each name as FILE:LINE: text; exit code 1 if there is one, 2 if there was nothing to read
"""

import collections
import pathlib
import re
import sys

import scanner

PRODUCT = ("src", "graph500")
SHARED_BY_TESTS = ("tests/support", "tests/oracle")
TEST_PROGRAMS = ("tests/unit", "tests/grid", "tests/gpu", "tests/gpu_grid")  # the others of tests and bench: a program for each source file
# Files that are compiled only in a build without a library, in place of others.
WITHOUT_LIBRARIES = ("src/gpu/none/no_cuda.cpp", "src/session/no_cuda.cpp", "src/session/output/no_parquet.cpp", "src/graph/io/no_graphml.cpp")
HEADERS = (".hpp", ".cuh", ".h")
SOURCES = (".cpp", ".cu")
# The last word of a parameter is its name, unless it is one of these.
WORDS_OF_TYPES = {"int", "long", "short", "char", "unsigned", "signed", "double", "float", "bool", "void", "const", "auto"}

Entity = collections.namedtuple("Entity", "file line kind name alias")  # alias: the type that an alias names


def split(tokens):
    """The parts between the commas that are in no brackets, each without its default."""
    parts, depth, in_default = [[]], 0, False
    for token in tokens:
        depth += (token in "<([{") - (token in ">)]}")
        if token == "," and depth == 0:
            parts.append([])
            in_default = False
        elif token == "=" and depth == 0:
            in_default = True
        elif not in_default:
            parts[-1].append(token)
    return [part for part in parts if part]


def is_word(token):
    return re.match(r"[A-Za-z_]", token) is not None


def without_name(parameter):
    """["const", "Graph", "&", "graph"] without its last word."""
    if len(parameter) < 2 or not is_word(parameter[-1]) or parameter[-1] in WORDS_OF_TYPES:
        return parameter
    before = parameter[-2]
    return parameter[:-1] if before in (">", "&", "*", "&&", "...") or (is_word(before) and before not in ("const", "typename")) else parameter


def template_names(header):
    return [part[-1] for part in split(header[:header.index("requires")] if "requires" in header else header) if is_word(part[-1])]


def key_of(definition):
    """What tells one entity from another: qualified name, types of parameters, specialisation. Template parameters count by their position."""
    names = [name for header in definition.template for name in template_names(header)]
    parts = []
    for part in (*definition.scope, definition.name):
        name, _, arguments = part.partition("<")
        # X<T>::f of a template with T is the member f of the class X.
        parts.append(name if set(arguments[:-1].replace(",", " ").replace("...", " ").split()) <= set(names) else part)
    key = " ".join("::".join(parts).split())
    for header in definition.template[-1:]:
        end = header.index("requires") if "requires" in header else len(header)
        key += " template " + " , ".join(" ".join("typename" if token == "class" else token for token in part) for part in split(header[:end]))
        key += " ".join(["", *header[end:]])
    if definition.kind == "function":
        depth = 0
        for end, token in enumerate(definition.signature):
            depth += (token == "(") - (token == ")")
            if depth == 0:
                break
        after = definition.signature[end + 1:]
        after = after[:after.index("->")] if "->" in after else after
        kept = after[after.index("requires"):] if "requires" in after else []
        key += " ( " + " , ".join(" ".join(without_name(part)) for part in split(definition.signature[1:end])) + " ) "
        key += " ".join([token for token in after if token in ("const", "&", "&&") and not kept] + kept)
    positions = {name: f"${position}" for position, name in enumerate(names)}
    return " ".join(positions.get(token, token) for token in re.findall(r"\w+|\S", key))


def has_linkage(definition):
    """Whether other files can mean the same entity."""
    if "" in definition.scope or "friend" in definition.scope or definition.kind == "namespace":
        return False
    if definition.kind == "variable":
        return "static" not in definition.words and (
            "inline" in definition.words or bool(definition.template) or not {"const", "constexpr"} & set(definition.words))
    return definition.kind != "function" or "static" not in definition.words


def programs(files):
    """The sets of files that are linked together."""
    def under(folders):
        return {file for file in files if file.startswith(tuple(f"{folder}/" for folder in folders))}
    product, shared = under(PRODUCT), under(SHARED_BY_TESTS)
    yield product
    for folder in TEST_PROGRAMS:
        yield product | shared | under((folder,))
    others = set(files) - product - shared - under(TEST_PROGRAMS)
    headers = {file for file in others if file.endswith(HEADERS)}
    for file in sorted(others - headers):
        folder = file.rpartition("/")[0]
        yield product | {file} | {header for header in headers if header.startswith(f"{folder}/")}


def conflict(one, other):
    """Whether two definitions of one name must not be in one program."""
    same_alias = one.alias is not None and one.alias == other.alias
    return one.file != other.file and not same_alias and one.file not in WITHOUT_LIBRARIES and other.file not in WITHOUT_LIBRARIES


def check(root):
    """All problems under `root` as strings, and the number of definitions read."""
    files = sorted(file.relative_to(root).as_posix() for folder in (*PRODUCT, "tests", "bench") for file in (root / folder).rglob("*")
                   if file.suffix in HEADERS + SOURCES)
    problems, by_key, count = set(), collections.defaultdict(list), 0
    for file in files:
        try:
            definitions = scanner.scan((root / file).read_text(encoding="utf-8"))
        except scanner.Unreadable as error:
            problems.add(f"{file}:{error.line}: {error}")
            continue
        count += len(definitions)
        for definition in definitions:
            if definition.kind == "namespace" and file.endswith(HEADERS):
                problems.add(f"{file}:{definition.line}: an unnamed namespace in a header: each file that includes it has other names")
            elif has_linkage(definition):
                alias = " ".join(definition.signature) if definition.kind == "alias" else None
                name = "::".join((*definition.scope, definition.name))
                by_key[key_of(definition)].append(Entity(file, definition.line, definition.kind, name, alias))
    repeated = [found for found in by_key.values() if len(found) > 1]
    for program in programs(files):
        for found in repeated:
            linked = [entity for entity in found if entity.file in program and entity.name != "main"]
            problems |= {f"{other.file}:{other.line}: {other.kind} {other.name} is defined in {linked[0].file}:{linked[0].line}, too"
                         for other in linked[1:] if conflict(linked[0], other)}
    return sorted(problems), count


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]
    problems, count = check(root)
    print("\n".join(problems + [f"definitions: {count} definitions, {len(problems)} problems"]))
    return 2 if count == 0 else 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
