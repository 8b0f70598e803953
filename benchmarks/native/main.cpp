// The native side of `weir bench`: a work, done by a plain loop and by the best one we can write,
// over the very GPV bytes that Weir's kernels read.
//
//   works TRACE WORK STATE GROUPS TH
//
// STATE is fresh (each pass has new tables) or warm (all passes fill the same ones: totals only).
// GROUPS tells the best loop how large its tables get; 0 lets it find out by a pass of the plain
// one. Reads commands, one a line, and answers each with a line:
//   plain, best              a pass: its nanoseconds of CPU time
//   check plain, check best  rows and hash of the answer: of a new pass when fresh, of all passes
//                            so far when warm
#include <time.h>

#include <cinttypes>
#include <iostream>

#include "works.hpp"

namespace {

using namespace weir;

const Work* const kWorks[] = {
    &kPassthrough,   &kTrafficCount,      &kPerSource, &kByTcpFlags, &kByBytes,
    &kHeavyHitter,   &kNewTcpConnections, &kSshBruteForce,
    &kSuperspreader, &kPortScan,          &kDdos,      &kSynFlood,   &kSlowloris,
    &kTcpNonMonotonic, &kTcpOutOfSequence, &kHeavyHitterPackets, &kCompletedFlows,
    &kSynFloodHandshakes,
};

const Work& find(const std::string& name) {
    for (const Work* work : kWorks) {
        if (name == work->name) {
            return *work;
        }
    }
    die("no work " + name);
}

// CPU time of this thread: what else runs on the core does not count.
int64_t cpu_ns() {
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * int64_t{1'000'000'000} + now.tv_nsec;
}

// One variant of the work, with its tables.
class Variant {
  public:
    Variant(Factory factory, const Trace& trace, const Options& options, bool is_warm)
        : factory_(factory), trace_(trace), options_(options), is_warm_(is_warm) {}

    int64_t pass() {
        if (!is_warm_) {
            run_.reset();
        }
        int64_t start_ns = cpu_ns();
        if (run_ == nullptr) {
            run_ = factory_(options_);
        }
        run_->pass(trace_, nullptr);
        return cpu_ns() - start_ns;
    }

    RowHash check() {
        RowHash rows;
        if (!is_warm_) {
            run_ = factory_(options_);
            run_->pass(trace_, &rows);
        }
        run_->totals(rows);
        return rows;
    }

  private:
    Factory factory_;
    const Trace& trace_;
    Options options_;
    bool is_warm_;
    std::unique_ptr<Run> run_;
};

size_t count_groups(const Work& work, const Trace& trace) {
    std::unique_ptr<Run> run = work.plain({0, 0});
    run->pass(trace, nullptr);
    return run->groups();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 6) {
        die("usage: works TRACE WORK fresh|warm GROUPS TH");
    }
    Trace trace(argv[1]);
    const Work& work = find(argv[2]);
    bool is_warm = std::string(argv[3]) == "warm";
    size_t groups = std::strtoull(argv[4], nullptr, 10);
    Options options{groups != 0 ? groups : count_groups(work, trace), std::atoll(argv[5])};
    Variant plain(work.plain, trace, options, is_warm);
    Variant best(work.best, trace, options, is_warm);
    std::string line;
    while (std::getline(std::cin, line)) {
        if (line == "plain" || line == "best") {
            std::printf("%" PRId64 "\n", (line == "plain" ? plain : best).pass());
        } else if (line == "check plain" || line == "check best") {
            RowHash rows = (line == "check plain" ? plain : best).check();
            std::printf("%" PRIu64 " %016" PRIx64 "\n", rows.rows(), rows.sum());
        } else {
            die("unknown command " + line);
        }
        std::fflush(stdout);
    }
    return 0;
}
