#!/usr/bin/env python3
"""Creates small trees in which names are defined twice and checks that definitions.py finds each of them, and nothing else."""

import pathlib
import tempfile
import unittest

import definitions

NAMESPACE = "namespace wayfront {{\n{}\n}}\n"


def in_namespace(text):
    return NAMESPACE.format(text)


class Definitions(unittest.TestCase):
    def problems(self, files):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path, text in files.items():
                file = root / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
            return definitions.check(root)[0]

    def assert_twice(self, one, other, name=None, files=("src/cpu/a.hpp", "src/gpu/b.cuh")):
        found = self.problems({files[0]: in_namespace(one), files[1]: in_namespace(other)})
        self.assertEqual(len(found), 1, found)
        self.assertIn(files[1] if name is None else f"{name} is defined in {files[0]}", found[0])

    def assert_good(self, one, other, files=("src/cpu/a.hpp", "src/gpu/b.cuh")):
        self.assertEqual(self.problems({files[0]: in_namespace(one), files[1]: in_namespace(other)}), [])

    def test_types(self):
        self.assert_twice("class View\n{\n    int a;\n};", "struct View\n{\n    long b;\n};", "wayfront::View")
        self.assert_twice("template <typename T>\nstruct View\n{\n    T a;\n};", "template <class U>\nstruct View final : Base<U>\n{\n    U b;\n};", "wayfront::View")
        self.assert_twice("enum class Way { one };", "enum class Way : int { other };", "wayfront::Way")
        self.assert_twice("struct Outer { struct Inner { int a; }; };", "}\nnamespace wayfront { struct Outer::Inner { int b; };", "wayfront::Outer::Inner")
        self.assert_twice("template <>\nstruct Word<int>\n{\n};", "template <>\nstruct Word<int>\n{\n    int a;\n};", "wayfront::Word<int>")

    def test_types_of_source_files(self):
        self.assert_twice("struct Task\n{\n};", "struct Task\n{\n    int a;\n};", "wayfront::Task", ("src/cpu/a.cpp", "src/cpu/b.cpp"))

    def test_functions(self):
        self.assert_twice("inline int sum(const Graph& graph, int n = 3) { return n; }", "inline int sum(const Graph& g, int) { return 4; }", "wayfront::sum")
        self.assert_twice("template <typename T, int n>\n__device__ T sum(T a) { return a; }",
                          "template <typename W, int m>\n__device__ __forceinline__ W sum(W b) { return b + m; }", "wayfront::sum")
        self.assert_twice("template <int n>\n__global__ void __launch_bounds__(n) fill(int* to) { *to = 1; }",
                          "template <int n>\n__global__ void __launch_bounds__(n, 2) fill(int* from) { *from = 2; }", "wayfront::fill")
        self.assert_twice("struct A { int size() const; };\ninline int A::size() const { return 1; }", "inline int A::size() const { return 2; }", "wayfront::A::size")

    def test_variables(self):
        self.assert_twice("inline constexpr int kTile = 256;", "inline constexpr int kTile = 1024;", "wayfront::kTile")

    def test_aliases(self):
        self.assert_twice("using Word = std::uint32_t;", "using Word = std::uint64_t;", "wayfront::Word")
        self.assert_good("using Word = std::uint32_t;", "using Word = std::uint32_t;")

    def test_other_names(self):
        self.assert_good("inline int sum(int a) { return a; }", "inline int sum(long a) { return 1; }")
        self.assert_good("struct A { int size() const { return 1; } };", "struct B { int size() const { return 1; } };")
        self.assert_good("namespace bfs {\nclass View\n{\n};\n}", "namespace sssp {\nclass View\n{\n};\n}")
        self.assert_good("template <typename T>\nstruct Word\n{\n};", "template <>\nstruct Word<int>\n{\n};")
        self.assert_good("class View;\nint sum(int a);", "class View\n{\n};\ninline int sum(int b) { return b; }")
        self.assert_good("template <typename T>\nvoid add(T a) { }", "template <int n>\nvoid add(int a) { }")

    def test_names_of_one_file(self):
        sources = ("src/cpu/a.cpp", "src/cpu/b.cu")
        unnamed = "namespace {{\nstruct Task\n{{\n    {} a;\n}};\nvoid run({}) {{}}\n}}  // namespace"
        self.assert_good(unnamed.format("int", ""), unnamed.format("long", ""), sources)
        self.assert_good("struct Task\n{\n};", unnamed.format("long", ""), sources)
        self.assert_good("static void run() {}", "static void run() { a(); }", sources)
        self.assert_good("inline void a() { struct Local { int x; }; }", "inline void b() { struct Local { long y; }; }")
        self.assert_good("#if A\nstruct Task\n{\n};\n#else\nstruct Task\n{\n    int a;\n};\n#endif", "")

    def test_unnamed_namespace_of_a_header(self):
        found = self.problems({"src/cpu/a.hpp": "namespace wayfront {\n\nnamespace {\nint two() { return 2; }\n}\n}\n"})
        self.assertEqual(len(found), 1)
        self.assertTrue(found[0].startswith("src/cpu/a.hpp:3: an unnamed namespace in a header"), found)

    def test_texts_that_are_no_code(self):
        self.assert_good("// struct Task {};\n/* struct Task {};\n*/\nconst char* a = \"}; struct Task {};\";", "struct Task\n{\n};")
        self.assert_good("const char* a = R\"(\"}}; struct Task {};)\";\nconst char b = '\"', c = '{';\nint d = 1'000;", "struct Task\n{\n};")
        self.assert_good("#define TASK struct Task {\\\n}", "struct Task\n{\n};")

    def test_lines(self):
        found = self.problems({"src/cpu/a.hpp": "/*\n*/\nstruct A\n{\n};\n", "src/cpu/b.hpp": "#if 1 // \\\n\n#endif\nstruct A\n{\n};\n"})
        self.assertEqual(found, ["src/cpu/b.hpp:4: class A is defined in src/cpu/a.hpp:3, too"])

    def test_declarations_around_a_definition(self):
        """A definition is found behind everything that a scanner may lose its way in."""
        for text in ("template <typename T, int n = (1 < 2)>\n    requires std::is_same_v<T, int> && (sizeof(T) > 2)\nstruct B\n{\n};",
                     "struct B : std::vector<int>\n{\n    explicit B(int n) : std::vector<int>(n), a{n}, b{} { if (n < 3) { a = n; } }\n    int a{3}, b = {};\n};",
                     "static_assert(1 < 2 && sizeof(int) < 8);", "enum Old { one, two = one < 3 };", "template class std::vector<int>;",
                     "bool operator<(const B& b, int) { return b < 1; }\nbool operator()(int);\nB::operator bool() const { return true; }",
                     "auto f(int a) -> decltype(a < 3) { return a; }", "int g[3] = {1, 2, 3}, h{f([](int x) { return x; })};",
                     "std::function<void(int)> make(std::function<int(long)> f = [](long) { return 1; }) noexcept(false) { return {}; }",
                     "B::~B() = default;\nB& B::operator=(B&&) noexcept = default;", "template <>\nint B<int>::value = 3;", "[[nodiscard]] int k() { return 1; }",
                     "struct alignas(16) C\n{\n} variable;", "namespace d = std::chrono;", "using std::swap;", "extern \"C\" {\nvoid c();\n}",
                     "class D final : private B\n{\npublic:\n    using B::B;\n    friend class E;\n    friend bool operator==(const D&, const D&) { return true; }\n};"):
            with self.subTest(text=text):
                self.assert_twice(f"{text}\nstruct Task\n{{\n}};", "struct Task\n{\n    int a;\n};", "wayfront::Task")

    def test_file_that_cannot_be_read(self):
        found = self.problems({"src/cpu/a.cpp": "int a;\nvoid f() { (} }\n"})
        self.assertEqual(found, ["src/cpu/a.cpp:2: } without its beginning"])

    def test_programs(self):
        one, other = "struct Case\n{\n};", "struct Case\n{\n    int a;\n};"
        self.assert_twice(one, other, "wayfront::Case", ("src/cpu/a.hpp", "tests/unit/b.cpp"))
        self.assert_twice(one, other, "wayfront::Case", ("tests/grid/a.cpp", "tests/grid/cpu/b.cpp"))
        self.assert_twice(one, other, "wayfront::Case", ("tests/gpu/a.cpp", "tests/support/b.hpp"))
        self.assert_twice(one, other, "wayfront::Case", ("bench/a.cpp", "graph500/b.hpp"))
        self.assert_good(one, other, ("bench/a.cpp", "bench/b.cpp"))
        self.assert_good(one, other, ("tests/unit/a.cpp", "tests/grid/b.cpp"))
        self.assert_good("}\nint main() { return 0; }\nnamespace a {", "}\nint main() { return 1; }\nnamespace a {", ("src/app/a.cpp", "tests/support/b.cpp"))


if __name__ == "__main__":
    unittest.main()
