// How fast a graph file is read, in units of `wc -l` on the same file.
//
//     read_speed FILE [RUNS [THREADS]]      measures; JSON on standard output
//     read_speed --make FILE GIGABYTES      writes a plain edge list of about that size to measure on: `source target`, 6 to 8 digits each
//
// `wc -l` and the reader run by turns, so that both meet the machine in the same moods; the first run of each warms the page cache and is dropped.
// wc's time is that of the process, from its start to its end; the reader's that of read_graph(), from the path to the edge list in memory.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <omp.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.hpp"
#include "graph/io/graph_file.hpp"

namespace {

constexpr std::size_t kChunkBytes = 1000000;

double seconds_now()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double time_wc(const std::string& path)
{
    std::string program = "wc";
    std::string option = "-l";
    std::string file = path;
    char* arguments[] = {program.data(), option.data(), file.data(), nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    const double start = seconds_now();
    pid_t child = 0;
    int status = -1;
    if (posix_spawnp(&child, "wc", &actions, nullptr, arguments, environ) != 0 || ::waitpid(child, &status, 0) != child || status != 0)
        throw wayfront::ResourceError("wc -l " + path + " failed");
    const double seconds = seconds_now() - start;
    posix_spawn_file_actions_destroy(&actions);
    return seconds;
}

struct Summary
{
    double median;
    double least;
    double most;
};

Summary summarise(std::vector<double> seconds)
{
    std::ranges::sort(seconds);
    const std::size_t half = seconds.size() / 2;
    return {seconds.size() % 2 == 1 ? seconds[half] : (seconds[half - 1] + seconds[half]) / 2, seconds.front(), seconds.back()};
}

nlohmann::ordered_json json(const Summary& summary)
{
    return {{"median_seconds", summary.median}, {"min_seconds", summary.least}, {"max_seconds", summary.most}};
}

void make(const std::string& path, double gigabytes)
{
    std::ofstream file(path, std::ios::binary);
    std::mt19937_64 random(1);
    std::string chunk;
    const auto number = [&](char end) {
        // First the length, then the number: each of 6, 7 and 8 digits as often as the others.
        const std::uint64_t least = std::uint64_t{100000} * (random() % 3 == 0 ? 1 : random() % 2 == 0 ? 10 : 100);
        char digits[24];
        char* const stop = std::to_chars(digits, digits + sizeof digits, least + random() % (9 * least)).ptr;
        chunk.append(digits, stop).push_back(end);
    };
    const auto wanted_bytes = static_cast<std::uint64_t>(gigabytes * 1e9);
    for (std::uint64_t written = 0; written < wanted_bytes; written += chunk.size()) {
        chunk.clear();
        while (chunk.size() < kChunkBytes) {
            number(' ');
            number('\n');
        }
        file << chunk;
    }
    if (!file.flush()) throw wayfront::ResourceError(path + ": cannot be written");
}

void measure(const std::string& path, int runs, int threads)
{
    std::vector<double> wc_seconds;
    std::vector<double> read_seconds;
    std::size_t edges = 0;
    for (int run = 0; run <= runs; ++run) {
        const double wc = time_wc(path);
        const double start = seconds_now();
        const wayfront::GraphShare graph = wayfront::read_graph(path, {}, threads);
        const double read = seconds_now() - start;
        edges = graph.list.edges.size();
        if (run == 0) continue;
        wc_seconds.push_back(wc);
        read_seconds.push_back(read);
    }
    const Summary wc = summarise(wc_seconds);
    const Summary read = summarise(read_seconds);
    const auto bytes = std::filesystem::file_size(path);
    const nlohmann::ordered_json result = {{"file", path},
                                           {"bytes", bytes},
                                           {"edges", edges},
                                           {"threads", threads > 0 ? threads : omp_get_max_threads()},
                                           {"runs", runs},
                                           {"wc", json(wc)},
                                           {"read", json(read)},
                                           {"read_bytes_per_second", static_cast<double>(bytes) / read.median},
                                           {"read_over_wc", read.median / wc.median}};
    std::cout << result.dump(2) << '\n';
}

}  // namespace

int main(int argc, char** argv)
{
    const std::vector<std::string> words(argv + 1, argv + argc);
    try {
        if (words.size() == 3 && words[0] == "--make") {
            make(words[1], std::stod(words[2]));
        } else if (!words.empty() && words.size() <= 3 && !words[0].starts_with("--")) {
            measure(words[0], words.size() > 1 ? std::stoi(words[1]) : 11, words.size() > 2 ? std::stoi(words[2]) : 0);
        } else {
            std::cerr << "usage: read_speed FILE [RUNS [THREADS]] | read_speed --make FILE GIGABYTES\n";
            return static_cast<int>(wayfront::ExitCode::bad_input);
        }
    } catch (const wayfront::Error& error) {
        std::cerr << "read_speed: " << error.what() << '\n';
        return static_cast<int>(error.code());
    } catch (const std::exception& error) {
        std::cerr << "read_speed: " << error.what() << '\n';
        return static_cast<int>(wayfront::ExitCode::bad_input);
    }
    return 0;
}
