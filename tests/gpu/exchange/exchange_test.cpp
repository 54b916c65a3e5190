// Tests of the exchange between the ranks' device memories, and of construction, counting and
// validation, which use this exchange. ctest runs these tests with 1, 2, 3, 4 and 8 ranks; ranks
// share a GPU if there are fewer GPUs.
#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "gpu/kron/construction.hpp"
#include "gpu/kron/kron_component.hpp"
#include "gpu/kron/validation.hpp"
#include "gpu/runtime/stream.hpp"
#include "graph/generators/kron.hpp"
#include "support/exchange_methods.hpp"

namespace wayfront::gpu {

// This class is not in an anonymous namespace, because GoogleTest names the tests' classes after
// it.
class DeviceExchangeOverRanks : public OverRanks
{
};

namespace {

/// Byte i of the data that rank `from` sends to rank `to`. `to` is kToAll if the data are for all
/// ranks.
std::byte byte_of(std::size_t from, std::size_t to, std::size_t i)
{
    return static_cast<std::byte>((i * 2654435761U + from * 97 + to * 31) >> 7);
}

std::vector<std::byte> piece_of(std::size_t from, std::size_t to, std::size_t bytes)
{
    std::vector<std::byte> piece(bytes);
    for (std::size_t i = 0; i < bytes; ++i) piece[i] = byte_of(from, to, i);
    return piece;
}

std::vector<std::byte> read_back(const DeviceBuffer<std::byte>& device, const Stream& stream)
{
    std::vector<std::byte> host(device.size());
    copy_async(device.span(), std::span(host), stream);
    stream.synchronize();
    return host;
}

/// Expects that the piece of rank `from` begins with these bytes.
void expect_piece(std::span<const std::byte> pieces, std::size_t from, std::size_t piece_bytes,
                  std::span<const std::byte> expected)
{
    EXPECT_TRUE(std::ranges::equal(pieces.subspan(from * piece_bytes, expected.size()), expected))
        << piece_bytes << " bytes from rank " << from;
}

// Sizes of pieces in bytes. In some ways of exchange, small pieces are sent by MPI. The largest
// pieces take several rounds.
constexpr std::size_t kSizes[] = {1, 255, 4096, 20'000, 131'072, 131'076, (std::size_t{40} << 20) + 12};
constexpr std::size_t kToAll = 99;

}  // namespace

TEST_F(DeviceExchangeOverRanks, AllGather)
{
    const Stream stream;
    each_method([&](DeviceExchange& exchange) {
        for (const std::size_t bytes : kSizes) {
            DeviceBuffer<std::byte> pieces(ranks_ * bytes);
            fill_bytes_async(pieces.span(), 0xEE, stream);
            const std::vector<std::byte> own = piece_of(rank_, kToAll, bytes);
            copy_async(std::span<const std::byte>(own), pieces.span().subspan(rank_ * bytes, bytes), stream);
            exchange.all_gather(pieces.data(), bytes, stream);
            const std::vector<std::byte> all = read_back(pieces, stream);
            for (std::size_t from = 0; from < ranks_; ++from) {
                expect_piece(all, from, bytes, piece_of(from, kToAll, bytes));
            }
        }
    });
}

TEST_F(DeviceExchangeOverRanks, AllToAll)
{
    const Stream stream;
    each_method([&](DeviceExchange& exchange) {
        for (const std::size_t bytes : kSizes) {
            std::vector<std::byte> host;
            for (std::size_t to = 0; to < ranks_; ++to) {
                const std::vector<std::byte> piece = piece_of(rank_, to, bytes);
                host.insert(host.end(), piece.begin(), piece.end());
            }
            const DeviceBuffer<std::byte> sent = upload(std::span<const std::byte>(host), stream);
            DeviceBuffer<std::byte> received(ranks_ * bytes);
            exchange.all_to_all(sent.data(), received.data(), bytes, stream);
            const std::vector<std::byte> all = read_back(received, stream);
            for (std::size_t from = 0; from < ranks_; ++from) {
                expect_piece(all, from, bytes, piece_of(from, rank_, bytes));
            }
        }
    });
}

// Several messages use the same memory, one after the other.
TEST_F(DeviceExchangeOverRanks, PiecesWhereTheExchangePlacesThem)
{
    const Stream stream;
    each_method([&](DeviceExchange& exchange) {
        for (const std::size_t bytes : {64U, 16'384U, 16'388U, 64U, 128U, 300'000U}) {
            DeviceBuffer<std::byte> sent(ranks_ * bytes);
            DeviceBuffer<std::byte> received(ranks_ * bytes);
            const MessagePieces pieces = exchange.message_memory(bytes, sent.data(), received.data());
            std::vector<std::byte> expected;
            for (std::size_t peer = 0; peer < ranks_; ++peer) {
                const DeviceBuffer<std::byte> piece =
                    upload(std::span<const std::byte>(piece_of(rank_, peer, bytes)), stream);
                copy_async(piece.span(), std::span(pieces.send + peer * bytes, bytes), stream);
                stream.synchronize();
                const std::vector<std::byte> from = piece_of(peer, rank_, bytes);
                expected.insert(expected.end(), from.begin(), from.end());
            }
            exchange.all_to_all(pieces.send, pieces.receive, bytes, stream);
            if (pieces.on_host != nullptr) {
                EXPECT_TRUE(std::equal(expected.begin(), expected.end(), pieces.on_host)) << bytes;
            }
            std::vector<std::byte> in_place(expected.size());
            copy_async(std::span<const std::byte>(pieces.receive, in_place.size()), std::span(in_place), stream);
            stream.synchronize();
            EXPECT_EQ(in_place, expected) << bytes;
            EXPECT_TRUE(exchange.method() != ExchangeMethod::staged || bytes > 131'072 || ranks_ == 1 ||
                        pieces.on_host != nullptr);
        }
    });
}

/// The receiver gets at least the bytes of each piece that the piece's first word counts.
TEST_F(DeviceExchangeOverRanks, UsedBytesOfPieces)
{
    const UsedBytes used = [](const std::byte* piece, std::size_t piece_bytes) {
        return std::min<std::size_t>(*reinterpret_cast<const std::uint32_t*>(piece), piece_bytes);
    };
    const auto used_by = [](std::size_t from, std::size_t to, std::size_t bytes) {
        return static_cast<std::uint32_t>(4 + (from + 2 * to) % 5 * (bytes / 8));
    };
    const Stream stream;
    each_method([&](DeviceExchange& exchange) {
        for (const std::size_t bytes : {64U, 4'096U, 100'000U, 300'000U}) {
            for (const bool in_place : {false, true}) {
                DeviceBuffer<std::byte> sent(ranks_ * bytes);
                DeviceBuffer<std::byte> received(ranks_ * bytes);
                MessagePieces pieces{sent.data(), received.data()};
                if (in_place) pieces = exchange.message_memory(bytes, sent.data(), received.data());
                std::vector<std::byte> host;
                std::size_t used_bytes = 0;
                for (std::size_t to = 0; to < ranks_; ++to) {
                    std::vector<std::byte> piece = piece_of(rank_, to, bytes);
                    *reinterpret_cast<std::uint32_t*>(piece.data()) = used_by(rank_, to, bytes);
                    used_bytes += to != rank_ ? used_by(rank_, to, bytes) : 0;
                    host.insert(host.end(), piece.begin(), piece.end());
                }
                copy_async(std::span<const std::byte>(host), std::span(pieces.send, host.size()), stream);
                const std::uint64_t before = exchange.sent_bytes();
                exchange.all_to_all(pieces.send, pieces.receive, bytes, stream, used);
                const std::uint64_t travelled = exchange.sent_bytes() - before;
                EXPECT_EQ(travelled, exchange.method() == ExchangeMethod::staged && bytes <= 131'072
                                         ? used_bytes
                                         : (ranks_ - 1) * bytes);
                std::vector<std::byte> all(host.size());
                copy_async(std::span<const std::byte>(pieces.receive, all.size()), std::span(all), stream);
                stream.synchronize();
                for (std::size_t from = 0; from < ranks_; ++from) {
                    std::vector<std::byte> expected = piece_of(from, rank_, used_by(from, rank_, bytes));
                    *reinterpret_cast<std::uint32_t*>(expected.data()) = used_by(from, rank_, bytes);
                    expect_piece(all, from, bytes, expected);
                }
            }
        }
    });
}

TEST_F(DeviceExchangeOverRanks, GatheredPiecesWhereTheExchangePlacesThem)
{
    const Stream stream;
    each_method([&](DeviceExchange& exchange) {
        for (const std::size_t bytes : {64U, 16'384U, 20'000U, 64U, 300'000U}) {
            DeviceBuffer<std::byte> memory(ranks_ * bytes);
            const MessagePieces pieces = exchange.message_memory(bytes, memory.data(), memory.data());
            const std::vector<std::byte> own = piece_of(rank_, kToAll, bytes);
            copy_async(std::span<const std::byte>(own), std::span(pieces.receive + rank_ * bytes, bytes), stream);
            exchange.all_gather(pieces.receive, bytes, stream);
            std::vector<std::byte> all(ranks_ * bytes);
            if (pieces.on_host != nullptr) std::copy_n(pieces.on_host, all.size(), all.begin());
            std::vector<std::byte> in_place(all.size());
            copy_async(std::span<const std::byte>(pieces.receive, all.size()), std::span(in_place), stream);
            stream.synchronize();
            for (std::size_t from = 0; from < ranks_; ++from) {
                expect_piece(in_place, from, bytes, piece_of(from, kToAll, bytes));
                if (pieces.on_host != nullptr) expect_piece(all, from, bytes, piece_of(from, kToAll, bytes));
            }
        }
    });
}

TEST_F(DeviceExchangeOverRanks, AllToAllOfUnequalPieces)
{
    // Rank r has (r + 1) * (s + 2) units for rank s, but no units if r + s is a multiple of 3. Some
    // pieces are larger than a round.
    constexpr std::size_t units[] = {1, 4099, (std::size_t{3} << 20) + 1};
    const auto bytes_of = [](std::size_t from, std::size_t to, std::size_t unit) {
        return static_cast<std::int64_t>((from + to) % 3 == 0 ? 0 : (from + 1) * (to + 2) * unit);
    };
    const Stream stream;
    each_method([&](DeviceExchange& exchange) {
        for (const std::size_t unit : units) {
            std::vector<std::byte> sent;
            std::vector<std::byte> expected;
            std::vector<std::int64_t> send_bytes;
            std::vector<std::int64_t> receive_bytes;
            for (std::size_t peer = 0; peer < ranks_; ++peer) {
                send_bytes.push_back(bytes_of(rank_, peer, unit));
                receive_bytes.push_back(bytes_of(peer, rank_, unit));
                const std::vector<std::byte> to = piece_of(rank_, peer, static_cast<std::size_t>(send_bytes.back()));
                const std::vector<std::byte> from =
                    piece_of(peer, rank_, static_cast<std::size_t>(receive_bytes.back()));
                sent.insert(sent.end(), to.begin(), to.end());
                expected.insert(expected.end(), from.begin(), from.end());
            }
            const DeviceBuffer<std::byte> device = upload(std::span<const std::byte>(sent), stream);
            DeviceBuffer<std::byte> received(expected.size());
            exchange.all_to_all_v(device.data(), send_bytes, received.data(), receive_bytes, stream);
            EXPECT_EQ(read_back(received, stream), expected) << unit;
        }
    });
}

TEST_F(DeviceExchangeOverRanks, RanksThatCanShareNoMemoryStageTheirMessages)
{
    if (DeviceExchange(world_, ExchangeMethod::host_memory).method() != ExchangeMethod::host_memory)
        GTEST_SKIP() << "the system does not let these ranks share memory";
    if (ranks_ == 1) return;
    // The shared memory is a file. On one of the ranks, this limit of a file's size is too low.
    struct rlimit limit = {};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
    struct rlimit low = limit;
    low.rlim_cur = 1 << 20;
    if (rank_ == 0) {
        ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &low), 0);
    }
    EXPECT_EQ(DeviceExchange(world_, ExchangeMethod::host_memory).method(), ExchangeMethod::staged);
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

TEST_F(DeviceExchangeOverRanks, MpiIsGivenTheMemoryItself)
{
    // The test uses pinned memory in place of device memory, which not every MPI accepts. The
    // stream is still filling the memory when the exchange is called.
    const Stream stream;
    DeviceExchange exchange(world_, ExchangeMethod::device_mpi);
    const std::size_t bytes = 4099;
    const DeviceBuffer<std::byte> shown = upload(std::span<const std::byte>(piece_of(rank_, kToAll, bytes)), stream);
    PinnedBuffer<std::byte> pieces(ranks_ * bytes);
    copy_async(shown.span(), pieces.span().subspan(rank_ * bytes, bytes), stream);
    exchange.all_gather(pieces.data(), bytes, stream);

    PinnedBuffer<std::byte> sent(ranks_ * bytes);
    PinnedBuffer<std::byte> received(ranks_ * bytes);
    for (std::size_t to = 0; to < ranks_; ++to) {
        const DeviceBuffer<std::byte> piece = upload(std::span<const std::byte>(piece_of(rank_, to, bytes)), stream);
        copy_async(piece.span(), sent.span().subspan(to * bytes, bytes), stream);
        stream.synchronize();
    }
    exchange.all_to_all(sent.data(), received.data(), bytes, stream);
    stream.synchronize();
    for (std::size_t from = 0; from < ranks_; ++from) {
        const std::vector<std::byte> to_all = piece_of(from, kToAll, bytes);
        const std::vector<std::byte> to_me = piece_of(from, rank_, bytes);
        EXPECT_TRUE(std::ranges::equal(to_all, pieces.span().subspan(from * bytes, bytes)))
            << "all-gather, from rank " << from;
        EXPECT_TRUE(std::ranges::equal(to_me, received.span().subspan(from * bytes, bytes)))
            << "all-to-all, from rank " << from;
    }
}

namespace {

/// A small Kronecker graph, and a serial search with a queue.
struct SearchedGraph
{
    static constexpr int kScale = 12;

    KronSource source{kScale, 16, 2, 3};
    std::vector<std::set<Vertex>> neighbours{std::size_t{1} << kScale};
    std::vector<Vertex> parents = std::vector<Vertex>(std::size_t{1} << kScale, kUnreached);
    Vertex key = 0;
    std::uint64_t tuples_reached = 0;

    SearchedGraph()
    {
        std::vector<PackedEdge> tuples(static_cast<std::size_t>(source.edge_count()));
        source.edges(0, tuples);
        for (const PackedEdge& tuple : tuples) {
            if (tuple.source() == tuple.target()) continue;
            neighbours[static_cast<std::size_t>(tuple.source())].insert(tuple.target());
            neighbours[static_cast<std::size_t>(tuple.target())].insert(tuple.source());
        }
        while (neighbours[static_cast<std::size_t>(key)].empty()) ++key;
        std::vector<Vertex> queue{key};
        parents[static_cast<std::size_t>(key)] = key;
        for (std::size_t i = 0; i < queue.size(); ++i) {
            for (const Vertex v : neighbours[static_cast<std::size_t>(queue[i])]) {
                if (parents[static_cast<std::size_t>(v)] != kUnreached) continue;
                parents[static_cast<std::size_t>(v)] = queue[i];
                queue.push_back(v);
            }
        }
        for (const PackedEdge& tuple : tuples)
            if (parents[static_cast<std::size_t>(tuple.source())] != kUnreached) ++tuples_reached;
    }

    [[nodiscard]] EdgeCount directed_edges() const
    {
        EdgeCount sum = 0;
        for (const std::set<Vertex>& list : neighbours) sum += static_cast<EdgeCount>(list.size());
        return sum;
    }

    [[nodiscard]] std::vector<std::int32_t> parents_of_rank(std::size_t rank, std::size_t ranks) const
    {
        std::vector<std::int32_t> own;
        for (std::size_t v = rank; v < parents.size(); v += ranks) own.push_back(static_cast<std::int32_t>(parents[v]));
        return own;
    }
};

}  // namespace

TEST_F(DeviceExchangeOverRanks, Construction)
{
    const Stream stream;
    const SearchedGraph graph;
    const auto connected =
        std::ranges::count_if(graph.neighbours, [](const std::set<Vertex>& list) { return !list.empty(); });
    each_method([&](DeviceExchange& exchange) {
        kron::ConstructionRun run{stream};
        const DeviceGraph device =
            kron::construct_kron(graph.source.parameters(), graph.source.edge_count(), exchange, run);
        EXPECT_EQ(device.directed_edges, graph.directed_edges());
        EXPECT_EQ(device.connected_vertices, connected);
        for (std::size_t v = rank_; v < graph.neighbours.size(); v += ranks_)
            ASSERT_EQ(device.has_edges(static_cast<std::uint32_t>(v / ranks_), stream), !graph.neighbours[v].empty())
                << "vertex " << v;
    });
}

TEST_F(DeviceExchangeOverRanks, ValidationAndCounting)
{
    const Stream stream;
    SearchedGraph graph;
    const KronParameters& parameters = graph.source.parameters();
    const EdgeCount tuples = graph.source.edge_count();
    const auto n = static_cast<Vertex>(graph.parents.size());
    const DeviceBuffer<std::int32_t> own =
        upload(std::span<const std::int32_t>(graph.parents_of_rank(rank_, ranks_)), stream);
    kron::KronComponent component(parameters, tuples, world_.size(), world_.rank(), stream);
    EXPECT_EQ(world_.all_reduce(component.reached_ends(own.data()), comm::Reduction::sum),
              2 * static_cast<std::int64_t>(graph.tuples_reached));

    each_method([&](DeviceExchange& exchange) {
        kron::KronValidator validator(parameters, tuples, n, exchange, stream);
        const kron::Verdict verdict = validator.validate(graph.key, own.data());
        EXPECT_TRUE(verdict.valid()) << "rule " << verdict.rule;
        EXPECT_EQ(verdict.component_tuples, graph.tuples_reached);

        // A vertex gets a parent that is not one of its neighbours.
        const std::vector<Vertex> right = graph.parents;
        Vertex v = n - 1;
        while (right[static_cast<std::size_t>(v)] == kUnreached || v == graph.key ||
               graph.neighbours[static_cast<std::size_t>(v)].contains(graph.key))
            --v;
        graph.parents[static_cast<std::size_t>(v)] = graph.key;
        const DeviceBuffer<std::int32_t> wrong =
            upload(std::span<const std::int32_t>(graph.parents_of_rank(rank_, ranks_)), stream);
        EXPECT_FALSE(validator.validate(graph.key, wrong.data()).valid());
        graph.parents = right;
    });
}

}  // namespace wayfront::gpu
