"""Reads the definitions of a C++ or CUDA file as clang-format leaves it: types, functions, variables, aliases and concepts, in namespaces and classes.

The scanner knows declarations only. It skips bodies of functions, initialisers and preprocessor lines, and counts the brackets in them. It does not
expand macros.
"""

import collections
import re

# kind: namespace (unnamed ones only), class, function, variable, alias or concept
# scope: the names of the enclosing namespaces and classes, "" for an unnamed one
# template: the headers of templates, a list of lists of parameters
# signature: parameters and the words behind them, for functions; the aliased type, for aliases
# words: the words before the name, such as inline and static
Definition = collections.namedtuple("Definition", "line kind scope name template signature words")

NOT_TOKENS = re.compile(
    r'//[^\n]*|/\*.*?\*/|^[ \t]*#(?:[^\n\\]|\\.)*|(?:u8|[uUL])?R"(?P<end>[^(\s]*)\(.*?\)(?P=end)"|"(?:[^"\\\n]|\\.)*"|(?<![0-9a-fA-F])\'(?:[^\'\\\n]|\\.)+\'',
    re.DOTALL | re.MULTILINE)
TOKEN = re.compile(r"[A-Za-z_]\w*|[0-9](?:[\w.']|(?<=[eEpP])[+-])*|::|->|<=>|&&|\|\||\.\.\.|[^\s\w]")
CLOSING = {"(": ")", "[": "]", "{": "}"}
# Words with arguments in parentheses that are no parameters.
WITH_ARGUMENTS = {"alignas", "decltype", "noexcept", "requires", "explicit", "__launch_bounds__", "__attribute__", "__align__", "__declspec"}


class Unreadable(Exception):
    """A place that the scanner does not understand."""

    def __init__(self, line, text):
        super().__init__(text)
        self.line = line


def replacement(match):
    text = match.group(0)
    return ('""' if text.endswith('"') and not text.startswith(("//", "/*")) and "#" not in text[:1] else " ") + "\n" * text.count("\n")


