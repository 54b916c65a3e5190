// Takes the place of parquet_table.cpp in builds without Apache Arrow's library.
#include "base/error.hpp"
#include "session/output/parquet_table.hpp"

namespace wayfront::session {

class ParquetTable::State
{
};

void require_parquet(const std::string& option, const std::string& path)
{
    throw InputError(option + ": " + path +
                     ": this build does not write Parquet; install Apache Arrow's C++ library with Parquet and build "
                     "again, or write .csv");
}

ParquetTable::ParquetTable(const std::vector<ParquetColumn>& /*columns*/, VertexNumbers /*numbers*/)
{
    require_parquet("output", "a table");
}
ParquetTable::~ParquetTable() = default;

// No table can be made.
void ParquetTable::append_null(std::size_t /*column*/) {}
void ParquetTable::append_whole(std::size_t /*column*/, std::int64_t /*value*/) {}
void ParquetTable::append_real(std::size_t /*column*/, double /*value*/) {}
void ParquetTable::append_vertex(std::size_t /*column*/, Vertex /*vertex*/) {}
std::string ParquetTable::end_row()
{
    return {};
}
std::string ParquetTable::finish()
{
    return {};
}

}  // namespace wayfront::session
