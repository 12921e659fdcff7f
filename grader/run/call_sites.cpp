// addr2line for the addresses of a run, each asked for once: a loop may make ten thousand calls from one line.
#include "run/call_sites.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "sandbox/sandbox.h"
#include "vgpu/cudart/origins.h"

namespace cudalabs::runner {
namespace {

/// Far below what a command line may hold.
constexpr std::size_t kAtATime = 2000;

std::vector<SourcePlace> places_of(const std::filesystem::path& program, std::span<const std::uint64_t> addresses) {
  sandbox::Job job;
  job.arguments = vgpu::addr2line_command("runner", addresses);
  job.arguments.front() = "/usr/bin/" + job.arguments.front();
  job.files.push_back({"runner", sandbox::open_file(program), false});
  job.system_files = true;
  const sandbox::Outcome outcome = sandbox::run(std::move(job));
  // Debug information that addr2line chokes on is the student's own loss: no lines, then.
  return vgpu::parse_addr2line(outcome.end == sandbox::End::exited ? outcome.output : "", addresses.size());
}

}  // namespace

std::vector<SourcePlace> source_places(const std::filesystem::path& program, std::span<const std::uint64_t> addresses) {
  std::vector<std::uint64_t> different(addresses.begin(), addresses.end());
  std::ranges::sort(different);
  different.erase(std::ranges::unique(different).begin(), different.end());
  std::vector<SourcePlace> of_different;
  for (std::size_t first = 0; first < different.size(); first += kAtATime) {
    const auto some = std::span(different).subspan(first, std::min(kAtATime, different.size() - first));
    std::ranges::move(places_of(program, some), std::back_inserter(of_different));
  }
  std::vector<SourcePlace> places;
  places.reserve(addresses.size());
  for (const std::uint64_t address : addresses) {
    places.push_back(
        of_different[static_cast<std::size_t>(std::ranges::lower_bound(different, address) - different.begin())]);
  }
  return places;
}

}  // namespace cudalabs::runner
