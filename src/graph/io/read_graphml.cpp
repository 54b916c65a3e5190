// GraphML, as NetworkX, igraph, yEd and Gephi write it, read by Expat:
//
//     <graphml>
//       <key id="d0" for="edge" attr.name="weight" attr.type="int"/>
//       <graph edgedefault="undirected">
//         <node id="Oslo"/>
//         <node id="Bergen"/>
//         <edge source="Oslo" target="Bergen"><data key="d0">463</data></edge>
//       </graph>
//     </graphml>
//
// Vertices have the ids of the nodes as names. The weights are the attribute `weight` of edges, or
// that of ReadOptions::columns, which has a default perhaps. Hyperedges, graphs in nodes, several
// graphs, and edges of another direction than the graph's are errors; other elements are skipped
// with all that is in them. Documents that declare entities or anything else (DTD) are refused.
//
// U. Brandes, M. Eiglsperger, I. Herman, M. Himsolt, M. S. Marshall. GraphML progress report. Graph
// Drawing, LNCS 2265, 2002, pp. 501-512, doi:10.1007/3-540-45848-4_59.
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <expat.h>

#include "base/error.hpp"
#include "graph/io/declared_graph.hpp"
#include "graph/io/readers.hpp"
#include "graph/io/tokens.hpp"

namespace wayfront::io {

namespace {

struct ParserDeleter
{
    void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
};
using ParserHandle = std::unique_ptr<std::remove_pointer_t<XML_Parser>, ParserDeleter>;

/// An element's name without its namespace.
std::string_view local_name(const char* name)
{
    const std::string_view whole(name);
    return whole.substr(whole.rfind(':') + 1);
}

/// The elements that are read. `text` is the number of a weight.
enum class Element { document, graphml, key, text, graph, node, edge };

/// The only element that an element may be a child of.
struct Parent
{
    Element element;
    std::string_view tag;
};

/// The required parent of an element; no value if the element may have any parent.
std::optional<Parent> parent_of(std::string_view name)
{
    if (name == "key" || name == "graph") return Parent{Element::graphml, "<graphml>"};
    if (name == "node" || name == "edge" || name == "hyperedge") return Parent{Element::graph, "<graph>"};
    if (name == "default") return Parent{Element::key, "<key>"};
    return std::nullopt;
}

/// The value of an attribute; no value if it is missing. Attributes with a namespace are others.
std::optional<std::string_view> attribute(const char** attributes, std::string_view name)
{
    for (; *attributes != nullptr; attributes += 2)
        if (name == attributes[0]) return attributes[1];
    return std::nullopt;
}

std::string tag_of(std::string_view name)
{
    std::string tag(1, '<');
    tag += name;
    tag += '>';
    return tag;
}

class GraphmlReader
{
public:
    GraphmlReader(const NamedText& input, const ReadOptions& options)
        : input_(input),
          options_(options),
          text_(input.begin(), static_cast<std::size_t>(input.end() - input.begin())),
          graph_(input.name, options, {count_words(text_, "node"), count_words(text_, "edge")}),
          wanted_(options.columns.weight.empty() ? "weight" : options.columns.weight),
          parser_(XML_ParserCreate(nullptr))
    {
        if (parser_ == nullptr) throw ResourceError("there is no memory for the XML parser");
        XML_SetUserData(parser_.get(), this);
        XML_SetElementHandler(
            parser_.get(),
            [](void* self, const char* name, const char** attributes) {
                static_cast<GraphmlReader*>(self)->guarded(
                    [&](GraphmlReader& reader) { reader.begin(local_name(name), attributes); });
            },
            [](void* self, const char* /*name*/) {
                static_cast<GraphmlReader*>(self)->guarded([](GraphmlReader& reader) { reader.end(); });
            });
        XML_SetStartDoctypeDeclHandler(parser_.get(), [](void* self, const char* /*name*/, const char* system_id,
                                                         const char* public_id, int has_internal_subset) {
            static_cast<GraphmlReader*>(self)->guarded([&](GraphmlReader& reader) {
                if (system_id == nullptr && public_id == nullptr && has_internal_subset == 0) return;
                fail_at(reader.input_.name, reader.place(), "a document without declarations (DTD)",
                        "<!DOCTYPE> with some; without it the file may be read");
            });
        });
        XML_SetCharacterDataHandler(parser_.get(), [](void* self, const char* text, int length) {
            static_cast<GraphmlReader*>(self)->guarded([&](GraphmlReader& reader) {
                if (reader.takes_text()) reader.taken_.append(text, static_cast<std::size_t>(length));
            });
        });
    }

