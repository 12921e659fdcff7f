// What is said of how a program was built, and when it is said.
#include "sanitizer/advice.h"

#include "catch.h"
#include "sanitizer/run_command.h"

using namespace cudalabs;
using namespace cudalabs::sanitizer;
using cudalabs::vgpu::ServerReport;

namespace {

using Libraries = std::optional<std::vector<std::string>>;

std::string only(const std::vector<std::string>& texts) {
  REQUIRE(texts.size() == 1);
  return texts[0];
}

ServerReport with_launch() {
  ServerReport seen;
  seen.call_count = 3;
  seen.launch_count = 1;
  return seen;
}

}  // namespace

TEST_CASE("a program whose calls do not reach the virtual GPU is told why") {
  const ServerReport nothing;
  CHECK(only(what_was_not_checked("p", nothing, Libraries({"libc.so.6"}))).find("nvcc -cudart shared") !=
        std::string::npos);
  const std::string older = only(what_was_not_checked("p", nothing, Libraries({"libcudart.so.12"})));
  CHECK(older.find("`libcudart.so.12`") != std::string::npos);
  CHECK(older.find("CUDA 13") != std::string::npos);
  CHECK(only(what_was_not_checked("p", nothing, std::nullopt)).find("not a script") != std::string::npos);
  CHECK(only(what_was_not_checked("p", nothing, Libraries({"libcudart.so.13"}))).ends_with("nothing was checked"));
  CHECK(what_was_not_checked("p", with_launch(), Libraries({"libc.so.6"})).empty());
}

TEST_CASE("all that went wrong is a reason") {
  ServerReport seen = with_launch();
  seen.protocol_error = "a";
  seen.internal_error = "b";
  seen.exhausted = "c";
  seen.module_errors = {"d", "e"};
  seen.not_executed = {"f"};
  seen.interrupted = true;
  CHECK(what_was_not_checked("p", seen, std::nullopt).size() == 7);
}

TEST_CASE("flags for lines are named only where a line is missing") {
  ServerReport seen = with_launch();
  CHECK(how_to_compile(seen, Checks::all()).empty());
  Finding finding;
  finding.id = "shared-race";
  finding.kernel = "k";
  finding.where = {"k.cu", 3, 0};
  seen.findings = {finding};
  CHECK(how_to_compile(seen, Checks::all()).empty());
  seen.findings[0].where = {};
  CHECK(only(how_to_compile(seen, Checks::all())).find("-lineinfo") != std::string::npos);
  seen.findings[0].kernel.clear();
  CHECK(only(how_to_compile(seen, Checks::all())).find("`-g`") != std::string::npos);
}

TEST_CASE("optimised code is named where no race was found in it, and one was looked for") {
  ServerReport seen = with_launch();
  seen.optimised = true;
  CHECK(only(how_to_compile(seen, Checks::all())).find("nvcc -G") != std::string::npos);
  CHECK(how_to_compile(seen, Checks::parse("memory")).empty());
  Finding finding;
  finding.id = "global-race";
  finding.kernel = "k";
  finding.where = {"k.cu", 3, 0};
  seen.findings = {finding};
  CHECK(how_to_compile(seen, Checks::all()).empty());
  seen.findings.clear();
  seen.launch_count = 0;
  CHECK(how_to_compile(seen, Checks::all()).empty());
}

TEST_CASE("a report has what was asked for, causes first, and suppressions that matched nothing") {
  ServerReport seen = with_launch();
  Finding leak, race;
  leak.id = "memory-leak";
  leak.severity = Severity::warning;
  race.id = "shared-race";
  race.kernel = "k";
  race.where = leak.where = {"k.cu", 3, 0};
  seen.findings = {leak, race};
  RunCommand command;
  command.command = {"/nowhere/p"};
  CHECK(report_of(command, 0, seen, {}).findings == std::vector<Finding>{race, leak});
  command.checks = Checks::parse("leak");
  const std::vector<Suppression> suppressions{{.id = "shared-race", .reason = "r", .place = "s.toml:1"}};
  const RunReport report = report_of(command, 7, seen, suppressions);
  CHECK(report.findings == std::vector<Finding>{leak});
  CHECK(report.exit_code == 7);
  REQUIRE(report.remarks.size() == 1);
  CHECK(report.remarks[0] == "s.toml:1: this suppression of `shared-race` matched nothing");
}

TEST_CASE("the name of a log may have the process's number in it") {
  CHECK(log_name("out.%p.txt", 42) == "out.42.txt");
  CHECK(log_name("100%%p", 42) == "100%p");
  CHECK(log_name("%q%", 42) == "%q%");
}
