// One addr2line for all addresses of a report.
#include "run/call_sites.h"

#include <string>
#include <vector>

#include "sandbox/sandbox.h"
#include "vgpu/cudart/origins.h"

namespace cudalabs::runner {

void resolve_call_sites(vgpu::ServerReport& report, const std::filesystem::path& program) {
  const std::vector<std::uint64_t> addresses = vgpu::origin_addresses(report);
  if (addresses.empty()) return;
  sandbox::Job job;
  job.arguments = vgpu::addr2line_command("runner", addresses);
  if (job.arguments.front().find('/') == std::string::npos) job.arguments.front() = "/usr/bin/" + job.arguments.front();
  job.files.push_back({"runner", sandbox::open_file(program), false});
  job.system_files = true;
  const sandbox::Outcome outcome = sandbox::run(std::move(job));
  if (outcome.end != sandbox::End::exited) return;  // debug information somebody tampered with: no lines, then
  vgpu::place_findings(report, vgpu::parse_addr2line(outcome.output, addresses.size()));
}

}  // namespace cudalabs::runner
