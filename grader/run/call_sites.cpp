// addr2line for the addresses of a run, each asked for once: a loop may make ten thousand calls from one line.
#include "run/call_sites.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "sandbox/sandbox.h"
#include "vgpu/cudart/origins.h"

namespace cudalabs::runner {
namespace {

/// Far below what a command line may hold.
constexpr std::size_t kAtATime = 2000;

/// What addr2line prints.
std::string lines_of(const std::filesystem::path& program, std::span<const std::uint64_t> addresses) {
  sandbox::Job job;
  job.arguments = vgpu::addr2line_command("runner", addresses);
  job.arguments.front() = "/usr/bin/" + job.arguments.front();
  job.files.push_back({"runner", sandbox::open_file(program), false});
  job.system_files = true;
  const sandbox::Outcome outcome = sandbox::run(std::move(job));
  // Debug information that addr2line chokes on is the student's own loss: no lines, then.
  return outcome.end == sandbox::End::exited ? outcome.output : std::string();
}

}  // namespace

std::vector<SourcePlace> SourceLines::places(const std::filesystem::path& program,
                                             std::span<const std::uint64_t> addresses) {
  // Held while addr2line runs: another case most likely waits for the same lines.
  const std::lock_guard lock(mutex_);
  std::set<std::uint64_t> asked;
  for (const std::uint64_t address : addresses) {
    if (address != 0 && !known_.contains({program, address})) asked.insert(address);
  }
  const std::vector<std::uint64_t> unknown(asked.begin(), asked.end());
  for (std::size_t first = 0; first < unknown.size(); first += kAtATime) {
    const auto some = std::span(unknown).subspan(first, std::min(kAtATime, unknown.size() - first));
    const std::string lines = lines_of(program, some);
    std::vector<SourcePlace> found = vgpu::parse_addr2line(lines, some.size());
    std::vector<SourcePlace> calls = vgpu::parse_inlined_calls(lines, some.size());
    for (std::size_t i = 0; i < some.size(); ++i)
      known_.emplace(std::pair(program, some[i]), Known{std::move(found[i]), std::move(calls[i])});
  }
  std::vector<SourcePlace> places;
  places.reserve(addresses.size());
  for (const std::uint64_t address : addresses) {
    places.push_back(address == 0 ? SourcePlace{} : known_.at({program, address}).place);
  }
  return places;
}

SourcePlace SourceLines::inlined_call(const std::filesystem::path& program, std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  const auto known = known_.find({program, address});
  return known == known_.end() ? SourcePlace{} : known->second.inlined_call;
}

}  // namespace cudalabs::runner
