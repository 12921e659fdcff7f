// What each course host is told of a report: golden files, the hosts' own rules, and what must not be told.
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "catch.h"
#include "host_rules.h"
#include "hosts/host.h"
#include "tree/tree_paths.h"

using namespace cudalabs;
using namespace cudalabs::hosts;
using namespace cudalabs::test;

namespace {

const std::string kFolder = source_path("grader/tests/hosts");

std::string text_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  REQUIRE(stream);
  return std::move(text).str();
}

HostReport report(const std::string& name) {
  return read_host_report(text_of(kFolder + "/reports/" + name + ".json"));
}

void check_golden(const std::string& name, const std::string& text) {
  CAPTURE(name);
  const std::string path = kFolder + "/golden/" + name;
  if (std::getenv("CUDALABS_WRITE_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << text;
  CHECK(text == text_of(path));
}

struct Rules {
  std::vector<std::string> (*faults)(const std::string&);
  double (*points)(const std::string&);
};
Rules rules_of(std::string_view host) {
  if (host == "gradescope") return {&gradescope_faults, &gradescope_points};
  if (host == "github-classroom") return {&classroom_faults, &classroom_points};
  if (host == "prairielearn") return {&prairielearn_faults, &prairielearn_points};
  if (host == "autolab") return {&autolab_faults, &autolab_points};
  REQUIRE(host == "submitty");
  return {&submitty_faults, &submitty_points};
}

}  // namespace

TEST_CASE("every host's result is what it was, keeps the host's rules and has the report's points") {
  for (const Host& host : all_hosts()) {
    const Rules rules = rules_of(host.name);
    for (const char* name : {"out_of_bounds", "no_compile", "full_marks"}) {
      CAPTURE(host.name, name);
      const HostReport told = report(name);
      const std::string text = host.render(told);
      for (const std::string& fault : rules.faults(text)) FAIL_CHECK(fault);
      const bool not_gradable = host.name == "prairielearn" && !told.gradable;
      CHECK(rules.points(text) == Approx(not_gradable ? -1 : told.points));
      check_golden(std::string(host.name) + "." + name,
                   host.name == "github-classroom" ? from_base64(text.substr(7, text.size() - 8)) + "\n" : text);
    }
  }
}

TEST_CASE("a failure of the grader is told where a host must be told, and is nobody's zero") {
  for (const Host& host : all_hosts()) {
    CAPTURE(host.name);
    if (host.fault == nullptr) continue;
    const std::string text = host.fault("lab3");
    for (const std::string& fault : rules_of(host.name).faults(text)) FAIL_CHECK(fault);
    CHECK(rules_of(host.name).points(text) < 0);
    CHECK(text.find("not your fault") != std::string::npos);
  }
}

TEST_CASE("a report with a check that came to no verdict is no result, and neither is anything else") {
  std::string text = text_of(kFolder + "/reports/out_of_bounds.json");
  const std::size_t at = text.find("\"failed\"");
  REQUIRE(at != std::string::npos);
  CHECK_THROWS_AS(read_host_report(std::string(text).replace(at, 8, "\"error\"")), NoVerdict);
  CHECK_THROWS_AS(read_host_report(""), NoVerdict);
  CHECK_THROWS_AS(read_host_report("{}"), NoVerdict);
  CHECK_THROWS_AS(read_host_report(text.substr(0, text.size() / 2)), NoVerdict);
  const std::size_t version = text.find("\"version\": 1");
  REQUIRE(version != std::string::npos);
  CHECK_THROWS_AS(read_host_report(std::string(text).replace(version, 12, "\"version\": 2")), NoVerdict);
}

TEST_CASE("a finding stands in full once, below the first check it explains") {
  const HostReport told = report("out_of_bounds");
  unsigned whole = 0, again = 0;
  for (const HostCheck& check : told.checks) {
    if (check.text.find("finding 1: matmul.cu:") != std::string::npos) ++whole;
    if (check.text.find("because of finding 1, see above") != std::string::npos) ++again;
  }
  CHECK(whole == 1);
  CHECK(again > 1);
  // Where the file lies on the host's machine is nobody's business.
  for (const HostCheck& check : told.checks) CHECK(check.text.find("/autograder") == std::string::npos);
}

TEST_CASE("PrairieLearn's limit of 1 MB holds for any text") {
  HostReport long_report = report("out_of_bounds");
  for (HostCheck& check : long_report.checks) {
    check.text.clear();
    for (int i = 0; i < 100'000; ++i) check.text += "\xC3\xA4\xE2\x82\xAC";  // cut inside a character somewhere
  }
  const std::string text = prairielearn_results(long_report);
  for (const std::string& fault : prairielearn_faults(text)) FAIL_CHECK(fault);
  CHECK(text.size() > 100'000);
  CHECK(prairielearn_points(text) == Approx(long_report.points));
}

TEST_CASE("the rules refuse what hosts refuse") {
  const auto without = [](std::string text, const std::string& part, const std::string& instead) {
    const std::size_t at = text.find(part);
    REQUIRE(at != std::string::npos);
    return text.replace(at, part.size(), instead);
  };
  const HostReport told = report("out_of_bounds");
  const std::string gradescope = gradescope_results(told);
  CHECK_FALSE(gradescope_faults(without(gradescope, "\"passed\"", "\"pass\"")).empty());
  CHECK_FALSE(gradescope_faults(without(gradescope, "\"visible\"", "\"shown\"")).empty());
  CHECK_FALSE(gradescope_faults("{\"tests\": []}").empty());
  CHECK_FALSE(gradescope_faults("").empty());
  CHECK_FALSE(classroom_faults("result=!!!!\n").empty());
  CHECK_FALSE(classroom_faults("other=e30=\n").empty());
  CHECK_FALSE(classroom_faults("result=e30=\n").empty());  // {}
  CHECK_FALSE(prairielearn_faults(without(prairielearn_results(told), "\"max_points\"", "\"most\"")).empty());
  CHECK_FALSE(prairielearn_faults("{\"score\": 85, \"tests\": []}").empty());
  CHECK_FALSE(autolab_faults("{\"scores\": {\"lab3\": \"all\"}}").empty());
  CHECK_FALSE(autolab_faults("{\"scores\": {\"lab3\": 5}}\nthat was it\n").empty());
  // Autolab's quotes break a text with a colon.
  CHECK_FALSE(autolab_faults("{\"scores\": {\"lab3\": 5}, \"note\": \"see: above\"}").empty());
  CHECK_FALSE(submitty_faults("{\"status\": \"success\", \"data\": {\"score\": 2, \"message\": []}}").empty());
}