class Scanner:
    def __init__(self, text):
        self.tokens, self.lines = [], []
        for number, line in enumerate(NOT_TOKENS.sub(replacement, text).split("\n"), 1):
            found = TOKEN.findall(line)
            self.tokens += found
            self.lines += [number] * len(found)
        self.at = 0
        self.found = []

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else ""

    def take(self):
        if self.at >= len(self.tokens):
            raise self.unreadable("the file ends within a declaration")
        self.at += 1
        return self.tokens[self.at - 1]

    def unreadable(self, text):
        return Unreadable(self.lines[min(self.at, len(self.lines) - 1)] if self.lines else 1, text)

    def take_brackets(self):
        """Takes a bracket and all up to its end; returns the tokens between."""
        begin, ends = self.at + 1, [CLOSING[self.take()]]
        while ends:
            token = self.take()
            if token in CLOSING:
                ends.append(CLOSING[token])
            elif token in (")", "]", "}"):
                if token != ends.pop():
                    raise self.unreadable(f"{token} without its beginning")
        return self.tokens[begin:self.at - 1]

    def take_angles(self):
        """Takes <...>, in which other brackets are whole; returns the tokens between."""
        begin, depth = self.at + 1, 0
        while True:
            token = self.peek()
            if token in CLOSING:
                self.take_brackets()
                continue
            self.take()
            depth += (token == "<") - (token == ">")
            if depth == 0:
                return self.tokens[begin:self.at - 1]

    def skip_to_semicolon(self):
        while self.peek() != ";":
            if self.peek() in CLOSING:
                self.take_brackets()
            else:
                self.take()
        self.take()

    def scan(self):
        self.block(())
        if self.peek():
            raise self.unreadable(f"{self.peek()} without its beginning")
        return self.found

    def block(self, scope):
        """The declarations of a file, a namespace or a class, up to its }."""
        while self.peek() not in ("", "}"):
            self.declaration(scope)

    def braced_block(self, scope):
        self.take()
        self.block(scope)
        if self.take() != "}":
            raise self.unreadable("a block does not end")

    def add(self, line, kind, scope, name, template=(), signature=(), words=()):
        self.found.append(Definition(line, kind, scope, name, list(template), list(signature), list(words)))

    def declaration(self, scope):
        token = self.peek()
        if token == ";":
            self.take()
        elif token in ("public", "private", "protected") and self.peek(1) == ":":
            self.at += 2
        elif token == "namespace" or (token == "inline" and self.peek(1) == "namespace"):
            self.namespace(scope)
        elif token == "extern" and self.peek(1) == '"' and self.peek(3) == "{":
            self.at += 3
            self.braced_block(scope)
        elif token in ("static_assert", "typedef") or (token == "using" and self.peek(1) == "namespace"):
            self.skip_to_semicolon()
        else:
            self.entity(scope)

    def namespace(self, scope):
        line = self.lines[self.at]
        while self.take() != "namespace":
            pass
        names = []
        while self.peek() not in ("{", "="):
            if self.peek() not in ("::", "inline"):
                names.append(self.peek())
            self.take()
        if self.peek() == "=":
            self.skip_to_semicolon()
            return
        if not names:
            self.add(line, "namespace", scope, "")
        self.braced_block(scope + tuple(names or ("",)))

    def template_headers(self):
        headers = []
        while self.peek() == "template" and self.peek(1) == "<":
            self.take()
            headers.append(self.take_angles())
            if self.peek() == "requires":
                headers[-1] = headers[-1] + self.requirement()
        return headers

    def requirement(self):
        """A requires clause behind a template's parameters: primary expressions joined by && and ||."""
        begin = self.at
        self.take()
        while True:
            if self.peek() == "requires":
                self.take()
                if self.peek() == "(":
                    self.take_brackets()
                self.take_brackets()
            elif self.peek() == "(":
                self.take_brackets()
            else:
                while self.peek(1) == "::":
                    self.at += 2
                self.take()
                if self.peek() == "<":
                    self.take_angles()
                while self.peek() == "::":
                    self.at += 2
            if self.peek() not in ("&&", "||"):
                return self.tokens[begin:self.at]
            self.take()

    def entity(self, scope):
        """A declaration of a type, a function, a variable, an alias or a concept, perhaps a template."""
        template = self.template_headers()
        line = self.lines[self.at]
        if self.peek() == "friend":
            scope = scope + ("friend",)  # found by its arguments only
        if self.peek() in ("using", "concept"):
            kind = "alias" if self.take() == "using" else "concept"
            name = self.take()
            begin = self.at
            self.skip_to_semicolon()
            if self.tokens[begin] == "=":
                self.add(line, kind, scope, name, template, self.tokens[begin + 1:self.at - 1] if kind == "alias" else ())
            return
        if self.peek() in ("class", "struct", "union", "enum"):
            if self.type(scope, template):
                return
        self.declarator(scope, template)

    def type(self, scope, template):
        """A type's definition; false, with nothing taken, if it is no definition."""
        begin, line = self.at, self.lines[self.at]
        is_enum = self.take() == "enum"
        if is_enum and self.peek() in ("class", "struct"):
            self.take()
        parts = self.qualified_name()
        if self.peek() == "final":
            self.take()
        if self.peek() == ":":
            while self.peek() not in ("{", ";"):
                if self.peek() == "<":
                    self.take_angles()
                elif self.peek() == "(":
                    self.take_brackets()
                else:
                    self.take()
        if self.peek() != "{":
            self.at = begin
            return False
        name = parts.pop() if parts else ""
        if name:
            self.add(line, "class", scope + tuple(parts), name, template)
        if is_enum:
            self.take_brackets()
        else:
            self.braced_block(scope + tuple(parts) + (name,))
        self.skip_to_semicolon()  # perhaps with a variable
        return True

    def qualified_name(self):
        """The parts of A::B<C>::d, each with its arguments; attributes before it are skipped."""
        parts = []
        while True:
            if self.peek() in WITH_ARGUMENTS:
                self.take()
                self.take_brackets()
            elif self.peek() == "[" and self.peek(1) == "[":
                self.take_brackets()
            elif re.match(r"[A-Za-z_]", self.peek()) and self.peek() != "final":
                part = self.take()
                if self.peek() == "<":
                    part += "<" + " ".join(self.take_angles()) + ">"
                parts.append(part)
                if self.peek() != "::":
                    return parts
                self.take()
            else:
                return parts

    def declarator(self, scope, template):
        """A function or a variable, or a declaration, which is left out."""
        line, words, parts = self.lines[self.at], [], []
        while True:
            token = self.peek()
            if token in ("(", ";", "=", "{", ":", ","):
                break
            if token in WITH_ARGUMENTS and self.peek(1) == "(":
                self.take()
                self.take_brackets()
            elif token == "[":
                self.take_brackets()
            elif token == "operator":
                line = self.lines[self.at]
                parts = parts if self.tokens[self.at - 1] == "::" else []
                parts.append(self.operator_name())
            elif token == "~":
                self.take()
                parts = (parts if self.tokens[self.at - 2] == "::" else []) + ["~" + self.take()]
            elif re.match(r"[A-Za-z_]", token):
                line = self.lines[self.at]
                words += parts
                follows = self.tokens[self.at - 1] == "::" and parts
                if follows:
                    words = words[:len(words) - len(parts)]
                part = self.take()
                if self.peek() == "<":
                    part += "<" + " ".join(self.take_angles()) + ">"
                parts = parts + [part] if follows else [part]
            else:
                self.take()
        name, scope_of_name = (parts[-1], scope + tuple(parts[:-1])) if parts else ("", scope)
        if self.peek() == "(" and parts:
            self.function(line, scope_of_name, name, template, words)
            return
        self.skip_to_semicolon()
        declared_type = words[-1:] and words[-1] in ("class", "struct", "union", "enum")
        if name and not declared_type and not {"template", "extern", "friend"} & set(words):
            self.add(line, "variable", scope_of_name, name, template, (), words)

    def operator_name(self):
        name = self.take()
        if self.peek() == "(":
            self.at += 2
            return name + "()"
        while self.peek() != "(":
            name += " " + self.take()
        return name

    def function(self, line, scope, name, template, words):
        parameters = self.take_brackets()
        after = []
        while self.peek() not in ("{", ";", "=", ":", ","):
            if self.peek() == "requires":
                after += self.requirement()
            elif self.peek() == "<":
                after += ["<", *self.take_angles(), ">"]
            elif self.peek() in CLOSING:
                after += ["(", *self.take_brackets(), ")"]
            else:
                after.append(self.take())
        if self.peek() == ":":
            self.take()
            while self.peek() != "{":  # of the body
                self.qualified_name()
                self.take_brackets()
                if self.peek() == "...":
                    self.take()
                if self.peek() == ",":
                    self.take()
        if self.peek() == "{":
            self.take_brackets()
            self.add(line, "function", scope, name, template, ["(", *parameters, ")", *after], words)
        else:
            self.skip_to_semicolon()


def scan(text):
    return Scanner(text).scan()
