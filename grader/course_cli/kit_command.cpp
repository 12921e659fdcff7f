#include "course_cli/kit_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>

#include "cli/exit_code.h"
#include "cli/invocation.h"
#include "cli/parse_words.h"
#include "cli/project.h"
#include "cli/usage_error.h"
#include "course/host_kit.h"
#include "hosts/host.h"
#include "sandbox/own_files.h"

namespace cudalabs {

namespace fs = std::filesystem;

int run_kit_command(const std::vector<std::string>& arguments) {
  std::string host_name, lab_name;
  fs::path package, out;
  const std::string own_name = invocation().name + " kit";
  CLI::App app("Makes what a course host wants to have, to grade a lab there.", own_name);
  app.add_option("host", host_name, "The course host")->required();
  app.add_option("lab", lab_name, "The lab")->required();
  app.add_option("--package", package, "The Debian package that is installed there")->required()->type_name("FILE.deb");
  app.add_option("--out", out, "A new folder")->required()->type_name("DIR");
  std::string hosts_text = "Course hosts:\n";
  for (const auto& each : hosts::all_hosts()) hosts_text += fmt::format("  {:<18}{}\n", each.name, each.words);
  app.footer(hosts_text);
  if (!parse_words(app, arguments, own_name)) return kFullMarks;
  const hosts::Host* host = hosts::find_host(host_name);
  if (host == nullptr)
    throw UsageError(fmt::format("no course host is called {}; {} --help lists them", host_name, own_name));
  const Lab lab = load_lab(lab_name);
  const sandbox::OwnFiles& own = sandbox::own_files();
  try {
    course::make_host_kit({.host = host,
                           .lab = &lab,
                           .kits = own.file("kits"),
                           .install_script = own.file("container") / "install_package.sh",
                           .package = package},
                          out);
  } catch (const course::KitError& error) {
    throw UsageError(error.what());
  }
  std::printf("%s: %s, %s\n", out.c_str(), host_name.c_str(), std::string(host->words).c_str());
  return kFullMarks;
}

}  // namespace cudalabs
