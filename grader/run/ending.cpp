// Words for every way a process can end.
#include "run/ending.h"

#include <array>
#include <csignal>
#include <cstring>
#include <sstream>

#include "text/untrusted_text.h"
#include "vgpu/check/finding_ids.h"
#include "vgpu/memory/address_space.h"

namespace cudalabs::runner {
namespace {

using harness::Hit;
using harness::MessageType;
using sandbox::End;

template <typename... Parts>
std::string text_of(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  return text.str();
}

std::string on_one_line(std::string_view text) {
  std::string line = printable(text);
  for (char& letter : line) {
    if (letter == '\n' || letter == '\t') letter = ' ';
  }
  return line;
}

std::string count_of(std::uint64_t elements) {
  if (elements == 0) return "no elements";
  return elements == 1 ? "1 element" : text_of(elements, " elements");
}

std::optional<Ending> limit_ending(const sandbox::Outcome& outcome, const Limits& limits) {
  switch (outcome.end) {
    case End::cpu_limit:
      return Ending{RunEnd::cpu_limit, text_of("used more than ", limits.cpu_seconds, " s of CPU time on the host")};
    case End::wall_limit:
      return Ending{RunEnd::wall_limit, text_of("did not end within ", limits.wall_seconds, " s")};
    case End::memory_limit:
      return Ending{RunEnd::memory_limit, text_of("used more than ", limits.memory_mib, " MiB")};
    case End::output_limit:
      return Ending{RunEnd::output_limit, text_of("printed more than ", limits.output_kib, " KiB")};
    case End::process_limit:
      return Ending{RunEnd::process_limit, text_of("had more than ", limits.processes, " processes and threads")};
    case End::disk_limit:
      return Ending{RunEnd::disk_limit, "filled the folder for temporary files"};
    case End::not_started:
      return Ending{RunEnd::not_started, std::strerror(outcome.status)};
    case End::exited:
    case End::signaled:
      return std::nullopt;
  }
  return std::nullopt;
}

Ending said_ending(MessageType type, const std::string& text, const Limits& limits) {
  if (type == MessageType::cuda_error) return {RunEnd::runtime_error, on_one_line(text)};
  if (type == MessageType::device_reset) return {RunEnd::device_reset, on_one_line(text)};
  if (type == MessageType::out_of_memory)
    return {RunEnd::memory_limit, text_of("found no memory within ", limits.memory_mib, " MiB")};
  return {RunEnd::protocol_error, on_one_line(text)};
}

}  // namespace

std::string describe_signal(int signal) {
  struct Meaning {
    int signal;
    const char* words;
  };
  constexpr std::array kMeanings = {Meaning{SIGSEGV, "invalid memory reference"},
                                    Meaning{SIGBUS, "memory access beyond a file or unaligned"},
                                    Meaning{SIGABRT, "abort, a failed assert or an exception nobody caught"},
                                    Meaning{SIGFPE, "integer division by zero"},
                                    Meaning{SIGILL, "illegal instruction"},
                                    Meaning{SIGSYS, "forbidden system call"},
                                    Meaning{SIGPIPE, "wrote where nobody reads"},
                                    Meaning{SIGXFSZ, "wrote too large a file"}};
  const char* name = sigabbrev_np(signal);
  std::string text = name ? text_of("killed by SIG", name) : text_of("killed by signal ", signal);
  for (const Meaning& meaning : kMeanings) {
    if (meaning.signal == signal) text += text_of(" (", meaning.words, ")");
  }
  return text;
}

Finding explain_fault(int signal, const Received& fault) {
  Finding finding;
  finding.id = finding_ids::kRunnerCrashed;
  finding.message = "the host code was " + describe_signal(signal);
  const bool access = signal == SIGSEGV || signal == SIGBUS;
  constexpr std::uint64_t kPage = 4096;
  if (signal == SIGABRT) {
    finding.help =
        "do not end the program: when something fails, say so on `stderr` and return, for the caller goes on; catch "
        "every exception, and give `free` and `delete` only what `malloc` and `new` gave";
  }
  if (!access) return finding;
  finding.address = fault.address;
  const std::string name = on_one_line(fault.text);
  if (fault.hit == Hit::device) {
    finding.message = text_of("host code reads or writes through a device pointer, into `", name, "`");
    finding.help = "device memory is reached by kernels and by `cudaMemcpy`, never by a plain access on the host";
  } else if (fault.hit == Hit::past_end) {
    finding.access.past_end = true;
    finding.message =
        text_of("host code reads or writes past the end of `", name, "`, which has ", count_of(fault.elements));
    finding.help = Help::where_to_look(
        fault.elements == 0
            ? "there is nothing to read, to write or to copy"
            : text_of("its last element is `", name, "[", fault.elements - 1,
                      "]`: look at the index, or at the number of bytes to copy; only arrays of your own may "
                      "be rounded up to whole blocks"));
  } else if (fault.hit == Hit::before) {
    finding.message = text_of("host code reads or writes before the beginning of `", name, "`");
    finding.help = Help::where_to_look(
        text_of("its first element is `", name, "[0]`: look at every index and pointer of this line"));
  } else if (vgpu::window_of(fault.address) == vgpu::Window::global) {
    finding.message = "host code reads or writes through a device pointer";
    finding.help =
        "memory of `cudaMalloc` is reached by kernels and by `cudaMemcpy`, never by a plain access on the host; memory "
        "of "
        "`cudaMallocManaged` may be used on the host, up to its end and until `cudaFree`";
  } else if (fault.address < kPage) {
    finding.help = Help::where_to_look(
        "a null pointer is used as if it pointed to something: look at where it should have been set");
  } else {
    finding.help = Help::where_to_look(
        "look at every index and pointer of this line; a device pointer cannot be used on the host");
  }
  return finding;
}

Ending ending_of(const sandbox::Outcome& outcome, const Limits& limits, const Spoken& spoken) {
  if (spoken.idle) return {RunEnd::wall_limit, "it waited for something that never came, or slept"};
  if (spoken.over_budget) return {RunEnd::over_budget, ""};
  if (const auto limit = limit_ending(outcome, limits)) return *limit;
  if (spoken.broken) return {RunEnd::protocol_error, "wrote to the grader's control socket"};
  if (spoken.failure) return said_ending(*spoken.failure, spoken.text, limits);
  const char* when = spoken.done ? " after its work was done" : "";
  if (outcome.end == End::signaled) return {RunEnd::crashed, describe_signal(outcome.status) + when};
  if (!spoken.done) {
    return {RunEnd::exited_early, text_of("exited with status ", outcome.status, " before its work was done")};
  }
  if (outcome.status != 0) return {RunEnd::crashed, text_of("exited with status ", outcome.status, when)};
  return {RunEnd::finished, ""};
}

}  // namespace cudalabs::runner