    GraphShare read()
    {
        constexpr std::size_t piece_bytes = std::size_t{1} << 20;
        if (options_.progress != nullptr) options_.progress->begin("read", text_.size());
        for (std::size_t at = 0; at < text_.size(); at += piece_bytes) {
            const std::string_view piece = text_.substr(at, piece_bytes);
            const bool last = at + piece.size() == text_.size();
            const XML_Status status =
                XML_Parse(parser_.get(), piece.data(), static_cast<int>(piece.size()), last ? 1 : 0);
            if (failure_) std::rethrow_exception(failure_);
            if (status != XML_STATUS_OK)
                fail_at(input_.name, place(), "well-formed XML", XML_ErrorString(XML_GetErrorCode(parser_.get())));
            if (options_.progress != nullptr) options_.progress->advance(piece.size());
        }
        if (!has_graph_) fail_at(input_.name, place(), "an element <graph>", "none");
        if (!options_.columns.weight.empty() && wanted_ != "none" && !weight_key_)
            fail_at(input_.name, graph_at_, "an attribute '" + wanted_ + "' of edges, as --weight-column says", "none");
        GraphShare share = graph_.finish(directed_);
        share.facts.notes.left_out = has_other_numbers_ && !weight_key_ && wanted_ != "none";
        return share;
    }

private:
    /// Runs a handler. Exceptions do not pass through Expat, which is written in C.
    template <typename F>
    void guarded(const F& f)
    {
        if (failure_) return;
        try {
            f(*this);
        } catch (...) {
            failure_ = std::current_exception();
            XML_StopParser(parser_.get(), XML_FALSE);
        }
    }

    [[nodiscard]] bool takes_text() const { return skipped_ == 0 && open_.back() == Element::text; }

    [[nodiscard]] TextPlace place() const
    {
        return {static_cast<long>(XML_GetCurrentLineNumber(parser_.get())),
                static_cast<long>(XML_GetCurrentColumnNumber(parser_.get())) + 1};
    }

    /// The value of an attribute that must be there.
    std::string_view require(const char** attributes, std::string_view name, std::string_view element) const
    {
        const auto value = attribute(attributes, name);
        if (!value)
            fail_at(input_.name, place(), "an attribute `" + std::string(name) + "` of <" + std::string(element) + ">",
                    "none");
        return *value;
    }

    void begin(std::string_view name, const char** attributes)
    {
        if (skipped_ > 0) {
            ++skipped_;
            return;
        }
        if (open_.back() == Element::text) fail_at(input_.name, place(), "a number", tag_of(name));
        if (const std::optional<Element> element = begin_element(name, attributes))
            open_.push_back(*element);
        else
            skipped_ = 1;
    }

    /// The element if it is read; no value if it is skipped.
    std::optional<Element> begin_element(std::string_view name, const char** attributes)
    {
        if (open_.back() == Element::document) {
            if (name != "graphml") fail_at(input_.name, place(), "<graphml>", tag_of(name));
            return Element::graphml;
        }
        if (name == "graph" && open_.back() == Element::node)
            fail_at(input_.name, place(), "nodes without graphs in them", "<graph>");
        const std::optional<Parent> parent = parent_of(name);
        if (parent && parent->element != open_.back())
            fail_at(input_.name, place(), tag_of(name) + " in " + std::string(parent->tag), "it in another element");
        if (name == "key") return begin_key(attributes);
        if (name == "graph") return begin_graph(attributes);
        if (name == "node") return begin_node(attributes);
        if (name == "edge") return begin_edge(attributes);
        if (name == "hyperedge") fail_at(input_.name, place(), "edges between two vertices", "<hyperedge>");
        if (name == "data") return begin_data(attributes);
        if (name == "default" && in_weight_key_) return begin_text();
        return std::nullopt;
    }

