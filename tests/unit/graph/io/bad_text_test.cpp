// The faults that a text can have: each gives an InputError that names the file, the line and the
// column, what was expected and what was found.
#include "support/io_testing.hpp"

namespace wayfront {
namespace {

using io_testing::input_error;
using io_testing::parse_whole;

struct Fault
{
    std::string text;
    std::string message;
};

void expect_faults(FileFormat format, std::initializer_list<Fault> faults)
{
    for (const Fault& fault : faults)
        EXPECT_EQ(input_error([&] { parse_whole(format, fault.text); }), fault.message) << fault.text;
}

TEST(BadDimacs, HeaderFaults)
{
    const char* const wanted =
        "file:1:1: expected the header `p sp <vertices> <arcs>` (or `p tw`, `p edge`, `p col`), found ";
    expect_faults(
        FileFormat::dimacs,
        {
            {"", "file: the file is empty"},
            {"a 1 2 3\n", (std::string(wanted) + "'a'")},
            {"c only\nc comments\n",
             "file:3:1: expected the header `p sp <vertices> <arcs>` (or `p tw`, `p edge`, `p col`), found the end of "
             "the file"},
            {"\n\nc x\nq sp 1 2\n",
             "file:4:1: expected the header `p sp <vertices> <arcs>` (or `p tw`, `p edge`, `p col`), found 'q'"},
            {"p\n",
             "file:1:2: expected the kind of problem, one of `sp`, `tw`, `edge`, `col`, found the end of the line"},
            {"p max 4 5 6\n", "file:1:3: expected the kind of problem, one of `sp`, `tw`, `edge`, `col`, found 'max'"},
            {"p sp\n",
             "file:1:5: expected the number of vertices from 0 to 281474976710656, found the end of the line"},
            {"p sp x 4\n", "file:1:6: expected the number of vertices from 0 to 281474976710656, found 'x'"},
            {"p sp -4 4\n", "file:1:6: expected the number of vertices from 0 to 281474976710656, found '-4'"},
            {"p sp 281474976710657 1\n",
             "file:1:6: expected the number of vertices from 0 to 281474976710656, found '281474976710657'"},
            {"p sp 4\n",
             "file:1:7: expected the number of arcs from 0 to 9223372036854775807, found the end of the line"},
            {"p tw 4 -1\n", "file:1:8: expected the number of edges from 0 to 9223372036854775807, found '-1'"},
            {"p sp 4 99999999999999999999\n",
             "file:1:8: expected the number of arcs from 0 to 9223372036854775807, found '99999999999999999999'"},
            {"p sp 4 1 7\n", "file:1:10: expected the end of the line, found '7'"},
            {"p sp 4 1\np sp 4 1\na 1 2 3\n", "file:2:1: expected an edge, found a second header"},
        });
}

TEST(BadDimacs, ArcFaults)
{
    expect_faults(
        FileFormat::dimacs,
        {
            {"p sp 4 1\nb 1 2 3\n", "file:2:1: expected a line `a <from> <to> <weight>`, found 'b'"},
            {"p sp 4 1\n1 2 3\n", "file:2:1: expected a line `a <from> <to> <weight>`, found '1'"},
            {"p sp 4 1\na\n", "file:2:2: expected a vertex from 1 to 4, found the end of the line"},
            {"p sp 4 1\na 1\n", "file:2:4: expected a vertex from 1 to 4, found the end of the line"},
            {"p sp 4 1\na 1 2\n",
             "file:2:6: expected a whole weight from -9223372036854775808 to 9223372036854775807, found the end of the "
             "line"},
            {"p sp 4 1\na 1 2",
             "file:2:6: expected a whole weight from -9223372036854775808 to 9223372036854775807, found the end of the "
             "file"},
            {"p sp 4 1\na 1 2 3 4\n", "file:2:9: expected the end of the line, found '4'"},
            {"p sp 4 1\na 0 2 3\n", "file:2:3: expected a vertex from 1 to 4, found '0'"},
            {"p sp 4 1\na 1 5 3\n", "file:2:5: expected a vertex from 1 to 4, found '5'"},
            {"p sp 4 1\na -1 2 3\n", "file:2:3: expected a vertex from 1 to 4, found '-1'"},
            {"p sp 4 1\na 1 2 9223372036854775808\n",
             "file:2:7: expected a whole weight from -9223372036854775808 to 9223372036854775807, found "
             "'9223372036854775808'"},
            {"p sp 4 1\na 1 2 1.5\n",
             "file:2:7: expected a whole weight from -9223372036854775808 to 9223372036854775807, found '1.5'"},
            {"p sp 4 1\na 1 2 nan\n",
             "file:2:7: expected a whole weight from -9223372036854775808 to 9223372036854775807, found 'nan'"},
            {"p sp 4 1\na one 2 3\n", "file:2:3: expected a vertex from 1 to 4, found 'one'"},
            {"p sp 4 1\na 99999999999999999999999999 2 3\n",
             "file:2:3: expected a vertex from 1 to 4, found '99999999999999999999999999'"},
            {"p tw 4 1\n1 2 3\n", "file:2:5: expected the end of the line, found '3'"},
            {"p edge 4 1\nedge 1 2\n", "file:2:1: expected a vertex from 1 to 4, found 'edge'"},
            {"p tw 4 1\na 1 2\n", "file:2:1: expected a vertex from 1 to 4, found 'a'"},
            {"p sp 0 1\na 1 1 1\n", "file:2:3: expected a vertex from 1 to 0, found '1'"},
        });
}

TEST(BadDimacs, CountsThatLie)
{
    expect_faults(FileFormat::dimacs,
                  {
                      {"c\np sp 4 2\na 1 2 3\n", "file:2: expected 2 arcs, as the header says, found 1"},
                      {"p sp 4 0\na 1 2 3\n", "file:1: expected 0 arcs, as the header says, found 1"},
                      {"p tw 4 1\n1 2\n2 3\n", "file:1: expected 1 edge, as the header says, found 2"},
                      {"p sp 4 9223372036854775807\na 1 2 3\n",
                       "file:1: expected 9223372036854775807 arcs, as the header says, found 1"},
                  });
}

TEST(BadMatrixMarket, HeaderFaults)
{
    expect_faults(
        FileFormat::matrix_market,
        {
            {"", "file: the file is empty"},
            {"1 1 0\n",
             "file:1:1: expected the banner `%%MatrixMarket matrix coordinate <field> <symmetry>`, found '1'"},
            {"\n",
             "file:1:1: expected the banner `%%MatrixMarket matrix coordinate <field> <symmetry>`, found the end of "
             "the line"},
            {"%%MatrixMarket vector coordinate real general\n", "file:1:16: expected `matrix`, found 'vector'"},
            {"%%MatrixMarket matrix array real general\n",
             "file:1:23: expected `coordinate` (graphs are sparse matrices; dense arrays are not read), found 'array'"},
            {"%%MatrixMarket matrix coordinate complex general\n",
             "file:1:34: expected a field of `pattern`, `integer` or `real`, found 'complex'"},
            {"%%MatrixMarket matrix coordinate\n",
             "file:1:33: expected a field of `pattern`, `integer` or `real`, found the end of the line"},
            {"%%MatrixMarket matrix coordinate real skew-symmetric\n",
             "file:1:39: expected a symmetry of `general` (a directed graph) or `symmetric` (an undirected one), found "
             "'skew-symmetric'"},
            {"%%MatrixMarket matrix coordinate real hermitian\n",
             "file:1:39: expected a symmetry of `general` (a directed graph) or `symmetric` (an undirected one), found "
             "'hermitian'"},
            {"%%MatrixMarket matrix coordinate real general more\n",
             "file:1:47: expected the end of the line, found 'more'"},
            {"%%MatrixMarket matrix coordinate real general\n% c\n",
             "file:3:1: expected the number of rows from 0 to 281474976710656, found the end of the file"},
            {"%%MatrixMarket matrix coordinate real general\n3 4 1\n1 1 1\n",
             "file:2:3: expected as many columns as rows, 3 (a graph is a square matrix), found '4'"},
            {"%%MatrixMarket matrix coordinate real general\n3 3\n1 1 1\n",
             "file:2:4: expected the number of entries from 0 to 9223372036854775807, found the end of the line"},
            {"%%MatrixMarket matrix coordinate real general\n3 3 x\n",
             "file:2:5: expected the number of entries from 0 to 9223372036854775807, found 'x'"},
            {"%%MatrixMarket matrix coordinate real general\n3 3 1 1\n",
             "file:2:7: expected the end of the line, found '1'"},
        });
}

TEST(BadMatrixMarket, EntryFaults)
{
    const std::string real = "%%MatrixMarket matrix coordinate real general\n3 3 1\n";
    const std::string integer = "%%MatrixMarket matrix coordinate integer general\n3 3 1\n";
    const std::string pattern = "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 1\n";
    expect_faults(
        FileFormat::matrix_market,
        {
            {(real + "1 2 nan\n"), "file:3:5: expected a weight that is a finite number up to 3.4e38, found 'nan'"},
            {(real + "1 2 inf\n"), "file:3:5: expected a weight that is a finite number up to 3.4e38, found 'inf'"},
            {(real + "1 2 1e39\n"), "file:3:5: expected a weight that is a finite number up to 3.4e38, found '1e39'"},
            {(real + "1 2\n"),
             "file:3:4: expected a weight that is a finite number up to 3.4e38, found the end of the line"},
            {(real + "1 2"),
             "file:3:4: expected a weight that is a finite number up to 3.4e38, found the end of the file"},
            {(real + "1 2 1.0 0.0\n"), "file:3:9: expected the end of the line, found '0.0'"},
            {(integer + "1 2 0.5\n"),
             "file:3:5: expected a whole weight from -9223372036854775808 to 9223372036854775807, found '0.5'"},
            {(integer + "1 4 1\n"), "file:3:3: expected a vertex from 1 to 3, found '4'"},
            {(integer + "0 1 1\n"), "file:3:1: expected a vertex from 1 to 3, found '0'"},
            {(pattern + "1 2 1\n"), "file:3:5: expected the end of the line, found '1'"},
            {(pattern + "p 1 2\n"), "file:3:1: expected a vertex from 1 to 3, found 'p'"},
            {pattern, "file:2: expected 1 entry, as the header says, found 0"},
            {(pattern + "1 2\n1 3\n"), "file:2: expected 1 entry, as the header says, found 2"},
        });
}

TEST(BadEdgeList, Faults)
{
    expect_faults(
        FileFormat::edge_list,
        {
            {"", "file: the file is empty"},
            {"\n \n",
             "file:3:1: expected an edge `source target` or `source target weight`, found the end of the file"},
            {"0 target\n0 1\n",
             "file:1:3: expected a vertex from 0 to 281474976710655 (--names reads names instead of numbers), found "
             "'target'"},
            {"0\n", "file:1:2: expected a vertex from 0 to 281474976710655, found the end of the line"},
            {"0 1\n2", "file:2:2: expected a vertex from 0 to 281474976710655, found the end of the file"},
            {"0 -1\n", "file:1:3: expected a vertex from 0 to 281474976710655, found '-1'"},
            {"0 1\n-1 0\n", "file:2:1: expected a vertex from 0 to 281474976710655, found '-1'"},
            {"0 281474976710656\n",
             "file:1:3: expected a vertex from 0 to 281474976710655 (--compact allows up to 2^63 - 1), found "
             "'281474976710656'"},
            {"0 1\n1 18446744073709551617\n",
             "file:2:3: expected a vertex from 0 to 281474976710655, found '18446744073709551617'"},
            {"0 1\n1 2.5\n", "file:2:3: expected a vertex from 0 to 281474976710655, found '2.5'"},
            {"0 1\n1 2 3\n", "file:2:5: expected the end of the line, found '3'"},
            {"0 1 5\n1 2\n", "file:2:4: expected a weight, found the end of the line"},
            {"0 1 .5\n1 2\n", "file:2:4: expected a weight, found the end of the line"},
            {"0 1 5 6 7\n", "file:1:9: expected the end of the line, found '7'"},
            {"0 1 5\n0 1 5 6\n", "file:2:7: expected the end of the line, found '6'"},
            {"0 1 5 6\n0 1 5 x\n", "file:2:7: expected a timestamp, found 'x'"},
            {"0,,1\n", "file:1:3: expected a vertex from 0 to 281474976710655, found ','"},
            {",0,1\n", "file:1:1: expected a vertex from 0 to 281474976710655, found ','"},
            {"0,1,\n", "file:1:4: expected the end of the line, found ','"},
            {"0,1,,5\n", "file:1:5: expected the end of the line, found ','"},
            {"0 1\n0 1 , , \n", "file:2:5: expected numbers with blanks between them, as in the first edge, found ','"},
            {"0 1 9223372036854775808\n",
             "file:1:5: expected a whole weight from -9223372036854775808 to 9223372036854775807, found "
             "'9223372036854775808'"},
            {"0 1 0.5\n0 1 9223372036854775808\n",
             "file:2:5: expected a whole weight from -9223372036854775808 to 9223372036854775807, found "
             "'9223372036854775808'"},
            {"0 1 9223372036854775808\n0 1 0.5\n",
             "file:1:5: expected a whole weight from -9223372036854775808 to 9223372036854775807, found "
             "'9223372036854775808'"},
            {"0 1 nan\n", "file:1:5: expected a weight that is a finite number up to 3.4e38, found 'nan'"},
            {"0 1 1\n0 1 -inf\n", "file:2:5: expected a weight that is a finite number up to 3.4e38, found '-inf'"},
            {"0 1 1e5x\n", "file:1:5: expected a weight that is a finite number up to 3.4e38, found '1e5x'"},
            {"0 1 x\n", "file:1:5: expected a weight (--weight-column none reads none), found 'x'"},
            {"0 1\n1 2\r3\n", "file:2:3: expected a vertex from 0 to 281474976710655, found '2'"},
        });
}

TEST(BadEdgeList, AByteOfZeroIsNoMarker)
{
    // Behind the bytes that are looked at, since bytes of zero there are taken for binary data.
    const std::string comment(5000, ' ');
    const std::string list = "#" + comment + "\n" + std::string("\0 1 2\n", 6);
    EXPECT_EQ(input_error([&] { parse_whole(FileFormat::edge_list, list); }),
              "file:2:1: expected a vertex from 0 to 281474976710655, found '\\x00'");
    const std::string arcs = "c" + comment + "\np tw 3 1\n" + std::string("\0 1 2\n", 6);
    EXPECT_EQ(input_error([&] { parse_whole(FileFormat::dimacs, arcs); }),
              "file:3:1: expected a vertex from 1 to 3, found '\\x00'");
}

TEST(BadMetis, HeaderFaults)
{
    expect_faults(
        FileFormat::metis,
        {
            {"", "file: the file is empty"},
            {"% c\n", "file:2:1: expected the header `<vertices> <edges> [format]`, found the end of the file"},
            {"x 1\n", "file:1:1: expected the number of vertices from 0 to 281474976710656, found 'x'"},
            {"3\n", "file:1:2: expected the number of edges from 0 to 9223372036854775807, found the end of the line"},
            {"3 2 2\n",
             "file:1:5: expected a format of up to three digits, each 0 or 1: vertex sizes, vertex weights, edge "
             "weights, found '2'"},
            {"3 2 0011\n",
             "file:1:5: expected a format of up to three digits, each 0 or 1: vertex sizes, vertex weights, edge "
             "weights, found '0011'"},
            {"3 2 011 5000\n", "file:1:9: expected the number of weights per vertex from 0 to 1024, found '5000'"},
            {"3 2 011 1 1\n", "file:1:11: expected the end of the line, found '1'"},
        });
}

TEST(BadMetis, LineFaults)
{
    expect_faults(
        FileFormat::metis,
        {
            {"3 2\n2 3\n1\n", "file:4:1: expected a line for each of 3 vertices, found only 2"},
            {"3 2\n2 3\n1\n1", "no error"},
            {"3 2\n2 3\n1\n1\n\n\n", "no error"},
            {"3 2\n2 3\n1\n1\n\n1\n",
             "file:6:1: expected the end of the file after the lines of 3 vertices, found '1'"},
            {"3 2\n2 4\n1\n\n", "file:2:3: expected a vertex from 1 to 3, found '4'"},
            {"3 2\n2 0\n1\n\n", "file:2:3: expected a vertex from 1 to 3, found '0'"},
            {"3 2\n% c\n2 -3\n1\n\n", "file:3:3: expected a vertex from 1 to 3, found '-3'"},
            {"3 2\n2 x\n1\n\n", "file:2:3: expected a vertex from 1 to 3, found 'x'"},
            {"2 1 1\n2\n1 5\n",
             "file:2:2: expected a weight of METIS, a whole number from -2147483648 to 2147483647, found the end of "
             "the line"},
            {"2 1 1\n2 15.5\n1 5\n",
             "file:2:3: expected a weight of METIS, a whole number from -2147483648 to 2147483647, found '15.5'"},
            {"2 1 1\n2 15.0x\n1 5\n",
             "file:2:3: expected a weight of METIS, a whole number from -2147483648 to 2147483647, found '15.0x'"},
            {"2 1 1\n2 15.0.\n1 5\n",
             "file:2:3: expected a weight of METIS, a whole number from -2147483648 to 2147483647, found '15.0.'"},
            {"2 1 1\n2 .0\n1 5\n",
             "file:2:3: expected a weight of METIS, a whole number from -2147483648 to 2147483647, found '.0'"},
            {"2 1 1\n2 2147483648.0\n1 5\n",
             "file:2:3: expected a weight of METIS, a whole number from -2147483648 to 2147483647, found "
             "'2147483648.0'"},
            {"2 1 1\n2.0 15\n1 15\n", "file:2:1: expected a vertex from 1 to 2, found '2.0'"},
            {"2 1 1\n2 4000000000\n1 4000000000\n",
             "file:2:3: expected a weight of METIS, a whole number from -2147483648 to 2147483647, found '4000000000'"},
            {"2 1 11\nx 2 5\n4 1 5\n",
             "file:2:1: expected a vertex's size or weight, as the format in the header says (sizes, weights, edge "
             "weights) from 0 to "
             "9223372036854775807, found 'x'"},
            {"3 1\n2 3\n1\n1\n", "file:1: expected 1 edge, as the header says, found 2"},
            {"3 3\n2 3\n1\n1\n", "file:1: expected 3 edges, as the header says, found 2"},
            {"281474976710656 1\n2\n1\n",
             "file:4:1: expected a line for each of 281474976710656 vertices, found only 2"},
        });
}

TEST(BadMetis, EdgesThatStandOnce)
{
    const char* const message =
        "file: expected every edge in the lists of both its vertices, with the same weight, found an edge in one list "
        "only, or with two weights";
    expect_faults(FileFormat::metis,
                  {
                      {"3 2\n2 3\n1\n\n", message},     // 3 does not name 1
                      {"3 2\n2 3\n1\n2\n", message},    // 3 names 2 instead
                      {"3 2\n2 3\n1\n1 1\n", message},  // 3 names 1 twice
                      {"2 1 1\n2 5\n1 6\n", message},   // two weights
                      {"4 2\n2 3\n1 4\n1\n\n", "file:1: expected 2 edges, as the header says, found 3"},
                  });
}

TEST(BadMetis, AnEdgeInOneListOnlyIsFoundInItsFile)
{
    const io_testing::TemporaryFolder folder;
    for (const Fault& fault :
         {Fault{
              "3 2\n2 3\n1\n\n",
              ":2:3: expected this edge in the line of vertex 3 as well, found it only here, in the line of vertex 1"},
          Fault{
              "3 2\n2 3\n1\n2\n",
              ":2:3: expected this edge in the line of vertex 3 as well, found it only here, in the line of vertex 1"},
          Fault{
              "3 2\n2 3\n1\n1 1\n",
              ":4:3: expected this edge in the line of vertex 1 as well, found it only here, in the line of vertex 3"},
          Fault{"2 1 1\n2 5\n1 6\n",
                ":2:1: expected this edge in the line of vertex 2 as well, with the same weight, found it only here, "
                "in the line of vertex 1"}}) {
        const std::string path = folder.write("a.graph", fault.text);
        EXPECT_EQ(input_error([&] { read_graph(path); }), path + fault.message);
    }
}

}  // namespace
}  // namespace wayfront
