#include "cli/host_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>

#include "cli/exit_code.h"
#include "cli/graded.h"
#include "cli/invocation.h"
#include "cli/parse_words.h"
#include "cli/project.h"
#include "cli/sources.h"
#include "cli/usage_error.h"
#include "hosts/host.h"
#include "report/console_style.h"
#include "report/report.h"
#include "report/write_file.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;
using hosts::Host;

struct HostCommand {
  std::string host, lab;
  fs::path submission, out;
};

const Host& known_host(const std::string& name) {
  if (const Host* host = hosts::find_host(name)) return *host;
  std::vector<std::string_view> names;
  for (const Host& each : hosts::all_hosts()) names.push_back(each.name);
  throw UsageError(fmt::format("no course host is called {}; there are {}", name, fmt::join(names, ", ")));
}

void tell(const Host& host, const fs::path& out, const std::string& text) {
  if (!host.appends) return write_file(out, text);
  std::ofstream stream(out, std::ios::app | std::ios::binary);
  if (!(stream << text).flush()) throw std::runtime_error(out.string() + ": cannot be written");
}

hosts::HostReport verdict_on(const HostCommand& command, const Lab& lab) {
  std::error_code error;
  if (fs::is_directory(command.submission, error) &&
      !fs::exists(fs::symlink_status(command.submission / lab.contract.source, error)))
    return nothing_handed_in(lab);
  GradeCommand grading;
  grading.target.lab = command.lab;
  grading.target.submission = command.submission;
  grading.target.device = DeviceChoice::virtual_gpu;
  const Submission submission = find_submission(grading.target, lab);
  const Report report = graded(grading, lab, submission, nullptr);
  std::fputs(render_terminal(report, sources_of(lab, submission), console_style(STDOUT_FILENO)).c_str(), stdout);
  return hosts::read_host_report(render_json(report));
}

}  // namespace

hosts::HostReport nothing_handed_in(const Lab& lab) {
  hosts::HostReport report;
  report.lab = lab.id;
  report.title = lab.title;
  report.max = lab.max_points();
  report.gradable = false;
  report.summary = fmt::format("{}: there is no {} in what was handed in. Hand in a file of exactly this name.\n",
                               lab.title, lab.contract.source);
  for (const Check& check : lab.checks)
    report.checks.push_back({.title = check.title,
                             .build = check.category == Category::build,
                             .passed = false,
                             .points = 0,
                             .max = check.points,
                             .text = fmt::format("there is no {}\n", lab.contract.source)});
  return report;
}

int run_host_command(const std::vector<std::string>& arguments) {
  const std::string own_name = invocation().name + " host";
  HostCommand command;
  CLI::App app("Grades a submission and tells a course host in its own format.", own_name);
  app.add_option("host", command.host, "gradescope, github-classroom, prairielearn, autolab or submitty")->required();
  app.add_option("lab", command.lab, "The lab")->required();
  app.add_option("submission", command.submission, "The folder with what was handed in")->required();
  app.add_option("out", command.out, "The file that the host reads")->required();
  if (!parse_words(app, arguments, own_name)) return kFullMarks;
  const Host& host = known_host(command.host);
  // Should this process be killed, this is what the host finds.
  if (host.fault != nullptr) tell(host, command.out, host.fault(command.lab));
  try {
    tell(host, command.out, host.render(verdict_on(command, load_lab(command.lab))));
    return kFullMarks;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n%s\n", invocation().name.c_str(), error.what(),
                 std::string(hosts::kNotYourFault).c_str());
    return kInternalError;
  }
}

}  // namespace cudalabs
