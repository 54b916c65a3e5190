#include "app/options/graph_options.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace wayfront::app {

namespace {

void add_weights(OptionGroup& group, session::GraphOptions& options)
{
    group.text("weights", options.weights, "SPEC",
               "weights for the edges, in place of the input's: uniform:LO..HI (whole numbers; HI may be n, the number "
               "of vertices), "
               "unit, float (in [0, 1)), "
               "lognormal:MU,SIGMA (floats), lognormal:mean=83666,sd=184384,min=10,max=1000000 (whole numbers)");
    group.offer("weights", {"uniform:", "unit", "float", "lognormal:"});
}

void add_seeds(OptionGroup& group, session::GraphOptions& options)
{
    group.advanced();
    group.seed("seed1", options.seeds.seed1, "first seed of kron graphs; a seed in the spec takes precedence");
    group.seed("seed2", options.seeds.seed2, "second seed of kron graphs");
    group.seed("seed", options.seeds.seed, "seed of the other generators, of weights and of random sources");
}

}  // namespace

OptionGroup graph_group(session::GraphOptions& options, bool with_weights)
{
    OptionGroup group("Graph");
    group.text(
        "format", options.extension, "EXT",
        "read GRAPH as if its extension were EXT (el, csv, gr, mtx, graph, ...); necessary for standard input (-)");
    group.offer("format", graph_extensions());
    group.flag("undirected", options.undirected, "treat every edge as undirected");
    group.flag(
        "directed", options.directed,
        "treat the edges of an edge list as directed, the default if the header of the file does not give a direction");
    group.flag("one-based", options.one_based, "vertices of edge lists, read and written, are numbered from 1");
    group.flag("zero-based", options.zero_based,
               "vertices of edge lists, read and written, are numbered from 0, even if the header says otherwise "
               "(default: as the header says, or from 0)");
    group.text("source-column", options.columns.source, "NAME|N",
               "the column of an edge list that holds the sources of edges: its name in the first line, or its number "
               "from 1 (default: source, src, "
               "from, u, ..., or the first)");
    group.text("target-column", options.columns.target, "NAME|N",
               "the column of their targets (default: target, dst, to, v, ..., or the second)");
    group.text(
        "weight-column", options.columns.weight, "NAME|N|none",
        "the column of their weights, or an attribute of edges in GraphML and GML; none: no weights (default: weight, "
        "in edge lists also length, cost, distance, ..., or the "
        "third of three)");
    group.flag("compact", options.compact,
               "vertices of an edge list are those that its edges name, instead of all from the first number to the "
               "largest; for lists whose numbers are "
               "few and large. Options and results have the file's numbers");
    group.flag("names", options.names,
               "the ends of edges are names, which options and results use, too; `7` beside `07` is an error "
               "(default: names if the ends of the first edge begin with letters, otherwise numbers)");
    group.text("vertex-numbers", options.vertex_numbers, "FILE",
               "with --compact, or names: write the numbers or the names of the vertices in order, one per line: the "
               "order of the entries of .npy and .raw files");
    if (with_weights) add_weights(group, options);
    add_seeds(group, options);
    return group;
}

OptionGroup generated_graph_group(session::GraphOptions& options)
{
    OptionGroup group("Graph");
    group.flag("undirected", options.undirected, "treat every edge as undirected");
    group.flag("one-based", options.one_based, "vertices of edge lists are numbered from 1");
    group.flag("zero-based", options.zero_based, "vertices of edge lists are numbered from 0, the default");
    add_weights(group, options);
    add_seeds(group, options);
    return group;
}

void add_reverse(OptionGroup& group, session::GraphOptions& options)
{
    group.flag("reverse", options.reverse,
               "distances to the sources instead of from them: each directed edge leads from its target to its source. "
               "The parent or predecessor of a "
               "vertex is then the next vertex on its path to the source");
}

void add_precision(OptionGroup& group, session::GraphOptions& options)
{
    options.has_precision_option = true;
    group.parsed("precision", "single|double",
                 "precision of weights that are not whole numbers, and of their sums: 32 or 64 bits. Whole weights "
                 "have the bits that they need, and "
                 "sums of them are exact [single]",
                 [&options](const std::string& text) {
                     if (text != "single" && text != "double")
                         throw InputError(fmt::format("--precision: expected single or double, found '{}'", text));
                     options.double_precision = text == "double";
                     options.precision_given = true;
                 });
}

void add_target(OptionGroup& group, session::GraphTarget& target)
{
    group.text("output,o", target.path, "FILE", "the same as OUTPUT; the extension selects the format");
    group.text("output-format", target.extension, "EXT",
               "write the file as if its extension were EXT (el, csv, gr, mtx, graph, ...); necessary for standard "
               "output (-)");
    group.offer("output-format", graph_extensions());
}

std::string generator_notes()
{
    std::string text = "Generated graphs:\n";
    for (const GeneratorHelp& generator : generator_help())
        text += fmt::format("  {}\n      {}\n", generator.usage, generator.meaning);
    return text;
}

std::string graph_notes()
{
    std::string text =
        "GRAPH is a file, whose format is determined by its extension:\n"
        "  .gr                              DIMACS (p sp, p tw, p edge, p col)\n"
        "  .mtx                             Matrix Market, coordinate\n"
        "  .txt .el .wel .edges .tsv        edge list, as SNAP and KONECT write it: source target [weight]\n"
        "  .csv                             the same with commas, below the column names source,target[,weight]\n"
        "  .graph                           METIS\n"
        "  .sg .wsg                         GAPBS serialized graph, without and with weights\n"
        "  .tuples                          Graph500 tuples; weights in NAME.tuples.weights\n"
        "  .graphml .gml                    GraphML, GML: names of vertices, the attribute `weight` of edges\n"
        "or - (standard input, with --format EXT), or the spec of a generated graph, see below. Files in text formats "
        "may be compressed (.gz, .xz or "
        ".zst after the extension).\n";
    text += generator_notes();
    text +=
        "Vertices are numbered as the file numbers them, in options and in results: DIMACS, METIS and Matrix Market "
        "from 1, all others from 0, "
        "edge lists from 1 if their header says so (KONECT) or with --one-based. Edge lists whose edges have names at "
        "their ends, such as\n"
        "  printf 'Oslo,Bergen,463\\nBergen,Voss,107\\n' | wayfront bfs - --format csv --source Oslo\n"
        "keep them in options, results and paths.\n";
    return text;
}

}  // namespace wayfront::app
