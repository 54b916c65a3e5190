// A matrix whose file is created with its first row, since many graphs may wait for their turn.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "algo/apsp/rows.hpp"
#include "job/job.hpp"
#include "session/output/matrix_file.hpp"

namespace wayfront::session {

class LazyMatrixFile final : public algo::RowConsumer
{
public:
    explicit LazyMatrixFile(std::function<std::unique_ptr<MatrixFile>()> open) : open_(std::move(open)) {}

    void consume(const algo::RowBatch& batch) override { file().consume(batch); }
    /// Gives the file its name.
    void commit(const job::Job& job)
    {
        file().commit(job);
        file_.reset();
    }

private:
    MatrixFile& file()
    {
        if (!file_) file_ = open_();
        return *file_;
    }

    std::function<std::unique_ptr<MatrixFile>()> open_;
    std::unique_ptr<MatrixFile> file_;
};

}  // namespace wayfront::session