    Element begin_text()
    {
        taken_.clear();
        return Element::text;
    }

    std::optional<Element> begin_data(const char** attributes)
    {
        const std::string_view key = require(attributes, "key", "data");
        if (!keys_.contains(key)) fail_at(input_.name, place(), "the id of a <key> above", in_quotes(key));
        if (open_.back() != Element::edge || key != weight_key_) return std::nullopt;
        return begin_text();
    }

    Element begin_node(const char** attributes)
    {
        graph_.add_vertex(require(attributes, "id", "node"), place());
        return Element::node;
    }

    Element begin_key(const char** attributes)
    {
        const std::string_view id = require(attributes, "id", "key");
        keys_.emplace(id);
        in_weight_key_ = false;
        const std::string_view domain = attribute(attributes, "for").value_or("all");
        if (domain != "edge" && domain != "all") return Element::key;
        const std::string_view type = attribute(attributes, "attr.type").value_or("string");
        const std::string_view name = attribute(attributes, "attr.name").value_or("");
        if (name != wanted_ || wanted_ == "none") {
            has_other_numbers_ =
                has_other_numbers_ || type == "int" || type == "long" || type == "float" || type == "double";
            return Element::key;
        }
        if (weight_key_) fail_at(input_.name, place(), "one attribute '" + wanted_ + "' of edges", "another one");
        weight_key_ = id;
        in_weight_key_ = true;
        return Element::key;
    }

    Element begin_graph(const char** attributes)
    {
        if (has_graph_) fail_at(input_.name, place(), "one graph", "another <graph>");
        has_graph_ = true;
        graph_at_ = place();
        const std::string_view direction = require(attributes, "edgedefault", "graph");
        if (direction != "directed" && direction != "undirected")
            fail_at(input_.name, place(), R"(edgedefault="directed" or "undirected")", in_quotes(direction));
        directed_ = direction == "directed";
        return Element::graph;
    }

    Element begin_edge(const char** attributes)
    {
        edge_at_ = place();
        source_ = require(attributes, "source", "edge");
        target_ = require(attributes, "target", "edge");
        weight_ = default_weight_;
        const auto directed = attribute(attributes, "directed");
        if (directed && (*directed == "true" || *directed == "1") != directed_)
            fail_at(input_.name, edge_at_,
                    directed_ ? "directed edges, as the graph says" : "undirected edges, as the graph says",
                    "directed=\"" + std::string(*directed) + "\"");
        return Element::edge;
    }

    void end()
    {
        if (skipped_ > 0) {
            --skipped_;
            return;
        }
        const Element element = open_.back();
        open_.pop_back();
        if (element == Element::text)
            (open_.back() == Element::edge ? weight_ : default_weight_) = std::string(without_blanks(taken_));
        else if (element == Element::edge)
            graph_.add_edge(source_, target_, weight_, edge_at_);
    }

    const NamedText& input_;
    const ReadOptions& options_;
    std::string_view text_;
    DeclaredGraph graph_;
    std::string wanted_;  // the attribute of weights
    ParserHandle parser_;
    std::exception_ptr failure_;
    std::optional<std::string> weight_key_;  // its id
    std::optional<std::string> default_weight_;
    TextPlace graph_at_{};
    // The edge that is read:
    TextPlace edge_at_{};
    std::string source_;
    std::string target_;
    std::optional<std::string> weight_;
    std::string taken_;  // the text of the element that is read, if takes_text()

    std::vector<Element> open_{Element::document};  // the elements around the place that is read
    long skipped_ = 0;                              // elements around it, within the last of `open_`, that are skipped
    std::set<std::string, std::less<>> keys_;       // ids
    bool has_graph_ = false;
    bool directed_ = false;
    bool in_weight_key_ = false;
    bool has_other_numbers_ = false;
};

}  // namespace

GraphShare read_graphml(const NamedText& input, const ReadOptions& options)
{
    return GraphmlReader(input, options).read();
}

}  // namespace wayfront::io
