// Runs a command line that nobody trusts: what it may see and use is listed, everything else is refused, nothing
// survives.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sandbox/fd.h"

namespace cudalabs::sandbox {

/// How strongly this machine can isolate a process, strongest first: docs/SECURITY.md, A to D.
enum class Tier : std::uint8_t {
  bubblewrap,  // A: all namespaces unshared by bubblewrap, seccomp, no capability; an own uid when the grader is root
  own_user,    // B: the grader is root where namespaces are refused: an own uid, seccomp, Landlock where the kernel has
               // it
  landlock,    // C: not root, namespaces refused: Landlock and seccomp under the same uid
  none         // D: rlimits and seccomp only
};

struct TierReport {
  Tier tier = Tier::none;
  std::string name;    // "A (bubblewrap, own user, seccomp, memory and process groups)"
  std::string reason;  // why not a stronger tier; empty for A
};

/// The strongest tier that a test run on this machine got through; found once a process.
const TierReport& probe();

/// What this process allows itself; set once, before the first job.
struct Policy {
  bool allow_unsafe = false;    // run in tier D instead of refusing
  std::optional<Tier> at_most;  // a weaker tier than the machine offers, to try the others; none: the strongest
};
void set_policy(const Policy& policy);

/// Exactly this tier, or why this machine cannot give it: empty when the jobs of this process now run in it. D has to
/// be asked for by name, which allows it.
std::string choose_tier(Tier tier);

/// The tier that jobs run in, as the policy stands.
TierReport tier_report();

/// What a job may use. Every job has every limit.
struct Limits {
  double cpu_seconds = 10;  // of one process; rounded up to whole seconds, as the kernel counts them
  double wall_seconds = 30;
  std::uint64_t memory_bytes = 1ull << 30;
  std::uint64_t output_bytes = 1ull << 20;  // stdout and stderr together
  std::uint64_t file_bytes = 64ull << 20;   // largest file it may write, and the size of its scratch folder
  std::uint64_t processes = 32;             // processes and threads at a time
  std::uint64_t open_files = 64;
};

/// A file the job finds at `path`, relative to its root folder, read-only. The bytes are copied in: the job never sees
/// the original, nor the folder that holds it. A large program of our own, no student's, may name its `original`: where
/// bubblewrap can, that is mounted instead of copied (the virtual GPU, 5.6 MB: 16 ms a start instead of 30).
struct JobFile {
  std::string path;
  Fd bytes;  // regular file or memory file, read from its start
  bool executable = false;
  std::filesystem::path original = {};
};

/// A folder or device of the machine the job may see at the same path.
struct Visible {
  std::filesystem::path path;
  bool device = false;  // a device node, opened for use; else read-only
};

struct PassedFd {
  int number = 3;  // in the job, 3 or more
  Fd descriptor;
};

/// A command line and all it may see. Its root is a fresh folder, its current folder when it starts; it may write in
/// `tmp/` there (and $TMPDIR names it), and nowhere else.
struct Job {
  std::vector<std::string> arguments;  // [0]: an absolute path, or one relative to the job's root
  std::vector<std::pair<std::string, std::string>> environment;  // nothing is inherited
  std::vector<JobFile> files;
  std::vector<Visible> visible;
  std::vector<PassedFd> descriptors;  // 0 is empty, 1 and 2 are captured, others do not exist
  bool system_files = false;          // /usr, /lib…, /bin and the linker's cache: compilers need them
  bool hostile_program = false;       // that it cannot be executed is no error of the sandbox, but End::not_started
  bool counted = false;               // no process of it may hide what its children used, or that it waits for them
  bool proc = false;                  // /proc, of its own process namespace
  bool accelerator = false;           // drives a real GPU: no address-space limit, unix sockets allowed
  bool reserves_addresses = false;    // maps far more than it touches: no address-space limit, memory group only
  Limits limits;
  /// Processes and threads that other jobs of the same user may start meanwhile: where the kernel counts all of the
  /// user's together, they must not keep this one from starting its own, and it may start so many more itself.
  std::uint64_t started_beside = 0;
};
/// Enough for any number of other jobs, beside a program that starts no more than it needs.
constexpr std::uint64_t kAnyStartedBeside = 4096;

enum class End : std::uint8_t {
  exited,
  signaled,
  cpu_limit,
  wall_limit,
  memory_limit,
  output_limit,
  process_limit,
  disk_limit,  // its scratch folder grew beyond what it may hold, where that is no file system with an end of its own
  not_started  // the kernel would not execute the program; `status` is the errno
};

struct Outcome {
  End end = End::exited;
  int status = 0;          // exit status, signal number, or errno
  std::string output;      // stdout and stderr, cut at the limit; any bytes
  std::string errors;      // of them what went to stderr
  double cpu_seconds = 0;  // of all its processes that were waited for
  double wall_seconds = 0;
  std::uint64_t peak_bytes = 0;  // largest resident set of one of its processes
  unsigned leftover = 0;         // processes that were still there when the first one ended, and were killed
};

/// The machine offers only tier D and the policy does not allow it; or the sandbox itself failed. Never the job's
/// doing.
class SandboxError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A job in progress. Destroying it kills whatever is left and waits until it is gone. Not for use by several threads,
/// and the thread that starts it must outlive it (the kernel ties the job's life to that thread).
class Process {
 public:
  explicit Process(Job job);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  enum class Event : std::uint8_t { ended, readable, deadline };
  using Clock = std::chrono::steady_clock;

  /// Sleeps until the job has ended (its limits included), `watched` has something to read or is closed at the other
  /// end
  /// (-1: nothing is watched), or `deadline` has come. Captures output meanwhile.
  Event wait(int watched = -1, std::optional<Clock::time_point> deadline = std::nullopt);
  /// Ends the job now; wait() then says `ended`.
  void kill();
  /// The process that all others of the job descend from, as long as the job has not ended.
  int id() const;
  /// The outcome, once wait() has said `ended`.
  const Outcome& outcome() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Runs a job to its end.
Outcome run(Job job);

}  // namespace cudalabs::sandbox
