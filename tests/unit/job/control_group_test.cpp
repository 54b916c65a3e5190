// The limits of control groups, read from a folder in place of the root.
#include "job/control_group.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

namespace wayfront::job {
namespace {

namespace fs = std::filesystem;

class ControlGroup : public testing::Test
{
protected:
    ControlGroup() : root_(fs::path(testing::TempDir()) / ("wayfront-control-group-" + std::to_string(::getpid())))
    {
        fs::create_directories(root_);
    }
    ~ControlGroup() override
    {
        std::error_code ignored;
        fs::remove_all(root_, ignored);
    }

    void file(const std::string& name, const std::string& text) const
    {
        fs::create_directories((root_ / name).parent_path());
        std::ofstream(root_ / name) << text;
    }
    void memory(const std::string& group, const std::string& limit, const std::string& used) const
    {
        file("sys/fs/cgroup" + group + "/memory.max", limit + '\n');
        file("sys/fs/cgroup" + group + "/memory.current", used + '\n');
    }

    fs::path root_;
};

TEST_F(ControlGroup, NoneIsNoLimit)
{
    EXPECT_FALSE(control_group_bytes(root_));
    EXPECT_FALSE(control_group_cores(root_));
    file("proc/self/cgroup", "0::/\n");
    EXPECT_FALSE(control_group_bytes(root_));
    EXPECT_FALSE(control_group_cores(root_));
}

TEST_F(ControlGroup, TheLeastOfAllAboveCounts)
{
    file("proc/self/cgroup", "0::/job/step/task\n");
    memory("/job/step/task", "max", "5");
    memory("/job/step", "1000", "100");
    memory("/job", "5000", "4500");
    EXPECT_EQ(control_group_bytes(root_), 500);
    file("sys/fs/cgroup/job/memory.stat", "anon 4000\ninactive_file 300\n");
    EXPECT_EQ(control_group_bytes(root_), 800);

    file("sys/fs/cgroup/job/step/task/cpu.max", "max 100000\n");
    file("sys/fs/cgroup/job/step/cpu.max", "800000 100000\n");
    file("sys/fs/cgroup/job/cpu.max", "350000 100000\n");
    EXPECT_EQ(control_group_cores(root_), 3.5);
    file("sys/fs/cgroup/job/cpu.max", "50000 100000\n");
    EXPECT_EQ(control_group_cores(root_), 1) << "one core at least";
}

TEST_F(ControlGroup, PathsOfTheHostLeadToTheContainersOwnGroup)
{
    memory("", "2000", "500");
    for (const char* const path : {"0::/system/container-7\n", "0::/../other\n", "0::/\n", ""}) {
        file("proc/self/cgroup", path);
        EXPECT_EQ(control_group_bytes(root_), 1500) << path;
    }
}

TEST_F(ControlGroup, VersionOne)
{
    file("proc/self/cgroup", "9:cpu,cpuacct:/batch\n4:memory:/batch/job\n2:cpuset:/elsewhere\n0::/\n");
    file("sys/fs/cgroup/memory/batch/job/memory.limit_in_bytes", "9223372036854771712\n");
    file("sys/fs/cgroup/memory/batch/job/memory.usage_in_bytes", "10\n");
    file("sys/fs/cgroup/memory/batch/memory.limit_in_bytes", "1000\n");
    file("sys/fs/cgroup/memory/batch/memory.usage_in_bytes", "700\n");
    file("sys/fs/cgroup/memory/batch/memory.stat", "total_inactive_file 50\n");
    EXPECT_EQ(control_group_bytes(root_), 350);
    file("sys/fs/cgroup/cpu/batch/cpu.cfs_period_us", "100000\n");
    file("sys/fs/cgroup/cpu/batch/cpu.cfs_quota_us", "-1\n");
    EXPECT_FALSE(control_group_cores(root_));
    file("sys/fs/cgroup/cpu/batch/cpu.cfs_quota_us", "200000\n");
    EXPECT_EQ(control_group_cores(root_), 2);
}

}  // namespace
}  // namespace wayfront::job
