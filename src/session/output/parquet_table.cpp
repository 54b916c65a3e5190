#include "session/output/parquet_table.hpp"

#include <utility>

#include <arrow/api.h>
#include <arrow/io/interfaces.h>
#include <arrow/util/compression.h>
#include <parquet/arrow/writer.h>

#include "base/error.hpp"

namespace wayfront::session {

namespace {

constexpr std::int64_t kGroupRows = std::int64_t{1} << 17;

void require(const arrow::Status& status)
{
    if (!status.ok()) throw ResourceError("writing Parquet: " + status.message());
}

template <typename T>
T required(arrow::Result<T> result)
{
    require(result.status());
    return std::move(result).ValueUnsafe();
}

/// Keeps what is written until it is taken.
class Bytes final : public arrow::io::OutputStream
{
public:
    arrow::Status Write(const void* data, std::int64_t size) override
    {
        bytes_.append(static_cast<const char*>(data), static_cast<std::size_t>(size));
        written_ += size;
        return arrow::Status::OK();
    }
    arrow::Status Close() override
    {
        closed_ = true;
        return arrow::Status::OK();
    }
    [[nodiscard]] bool closed() const override { return closed_; }
    [[nodiscard]] arrow::Result<std::int64_t> Tell() const override { return written_; }

    [[nodiscard]] std::string take() { return std::exchange(bytes_, {}); }

private:
    std::string bytes_;
    std::int64_t written_ = 0;
    bool closed_ = false;
};

std::shared_ptr<arrow::DataType> type_of(const ParquetColumn& column, VertexNumbers numbers)
{
    if (column.type == ParquetType::real) return arrow::float64();
    const bool named = column.type == ParquetType::vertices && numbers.names() != nullptr;
    return named ? arrow::utf8() : arrow::int64();
}

std::shared_ptr<parquet::WriterProperties> properties()
{
    parquet::WriterProperties::Builder builder;
    builder.created_by("wayfront");
    if (arrow::util::Codec::IsAvailable(arrow::Compression::ZSTD)) builder.compression(arrow::Compression::ZSTD);
    return builder.build();
}

}  // namespace

class ParquetTable::State
{
public:
    State(const std::vector<ParquetColumn>& columns, VertexNumbers numbers)
        : numbers_(numbers), bytes_(std::make_shared<Bytes>())
    {
        std::vector<std::shared_ptr<arrow::Field>> fields;
        for (const ParquetColumn& column : columns) {
            fields.push_back(arrow::field(column.name, type_of(column, numbers)));
            builders_.push_back(required(arrow::MakeBuilder(fields.back()->type())));
        }
        schema_ = arrow::schema(std::move(fields));
        writer_ =
            required(parquet::arrow::FileWriter::Open(*schema_, arrow::default_memory_pool(), bytes_, properties()));
    }

    template <typename Builder>
    [[nodiscard]] Builder& column(std::size_t number) const
    {
        return static_cast<Builder&>(*builders_[number]);
    }
    [[nodiscard]] VertexNumbers numbers() const { return numbers_; }

    void write_group()
    {
        if (builders_.front()->length() == 0) return;
        std::vector<std::shared_ptr<arrow::Array>> arrays;
        arrays.reserve(builders_.size());
        for (const auto& builder : builders_) arrays.push_back(required(builder->Finish()));
        const auto table = arrow::Table::Make(schema_, arrays);
        require(writer_->WriteTable(*table, table->num_rows()));
    }
    [[nodiscard]] std::string end_row()
    {
        if (builders_.front()->length() < kGroupRows) return {};
        write_group();
        return bytes_->take();
    }
    [[nodiscard]] std::string finish()
    {
        write_group();
        require(writer_->Close());
        return bytes_->take();
    }

private:
    VertexNumbers numbers_;
    std::shared_ptr<Bytes> bytes_;
    std::shared_ptr<arrow::Schema> schema_;
    std::vector<std::unique_ptr<arrow::ArrayBuilder>> builders_;
    std::unique_ptr<parquet::arrow::FileWriter> writer_;
};

void require_parquet(const std::string& /*option*/, const std::string& /*path*/) {}

ParquetTable::ParquetTable(const std::vector<ParquetColumn>& columns, VertexNumbers numbers)
    : state_(std::make_unique<State>(columns, numbers))
{
}
ParquetTable::~ParquetTable() = default;

void ParquetTable::append_null(std::size_t column)
{
    require(state_->column<arrow::ArrayBuilder>(column).AppendNull());
}

void ParquetTable::append_whole(std::size_t column, std::int64_t value)
{
    require(state_->column<arrow::Int64Builder>(column).Append(value));
}

void ParquetTable::append_real(std::size_t column, double value)
{
    require(state_->column<arrow::DoubleBuilder>(column).Append(value));
}

void ParquetTable::append_vertex(std::size_t column, Vertex vertex)
{
    const VertexNumbers numbers = state_->numbers();
    if (vertex == kUnreached)
        append_null(column);
    else if (numbers.names() == nullptr)
        append_whole(column, numbers[vertex]);
    else
        require(
            state_->column<arrow::StringBuilder>(column).Append((*numbers.names())[static_cast<std::size_t>(vertex)]));
}

std::string ParquetTable::end_row()
{
    return state_->end_row();
}

std::string ParquetTable::finish()
{
    return state_->finish();
}

}  // namespace wayfront::session
