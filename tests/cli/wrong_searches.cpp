// `wayfront bfs` whose searches change one thing in each result before the command reads it. The
// variable WAYFRONT_WRONG names it:
//   nothing    the result is not changed
//   level      the level of the vertex 7 is 3
//   unreached  the level of the vertex 7 is -1
//   parent     the parent of the vertex 7 is the vertex 0
//   reached    one vertex more is reported as reached
//   record     the first level has one vertex more
//
// The levels and parents are changed where the search has stored them, as a faulty search would.

#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/commands/bfs_command.hpp"
#include "app/program.hpp"

namespace {

using namespace wayfront;
using namespace wayfront::app;

constexpr Vertex kChanged = 7;

class WrongSearch final : public session::HostGraphBfs
{
public:
    WrongSearch(const session::ConstructedGraph& constructed, std::unique_ptr<session::HostGraphBfs> right,
                std::string wrong)
        : session::HostGraphBfs(constructed),
          partition_(constructed.graph.partition),
          right_(std::move(right)),
          wrong_(std::move(wrong))
    {
    }

    [[nodiscard]] session::BfsFacts facts() const override { return right_->facts(); }
    [[nodiscard]] std::vector<bool> have_edges(std::span<const Vertex> vertices) const override
    {
        return right_->have_edges(vertices);
    }
    [[nodiscard]] std::uint64_t reached() const override { return right_->reached() + (wrong_ == "reached" ? 1 : 0); }
    [[nodiscard]] std::vector<algo::LevelRecord> level_records() override
    {
        std::vector<algo::LevelRecord> records = right_->level_records();
        if (wrong_ == "record") ++records.front().frontier.vertices;
        return records;
    }
    [[nodiscard]] std::span<const std::int32_t> levels() override { return right_->levels(); }
    [[nodiscard]] const VertexArray& parents() override { return right_->parents(); }
    void prepare_check(session::Check check) override { right_->prepare_check(check); }
    [[nodiscard]] graph500::BfsValidation check() override { return right_->check(); }

private:
    void search(Vertex key) override
    {
        right_->run(key);
        if (partition_.owner(kChanged) != world().rank()) return;
        const std::uint32_t local = partition_.local(kChanged);
        if (wrong_ == "level") level(local) = 3;
        if (wrong_ == "unreached") level(local) = -1;
        if (wrong_ == "parent")
            const_cast<VertexArray&>(right_->parents()).visit([&]<typename Id>(std::span<Id> own) { own[local] = 0; });
    }

    std::int32_t& level(std::uint32_t local) { return const_cast<std::int32_t&>(right_->levels()[local]); }

    const Partition& partition_;
    std::unique_ptr<session::HostGraphBfs> right_;
    std::string wrong_;
};

}  // namespace

int main(int argc, char** argv)
{
    const char* const wrong = std::getenv("WAYFRONT_WRONG");
    if (wrong == nullptr) return EXIT_FAILURE;
    std::vector<std::unique_ptr<Subcommand>> commands;
    commands.push_back(make_bfs_command([&](const session::ConstructedGraph& constructed, const plan::EnginePlan& plan,
                                            const algo::BfsOptions& options) -> std::unique_ptr<session::HostGraphBfs> {
        return std::make_unique<WrongSearch>(constructed, session::prepare_bfs(constructed, plan, options), wrong);
    }));
    return run_program(argc, argv, [&] { return std::move(commands); });
}
