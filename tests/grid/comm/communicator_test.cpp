// Each operation of a communicator, compared with a result that was worked out by hand.
#include "comm/communicator.hpp"

#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/host_buffer.hpp"
#include "support/shapes.hpp"

namespace wayfront::comm {
namespace {

using CommunicatorTest = GridTest;

struct Triple  // 12 bytes, like the edges that construction sends
{
    std::uint32_t a, b, c;
    friend bool operator==(const Triple&, const Triple&) = default;
};

std::size_t at(int rank)
{
    return static_cast<std::size_t>(rank);
}

TEST_F(CommunicatorTest, SelfIsThisRankAlone)
{
    const Communicator self = Communicator::self();
    EXPECT_EQ(self.rank(), 0);
    EXPECT_EQ(self.size(), 1);
    EXPECT_EQ(self.all_reduce<std::int64_t>(rank, Reduction::sum), rank);
}

TEST_F(CommunicatorTest, SplitOrdersByKey)
{
    const int colour = rank % 2;
    const Communicator half = world.split(colour, -rank);  // the last rank first
    const int members = (ranks + (colour == 0 ? 1 : 0)) / 2;
    EXPECT_EQ(half.size(), members);
    const std::vector<int> order = half.all_gather(rank);
    for (int k = 0; k < members; ++k) EXPECT_EQ(order[at(k)], colour + 2 * (members - 1 - k));
    EXPECT_EQ(order[at(half.rank())], rank);
}

TEST_F(CommunicatorTest, SplitByHostHoldsAllRanksOfThisMachine)
{
    const Communicator host = world.split_by_host();
    EXPECT_EQ(host.size(), ranks);
    EXPECT_EQ(host.rank(), rank);
}

TEST_F(CommunicatorTest, ASilentThreadSendsNoMessages)
{
    const Communicator copy = world.split(0, rank);
    const Communicator self = Communicator::self();
    std::vector<std::int64_t> values{1};
    {
        const Silence silence(world);
        EXPECT_EQ(self.all_reduce<std::int64_t>(3, Reduction::sum), 3);  // sends nothing
        if (ranks > 1) {
            EXPECT_THROW(world.barrier(), std::logic_error);
            EXPECT_THROW(copy.all_reduce(std::span<std::int64_t>(values), Reduction::sum), std::logic_error);
            EXPECT_THROW(static_cast<void>(copy.split(0, rank)), std::logic_error);
            EXPECT_THROW(static_cast<void>(copy.start_broadcast(std::as_writable_bytes(std::span(values)), 0)),
                         std::logic_error);
            EXPECT_THROW(copy.send(std::span<const std::int64_t>(values), 0, 0), std::logic_error);
            const Silence within(copy);
        }
        if (ranks > 1) {
            EXPECT_THROW(world.barrier(), std::logic_error);
        }
        std::thread([&] { EXPECT_EQ(world.all_reduce<std::int64_t>(1, Reduction::sum), ranks); }).join();
    }
    EXPECT_EQ(copy.all_reduce<std::int64_t>(1, Reduction::sum), ranks);
}

TEST_F(CommunicatorTest, AMovedCommunicatorGoesOn)
{
    Communicator first = world.split(0, rank);
    Communicator second(std::move(first));
    EXPECT_EQ(second.all_reduce<std::int64_t>(1, Reduction::sum), ranks);
    Communicator third = Communicator::self();
    third = std::move(second);
    EXPECT_EQ(third.size(), ranks);
    EXPECT_EQ(third.all_reduce<std::int64_t>(1, Reduction::sum), ranks);
}

template <typename T>
void check_reductions(const Communicator& world, T base)
{
    const auto rank = static_cast<T>(world.rank());
    const auto ranks = static_cast<T>(world.size());
    const std::vector<T> own{static_cast<T>(base + rank), static_cast<T>(base - rank), base};
    std::vector<T> values = own;
    world.all_reduce(std::span<T>(values), Reduction::sum);
    const T triangle = static_cast<T>(ranks * (ranks - 1) / 2);
    EXPECT_EQ(values, (std::vector<T>{static_cast<T>(ranks * base + triangle), static_cast<T>(ranks * base - triangle),
                                      static_cast<T>(ranks * base)}));
    values = own;
    world.all_reduce(std::span<T>(values), Reduction::min);
    EXPECT_EQ(values, (std::vector<T>{base, static_cast<T>(base - (ranks - 1)), base}));
    values = own;
    world.all_reduce(std::span<T>(values), Reduction::max);
    EXPECT_EQ(values, (std::vector<T>{static_cast<T>(base + ranks - 1), base, base}));
    EXPECT_EQ(world.all_reduce(rank, Reduction::max), ranks - 1);
    world.all_reduce(std::span<T>(), Reduction::sum);
}

TEST_F(CommunicatorTest, AllReduce)
{
    check_reductions<std::int64_t>(world, -(std::int64_t{1} << 40));
    check_reductions<std::uint64_t>(world, std::uint64_t{1} << 60);
    check_reductions<std::uint32_t>(world, std::uint32_t{1} << 28);
    check_reductions<double>(world, 0.5);
}

TEST_F(CommunicatorTest, UnsignedReductionsCompareUnsigned)
{
    const std::uint64_t large = (std::uint64_t{1} << 63) + static_cast<std::uint64_t>(rank);
    EXPECT_EQ(world.all_reduce(rank == 0 ? std::uint64_t{1} : large, Reduction::min), 1U);
    EXPECT_EQ(world.all_reduce(rank == 0 ? std::uint32_t{0x80000000U} : std::uint32_t{5}, Reduction::max), 0x80000000U);
}

TEST_F(CommunicatorTest, AllAndAny)
{
    EXPECT_TRUE(world.all(true));
    EXPECT_FALSE(world.all(false));
    EXPECT_EQ(world.all(rank == 0), ranks == 1);
    EXPECT_TRUE(world.any(rank == ranks - 1));
    EXPECT_FALSE(world.any(false));
}

TEST_F(CommunicatorTest, ReduceReachesTheRootAlone)
{
    for (int root = 0; root < ranks; ++root) {
        std::vector<std::int64_t> values{rank, -rank, 7};
        world.reduce(values, Reduction::min, root);
        if (rank == root)
            EXPECT_EQ(values, (std::vector<std::int64_t>{0, -(ranks - 1), 7})) << "root " << root;
        else
            EXPECT_EQ(values, (std::vector<std::int64_t>{rank, -rank, 7})) << "root " << root;
    }
    world.reduce({}, Reduction::sum, 0);
}

TEST_F(CommunicatorTest, ExclusiveSum)
{
    EXPECT_EQ(world.exclusive_sum(rank + 1), std::int64_t{rank} * (rank + 1) / 2);
    EXPECT_EQ(world.exclusive_sum(std::int64_t{1} << 40), rank * (std::int64_t{1} << 40));
}

TEST_F(CommunicatorTest, BroadcastFromEachRank)
{
    for (int root = 0; root < ranks; ++root) {
        std::vector<Triple> values(3, Triple{0, 0, 0});
        if (rank == root) values = {{1, 2, 3}, {static_cast<std::uint32_t>(root), 5, 6}, {7, 8, 9}};
        world.broadcast(std::span<Triple>(values), root);
        EXPECT_EQ(values, (std::vector<Triple>{{1, 2, 3}, {static_cast<std::uint32_t>(root), 5, 6}, {7, 8, 9}}));
        const std::string text =
            "rank " + std::to_string(root) + std::string(1, '\0') + std::string(at(root) * 1000, 'x');
        EXPECT_EQ(world.broadcast(rank == root ? text : std::string("something else"), root), text);
        EXPECT_EQ(world.broadcast(rank == root ? std::string() : std::string("something else"), root), "");
    }
}

TEST_F(CommunicatorTest, AllGatherIsInTheOrderOfRanks)
{
    const std::vector<Triple> own{{static_cast<std::uint32_t>(rank), 1, 2}, {3, static_cast<std::uint32_t>(rank), 4}};
    std::vector<Triple> all(2 * at(ranks));
    world.all_gather(std::span<const Triple>(own), std::span<Triple>(all));
    for (std::uint32_t k = 0; k < at(ranks); ++k) {
        EXPECT_EQ(all[2 * std::size_t{k}], (Triple{k, 1, 2}));
        EXPECT_EQ(all[2 * std::size_t{k} + 1], (Triple{3, k, 4}));
    }
    const std::vector<double> values = world.all_gather(0.5 * rank);
    for (int k = 0; k < ranks; ++k) EXPECT_EQ(values[at(k)], 0.5 * k);
    world.all_gather(std::span<const int>(), std::span<int>());
}

TEST_F(CommunicatorTest, AllGatherOfSharesOfDifferentSizes)
{
    std::vector<std::size_t> counts(at(ranks));
    for (std::size_t k = 0; k < counts.size(); ++k) counts[k] = (k * 3 + 1) % 4;  // 1, 0, 3, 2, ...
    std::vector<Triple> own(counts[at(rank)]);
    for (std::uint32_t i = 0; i < own.size(); ++i) own[i] = {static_cast<std::uint32_t>(rank), i, 99};
    std::vector<Triple> all(std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
    world.all_gather_v(std::span<const Triple>(own), counts, std::span<Triple>(all));
    std::size_t position = 0;
    for (std::uint32_t k = 0; k < counts.size(); ++k)
        for (std::uint32_t i = 0; i < counts[k]; ++i) EXPECT_EQ(all[position++], (Triple{k, i, 99}));
    const std::vector<std::size_t> nothing(at(ranks), 0);
    world.all_gather_v(std::span<const Triple>(), nothing, std::span<Triple>());
}

/// Byte i of the message from rank `from` to rank `to`.
std::byte byte_of(int from, int to, std::size_t i)
{
    return static_cast<std::byte>(i * 5 + at(from) * 97 + at(to) * 31 + 1);
}

TEST_F(CommunicatorTest, AllGatherInPlace)
{
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{4099}}) {
        std::vector<std::byte> parts(at(ranks) * bytes);
        for (std::size_t i = 0; i < bytes; ++i) parts[at(rank) * bytes + i] = byte_of(rank, 0, i);
        world.all_gather_in_place(parts);
        for (int k = 0; k < ranks; ++k)
            for (std::size_t i = 0; i < bytes; ++i)
                ASSERT_EQ(parts[at(k) * bytes + i], byte_of(k, 0, i)) << "byte " << i << " of rank " << k;
    }
}

TEST_F(CommunicatorTest, AllToAll)
{
    std::vector<std::int64_t> send(at(ranks));
    for (int k = 0; k < ranks; ++k) send[at(k)] = 100 * rank + k;
    const std::vector<std::int64_t> received = world.all_to_all(send);
    for (int k = 0; k < ranks; ++k) EXPECT_EQ(received[at(k)], 100 * k + rank);
}

/// The number of elements that rank `from` sends to rank `to`; all numbers from 0 on occur.
std::int64_t sent(int from, int to)
{
    return (from * 5 + to * 3) % 4;
}

TEST_F(CommunicatorTest, AllToAllOfSharesOfDifferentSizes)
{
    std::vector<std::int64_t> counts(at(ranks));
    std::vector<Triple> send;
    std::vector<std::int64_t> wanted_counts(at(ranks));
    std::vector<Triple> wanted;
    for (int k = 0; k < ranks; ++k) {
        counts[at(k)] = sent(rank, k);
        wanted_counts[at(k)] = sent(k, rank);
        for (std::uint32_t i = 0; i < sent(rank, k); ++i)
            send.push_back({static_cast<std::uint32_t>(rank), static_cast<std::uint32_t>(k), i});
        for (std::uint32_t i = 0; i < sent(k, rank); ++i)
            wanted.push_back({static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(rank), i});
    }
    EXPECT_EQ(world.all_to_all(counts), wanted_counts);

    std::vector<Triple> ready(wanted.size());
    world.all_to_all_v(std::span<const Triple>(send), counts, std::span<Triple>(ready),
                       std::span<const std::int64_t>(wanted_counts));
    EXPECT_EQ(ready, wanted);

    const std::vector<std::int64_t> nothing(at(ranks), 0);
    world.all_to_all_v(std::span<const Triple>(), nothing, std::span<Triple>(), std::span<const std::int64_t>(nothing));
}

TEST_F(CommunicatorTest, PiecesInMessagesOfAnySize)
{
    for (const std::int64_t unit : {0, 1, 700})
        for (const std::size_t message_bytes : {std::size_t{1}, std::size_t{64}, std::size_t{700}, kMaxMessageBytes}) {
            std::vector<std::int64_t> send_bytes;
            std::vector<std::int64_t> receive_bytes;
            std::vector<std::byte> send;
            std::vector<std::byte> wanted;
            for (int k = 0; k < ranks; ++k) {
                send_bytes.push_back(unit * sent(rank, k));
                receive_bytes.push_back(unit * sent(k, rank));
                for (std::size_t i = 0; i < static_cast<std::size_t>(send_bytes.back()); ++i)
                    send.push_back(byte_of(rank, k, i));
                for (std::size_t i = 0; i < static_cast<std::size_t>(receive_bytes.back()); ++i)
                    wanted.push_back(byte_of(k, rank, i));
            }
            std::vector<std::byte> received(wanted.size());
            world.exchange_pieces(send, send_bytes, received, receive_bytes, message_bytes);
            EXPECT_EQ(received, wanted) << unit << " bytes, in messages of " << message_bytes;
        }
}

TEST_F(CommunicatorTest, PartsOfPiecesWhoseLengthsTheReceiverDoesNotKnow)
{
    constexpr std::byte untouched{0xA5};
    for (const std::int64_t unit : {0, 1, 700}) {
        std::size_t piece = 1;
        for (int from = 0; from < ranks; ++from)
            for (int to = 0; to < ranks; ++to)
                piece = std::max(piece, static_cast<std::size_t>(unit * sent(from, to)) + 3);
        std::vector<std::int64_t> send_bytes;
        std::vector<std::byte> send(at(ranks) * piece);
        std::vector<std::byte> wanted(send.size(), untouched);
        for (int k = 0; k < ranks; ++k) {
            send_bytes.push_back(unit * sent(rank, k));
            for (std::size_t i = 0; i < static_cast<std::size_t>(send_bytes.back()); ++i)
                send[at(k) * piece + i] = byte_of(rank, k, i);
            for (std::size_t i = 0; i < static_cast<std::size_t>(unit * sent(k, rank)); ++i)
                wanted[at(k) * piece + i] = byte_of(k, rank, i);
        }
        std::vector<std::byte> received(send.size(), untouched);
        world.exchange_parts_of_pieces(send, send_bytes, received);
        EXPECT_EQ(received, wanted) << unit;
    }
}

/// Element i of the message from rank `from` to rank `to`.
std::uint64_t word_of(int from, int to, std::size_t i)
{
    return (at(from) * 100 + at(to)) * 1000000000 + i;
}

constexpr std::uint64_t kUntouched = 77;

TEST_F(CommunicatorTest, PiecesGatheredWhileOthersAreUnderWay)
{
    for (const std::size_t part : {std::size_t{7}, std::size_t{1} << 17}) {
        std::vector<std::uint64_t> own(part);
        for (std::size_t i = 0; i < part; ++i) own[i] = word_of(rank, 0, i);
        std::vector<std::uint64_t> all(at(ranks) * part, kUntouched);
        const std::size_t border = part / 2;
        {
            Pending first = world.start_all_gather(std::span<const std::uint64_t>(own), std::span(all), {1, border});
            Pending second =
                world.start_all_gather(std::span<const std::uint64_t>(own), std::span(all), {border, part});
            while (!second.done()) {
            }
            EXPECT_TRUE(second.done());
            Pending moved = std::move(first);
            moved.wait();
            moved.wait();
        }
        for (int k = 0; k < ranks; ++k)
            for (std::size_t i = 0; i < part; ++i)
                ASSERT_EQ(all[at(k) * part + i], i == 0 ? kUntouched : word_of(k, 0, i)) << i << " of rank " << k;
    }
}

TEST_F(CommunicatorTest, PiecesExchangedByAllWithAll)
{
    for (const std::size_t part : {std::size_t{7}, std::size_t{1} << 15}) {
        std::vector<std::uint64_t> send(at(ranks) * part);
        for (int k = 0; k < ranks; ++k)
            for (std::size_t i = 0; i < part; ++i) send[at(k) * part + i] = word_of(rank, k, i);
        std::vector<std::uint64_t> received(send.size(), kUntouched);
        const IndexRange piece{2, part - 1};
        Pending exchange =
            world.start_all_to_all(std::span<const std::uint64_t>(send), std::span(received), part, piece);
        // Other messages are under way at the same time.
        EXPECT_EQ(world.all_reduce<std::int64_t>(1, Reduction::sum), ranks);
        // Waits until the exchange has ended.
        exchange = {};
        for (int k = 0; k < ranks; ++k)
            for (std::size_t i = 0; i < part; ++i)
                ASSERT_EQ(received[at(k) * part + i],
                          i < piece.first || i >= piece.last ? kUntouched : word_of(k, rank, i))
                    << i << " of rank " << k;
    }
}

TEST_F(CommunicatorTest, StartedBroadcasts)
{
    constexpr std::size_t count = 100'000;
    for (int root = 0; root < ranks; ++root) {
        std::vector<std::uint64_t> first(count, rank == root ? 7 : 0);
        std::vector<std::uint64_t> second(1, rank == root ? 9 : 0);
        Pending one = world.start_broadcast(std::as_writable_bytes(std::span(first)), root);
        Pending other = world.start_broadcast(std::as_writable_bytes(std::span(second)), root);
        while (!other.done()) {
        }
        one.wait();
        EXPECT_EQ(first, std::vector<std::uint64_t>(count, 7));
        EXPECT_EQ(second.front(), 9U);
    }
    Pending nothing = world.start_broadcast({}, 0);
    nothing.wait();
}

TEST_F(CommunicatorTest, NothingIsPendingBeforeItStarts)
{
    Pending nothing;
    EXPECT_TRUE(nothing.done());
    nothing.wait();
}

TEST_F(CommunicatorTest, MessagesArriveByTag)
{
    if (rank > 0) {
        const std::vector<Triple> values(at(rank), Triple{static_cast<std::uint32_t>(rank), 1, 2});
        world.send(std::span<const Triple>(values), 0, 7);
        world.send(std::span<const int>(), 0, 8);
        return;
    }
    for (int from = 1; from < ranks; ++from) {
        std::vector<Triple> values(at(from));
        world.receive(std::span<Triple>(values), from, 7);
        EXPECT_EQ(values, std::vector<Triple>(at(from), Triple{static_cast<std::uint32_t>(from), 1, 2}));
        world.receive(std::span<int>(), from, 8);
    }
}

TEST_F(CommunicatorTest, BarriersOfOneRankOrMany)
{
    world.barrier();
    Communicator::self().barrier();
}

/// Messages of more than the 2^30 bytes of a piece, and of more than 2^31 elements. They need 12
/// GB, so that the test runs only on request.
TEST_F(CommunicatorTest, MessagesPastThirtyTwoBits)
{
    if (std::getenv("WAYFRONT_LARGE_TESTS") == nullptr || ranks != 2)
        GTEST_SKIP() << "runs with 2 ranks and WAYFRONT_LARGE_TESTS=1";
    const std::size_t piece = std::size_t{1} << 30;
    {
        HostBuffer<std::uint8_t> bytes(2 * piece + 5, rank == 1 ? 0xAB : 0);
        world.broadcast(bytes.span(), 1);
        EXPECT_EQ(std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0}), 0xABU * bytes.size());
    }
    {
        HostBuffer<std::uint8_t> bytes(piece + 9, static_cast<std::uint8_t>(rank + 1));
        HostBuffer<std::uint8_t> all(2 * bytes.size(), 0);
        const std::vector<std::size_t> counts(2, bytes.size());  // together more than 2^31
        world.all_gather_v(std::span<const std::uint8_t>(bytes.span()), counts, all.span());
        EXPECT_EQ(std::accumulate(all.begin(), all.end(), std::uint64_t{0}), 3 * bytes.size());
        std::ranges::fill(all, 0);
        world.all_gather(std::span<const std::uint8_t>(bytes.span()), all.span());
        EXPECT_EQ(std::accumulate(all.begin(), all.end(), std::uint64_t{0}), 3 * bytes.size());
        std::ranges::fill(all.span().subspan(at(1 - rank) * bytes.size(), bytes.size()), 0);
        world.all_gather_in_place(std::as_writable_bytes(all.span()));
        EXPECT_EQ(std::accumulate(all.begin(), all.end(), std::uint64_t{0}), 3 * bytes.size());
        std::vector<std::int64_t> to_the_other(2, 0);
        to_the_other[at(1 - rank)] = static_cast<std::int64_t>(all.size());
        HostBuffer<std::uint8_t> from_the_other(all.size(), 0);
        world.exchange_pieces(std::as_bytes(all.span()), to_the_other, std::as_writable_bytes(from_the_other.span()),
                              to_the_other);
        EXPECT_EQ(std::accumulate(from_the_other.begin(), from_the_other.end(), std::uint64_t{0}), 3 * bytes.size());
        if (rank == 0)
            world.send(std::span<const std::uint8_t>(bytes.span()), 1, 3);
        else
            world.receive(bytes.span(), 0, 3);
        EXPECT_EQ(bytes[bytes.size() - 1], 1);
    }
    {
        HostBuffer<std::int64_t> values(piece / 8 + 3, rank + 1);
        world.all_reduce(values.span(), Reduction::sum);
        EXPECT_EQ(std::accumulate(values.begin(), values.end(), std::int64_t{0}),
                  3 * static_cast<std::int64_t>(values.size()));
        world.reduce(values.span(), Reduction::max, 1);
        EXPECT_EQ(values[values.size() - 1], 3);
    }
    {
        // Elements of 12 bytes, more than 2 GiB per rank.
        HostBuffer<Triple> send(std::size_t{180} << 20, Triple{1, 2, static_cast<std::uint32_t>(rank)});
        const auto half = static_cast<std::int64_t>(send.size() / 2);
        const std::vector<std::int64_t> counts{half, half};
        HostBuffer<Triple> received(send.size(), Triple{0, 0, 0});
        world.all_to_all_v(std::span<const Triple>(send.span()), counts, received.span(),
                           std::span<const std::int64_t>(counts));
        EXPECT_EQ(received[0], (Triple{1, 2, 0}));
        EXPECT_EQ(received[received.size() - 1], (Triple{1, 2, 1}));
    }
}

}  // namespace
}  // namespace wayfront::comm
