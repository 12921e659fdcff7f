// The server as a process.
#include "vgpu/cudart/server/serve.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <vector>

#include "vgpu/cudart/server/recording_channel.h"
#include "vgpu/cudart/server/run_mutants.h"

namespace cudalabs::vgpu {
namespace {

std::atomic<Session*> served = nullptr;
std::atomic<int> served_connection = -1;
std::atomic<int> ended_by = 0;

void end_session(int signal) {
  ended_by = signal;
  if (Session* session = served) session->stop();
  if (const int connection = served_connection; connection >= 0) ::shutdown(connection, SHUT_RDWR);
}

/// While it lives, signals that ask for an end finish the session instead of the process.
class EndOnSignal {
 public:
  EndOnSignal(Session& session, int connection) {
    served = &session;
    served_connection = connection;
    struct sigaction action {};
    action.sa_handler = end_session;
    sigset_t signals;
    sigemptyset(&signals);
    for (std::size_t i = 0; i < std::size(kSignals); ++i) {
      ::sigaction(kSignals[i], &action, &previous_[i]);
      sigaddset(&signals, kSignals[i]);
    }
    // One that came before may have been made to wait for this.
    ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  }
  ~EndOnSignal() {
    for (std::size_t i = 0; i < std::size(kSignals); ++i) ::sigaction(kSignals[i], &previous_[i], nullptr);
    served_connection = -1;
    served = nullptr;
  }
  EndOnSignal(const EndOnSignal&) = delete;
  EndOnSignal& operator=(const EndOnSignal&) = delete;

 private:
  static constexpr int kSignals[] = {SIGTERM, SIGINT};
  struct sigaction previous_[std::size(kSignals)]{};
};

std::vector<std::byte> read_file(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) throw std::runtime_error("what came with the order cannot be read");
  std::vector<std::byte> bytes(static_cast<std::size_t>(status.st_size));
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t count = ::pread(descriptor, bytes.data() + at, bytes.size() - at, static_cast<off_t>(at));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) throw std::runtime_error("what came with the order cannot be read");
    at += static_cast<std::size_t>(count);
  }
  ::close(descriptor);
  return bytes;
}

/// Null when copies are neither written down nor replaced.
std::unique_ptr<TransferDesk> transfer_desk(const ServeOptions& options) {
  if (options.replacements >= 0)
    return std::make_unique<TransferDesk>(replacements_from_bytes(read_file(options.replacements)));
  return options.transfers >= 0 || options.mutant_order >= 0 ? std::make_unique<TransferDesk>() : nullptr;
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

/// The report as text of at most ServerReport::kMostBytes: the counters of a program made to be long are left out, what
/// was found stays.
std::string text_of(ServerReport report) {
  std::string text = to_json(report);
  if (text.size() < ServerReport::kMostBytes) return text;
  report.launches.clear();
  report.launch_seconds.clear();
  report.coverage.clear();
  report.branches.clear();
  report.accesses.clear();
  report.writers.clear();
  report.idle_stores.clear();
  report.extents.clear();
  report.host_copies.clear();
  report.launch_calls.clear();
  report.barriers = {};
  return to_json(report);
}

/// What a client may say for mutants to be made: a case of a lab whose results are worth to be compared is small.
constexpr std::size_t kMostSaidBytes = 4u << 20;

void write_bytes(int descriptor, std::span<const std::byte> bytes, const char* what) {
  if (!write_all(descriptor, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}))
    throw std::runtime_error(std::string(what) + " cannot be written down");
  ::close(descriptor);
}

std::string served_text(const ServeOptions& options) {
  try {
    return text_of(serve_client(options));
  } catch (const std::bad_alloc&) {
    ServerReport report;
    report.exhausted = "the virtual GPU found no memory for what the program asked of it";
    return to_json(report);
  }
}

}  // namespace

ServerReport serve_client(const ServeOptions& options) {
  VirtualGpuOptions gpu_options;
  gpu_options.model = device_model(options.model);
  // A lab's smaller share is about data; how much local memory a kernel may have is the named device's.
  gpu_options.model.local_store_bytes = gpu_options.model.global_bytes;
  if (options.device_mib != 0)
    gpu_options.model.global_bytes = std::min(gpu_options.model.global_bytes, options.device_mib << 20);
  gpu_options.workers = options.workers;
  gpu_options.check_races = options.check_races;
  gpu_options.check_initialized = options.check_initialized;
  gpu_options.tries_unwritten_values = options.tries_unwritten_values;
  gpu_options.count_accesses = options.access_counters;
  gpu_options.record_accesses = options.record_accesses;
  gpu_options.order_seed = options.order_seed;
  gpu_options.sampled_blocks = options.sampled_blocks;
  gpu_options.reset_variables = options.reset_variables;
  gpu_options.instruction_limit = options.instruction_limit;
  gpu_options.stops_slow_blocks = options.stops_slow_blocks;
  gpu_options.seconds_limit = options.kernel_seconds;
  VirtualGpu gpu(gpu_options);
  SocketChannel socket(options.connection);
  const bool tries = options.mutant_order >= 0;
  RecordingChannel recording(socket, tries ? kMostSaidBytes : 0);
  Channel& channel = tries ? static_cast<Channel&>(recording) : socket;
  const std::unique_ptr<TransferDesk> transfers = transfer_desk(options);
  SessionLimits limits;
  if (options.output_kib != 0) limits.handed_output_bytes = options.output_kib << 10;
  ServerReport report;
  MutantLog mutants;
  {
    Session session(channel, gpu, gpu_options.model, limits, options.faults, transfers.get(),
                    options.device_code >= 0 ? read_file(options.device_code) : std::vector<std::byte>());
    const EndOnSignal end_on_signal(session, options.connection);
    session.serve();
    report = session.report();
    if (options.ended_by != nullptr) *options.ended_by = ended_by;
    if (tries && recording.complete() && ended_by == 0) {
      const TransferLog log = transfers->log();
      const EndedSession ended{gpu_options,
                               limits,
                               recording.said(),
                               session.first_device_code(),
                               session.first_launches(),
                               report.coverage,
                               log.transfers,
                               warp_instructions(report.launches),
                               session.held_copies()};
      try {
        mutants = run_mutants(ended, mutant_order_from_bytes(read_file(options.mutant_order)));
      } catch (const std::exception&) {
        mutants = {};  // what a program makes impossible is no fault, and nothing depends on it
      }
    }
  }
  ::close(options.connection);
  if (options.transfers >= 0) write_bytes(options.transfers, to_bytes(transfers->log()), "the copies");
  if (options.mutants >= 0) write_bytes(options.mutants, to_bytes(mutants), "the mutants");
  return report;
}

int serve(const ServeOptions& options) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader of the report that is gone shows as a failed write
  const bool written = write_all(options.report, served_text(options) + "\n");
  return ::close(options.report) == 0 && written ? 0 : 1;
}

}  // namespace cudalabs::vgpu
