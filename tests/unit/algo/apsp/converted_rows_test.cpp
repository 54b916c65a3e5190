#include "algo/apsp/converted_rows.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "algo/apsp/converted_row.hpp"
#include "base/error.hpp"

namespace wayfront::algo {
namespace {

/// Makes the rows s + 0, s + 1, ... of each source s; the last vertex is not reached.
template <typename T>
class CountingRows final : public RowProducer
{
public:
    explicit CountingRows(std::size_t columns) : columns_(columns) {}
    [[nodiscard]] std::string description() const override { return "counting"; }
    [[nodiscard]] DistanceType type() const override { return distance_type_of<T>; }
    [[nodiscard]] std::size_t batch_rows() const override { return 3; }
    void launch(std::span<const Vertex> sources) override { sources_ = sources; }
    [[nodiscard]] RowBatch collect() override
    {
        rows_.clear();
        for (const Vertex source : sources_) {
            for (std::size_t v = 0; v + 1 < columns_; ++v)
                rows_.push_back(static_cast<T>(static_cast<std::size_t>(source) + v));
            rows_.push_back(unreached<T>());
        }
        RowBatch batch;
        batch.sources = sources_;
        batch.columns = columns_;
        batch.distances = std::span<const T>(rows_);
        return batch;
    }

private:
    std::size_t columns_;
    std::span<const Vertex> sources_;
    std::vector<T> rows_;
};

template <typename Out>
void check_wider_rows()
{
    const auto rows = with_distance_type(std::make_unique<CountingRows<std::uint16_t>>(4), distance_type_of<Out>);
    EXPECT_EQ(rows->type(), distance_type_of<Out>);
    EXPECT_EQ(rows->description(), "counting");
    for (const std::vector<Vertex>& sources : {std::vector<Vertex>{7}, std::vector<Vertex>{65000, 0, 12}}) {
        rows->launch(sources);
        const RowBatch batch = rows->collect();
        const std::span<const Out> found = std::get<std::span<const Out>>(batch.distances);
        std::vector<Out> expected;
        for (const Vertex source : sources) {
            for (int v = 0; v < 3; ++v) expected.push_back(static_cast<Out>(source + v));
            expected.push_back(unreached<Out>());
        }
        EXPECT_EQ(std::vector<Out>(found.begin(), found.end()), expected);
    }
}

TEST(ConvertedRows, AreTheSameInAWiderType)
{
    check_wider_rows<std::int32_t>();
    check_wider_rows<float>();
    check_wider_rows<double>();
}

TEST(ConvertedRows, NothingIsConvertedToTheSameType)
{
    auto made = std::make_unique<CountingRows<float>>(4);
    const RowProducer* const before = made.get();
    EXPECT_EQ(with_distance_type(std::move(made), DistanceType::float32).get(), before);
}

TEST(ConvertedRows, DistancesThatDoNotFitAreAnError)
{
    const auto rows = with_distance_type(std::make_unique<CountingRows<std::int32_t>>(4), DistanceType::uint16);
    const std::vector<Vertex> sources{65530, 65534};
    rows->launch(sources);
    EXPECT_THROW((void)rows->collect(), InputError);
}

template <typename Out, typename D>
double misfit_of(D distance, bool whole = true)
{
    std::vector<Out> out(2);
    const D far = unreached<D>();
    return convert_row(
        far, [&](std::size_t i) { return i == 0 ? far : distance; }, std::span(out), whole);
}

TEST(ConvertedRows, EachTypeHasItsLimits)
{
    EXPECT_EQ((misfit_of<std::int32_t>(-2147483646.0)), 0);
    EXPECT_EQ((misfit_of<std::int32_t>(-2147483647.0)), -2147483647.0);
    EXPECT_EQ((misfit_of<std::int32_t>(std::int64_t{1} << 40)), 0x1p40);
    EXPECT_EQ((misfit_of<std::uint16_t>(std::int32_t{65534})), 0);
    EXPECT_EQ((misfit_of<std::uint16_t>(std::int32_t{-1})), -1);
    EXPECT_EQ((misfit_of<float>(std::int32_t{1 << 24})), 0);
    EXPECT_EQ((misfit_of<float>(std::int32_t{(1 << 24) + 1})), (1 << 24) + 1);
    EXPECT_EQ((misfit_of<double>((std::int64_t{1} << 53) - 1)), 0);
    EXPECT_EQ((misfit_of<double>(std::int64_t{1} << 53)), 0x1p53);
    EXPECT_EQ((misfit_of<double>((std::int64_t{1} << 53) + 1)), 0x1p53);  // rounded for the message
    EXPECT_EQ((misfit_of<float>(3e38, false)), 0);
    EXPECT_EQ((misfit_of<float>(-4e38, false)), -4e38);
}

}  // namespace
}  // namespace wayfront::algo
