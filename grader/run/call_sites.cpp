// One addr2line for all addresses of a run.
#include "run/call_sites.h"

#include <string>

#include "sandbox/sandbox.h"
#include "vgpu/cudart/origins.h"

namespace cudalabs::runner {

std::vector<SourcePlace> source_places(const std::filesystem::path& program, std::span<const std::uint64_t> addresses) {
  if (addresses.empty()) return {};
  sandbox::Job job;
  job.arguments = vgpu::addr2line_command("runner", addresses);
  job.arguments.front() = "/usr/bin/" + job.arguments.front();
  job.files.push_back({"runner", sandbox::open_file(program), false});
  job.system_files = true;
  const sandbox::Outcome outcome = sandbox::run(std::move(job));
  // Debug information that addr2line chokes on is the student's own loss: no lines, then.
  return vgpu::parse_addr2line(outcome.end == sandbox::End::exited ? outcome.output : "", addresses.size());
}

}  // namespace cudalabs::runner
