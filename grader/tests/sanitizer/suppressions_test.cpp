// Suppressions: which files are read, which findings they match, and what is written for what was found.
#include "sanitizer/suppressions.h"

#include "catch.h"
#include "lab/lab.h"
#include "sandbox/temporary_folder.h"

using namespace cudalabs;
using namespace cudalabs::sanitizer;
using cudalabs::sandbox::TemporaryFolder;

namespace {

Finding race_at(const std::string& kernel, const std::string& file, std::uint32_t line) {
  Finding finding;
  finding.id = "shared-race";
  finding.message = "a \"race\"";
  finding.kernel = kernel;
  finding.where = {file, line, 3};
  return finding;
}

std::vector<Suppression> read(const std::string& text) {
  const TemporaryFolder folder;
  folder.write("s.toml", text);
  return read_suppressions(folder.path() / "s.toml");
}

std::string complaint(const std::string& text) {
  try {
    read(text);
  } catch (const LabError& error) {
    const std::string what = error.what();
    return what.substr(what.rfind("s.toml"));
  }
  return "none";
}

}  // namespace

TEST_CASE("a suppression matches what all of its parts match") {
  const Finding finding = race_at("tree<float>", "/projects/src/sum.cu", 12);
  const std::string head = "[[suppress]]\nid = \"shared-race\"\nreason = \"r\"\n";
  CHECK(read(head)[0].matches(finding));
  CHECK(read(head + "kernel = \"tree*\"\nfile = \"*/sum.cu\"\nline = 12\n")[0].matches(finding));
  CHECK_FALSE(read(head + "kernel = \"tree\"\n")[0].matches(finding));
  CHECK_FALSE(read(head + "file = \"sum.cu\"\n")[0].matches(finding));
  CHECK_FALSE(read(head + "line = 13\n")[0].matches(finding));
  CHECK(read("[[suppress]]\nid = \"*-race\"\nreason = \"r\"\n")[0].matches(finding));
  CHECK_FALSE(read("[[suppress]]\nid = \"global-*\"\nreason = \"r\"\n")[0].matches(finding));
}

TEST_CASE("a file of suppressions is refused with the line that is wrong") {
  CHECK(read("").empty());
  CHECK(complaint("[[suppress]]\nid = \"x\"\nreason = \"r\"\nlines = 3\n") ==
        "s.toml:4: unknown key `lines` in [[suppress]]; did you mean \"line\"?");
  CHECK(complaint("[[suppress]]\nid = \"x\"\n").find("s.toml:1: `reason`") == 0);
  CHECK(complaint("\n[[suppress]]\nreason = \"x\"\n").find("s.toml:2: `id`") == 0);
  CHECK(complaint("[[suppress]]\nid = \"x\"\nreason = \"r\"\nline = 0\n").find("s.toml:4: `line`") == 0);
  CHECK(complaint("[[suppress]]\nid = 7\nreason = \"r\"\n").find("s.toml:2: `id`") == 0);
  CHECK(complaint("suppres = 1\n").find("s.toml:1: unknown key `suppres`") == 0);
  CHECK(complaint("[[suppress]\n").find("s.toml:1:") == 0);
  CHECK_THROWS_AS(read_suppressions("/nowhere/s.toml"), LabError);
}

TEST_CASE("the first suppression that matches counts, and those without a finding are named") {
  const std::vector<Suppression> suppressions = read(
      "[[suppress]]\nid = \"shared-race\"\nkernel = \"a\"\nreason = \"one\"\n"
      "[[suppress]]\nid = \"*\"\nkernel = \"a\"\nreason = \"two\"\n"
      "[[suppress]]\nid = \"shared-race\"\nkernel = \"c\"\nreason = \"three\"\n");
  const Suppressed result = suppress({race_at("a", "f.cu", 1), race_at("b", "f.cu", 2)}, suppressions);
  REQUIRE(result.left.size() == 1);
  CHECK(result.left[0].kernel == "b");
  REQUIRE(result.suppressed.size() == 1);
  CHECK(result.suppressed[0].reason == "one");
  REQUIRE(result.unmatched.size() == 2);
  CHECK(result.unmatched[0].reason == "two");
  CHECK(result.unmatched[1].place.find("s.toml:9") != std::string::npos);
}

TEST_CASE("a file written for findings is read again, and matches these and no others") {
  Finding leak;
  leak.id = "memory-leak";
  leak.message = "8 bytes\nare \\ lost";
  const std::vector<Finding> findings{race_at("tree<int [4], a*>", "odd \"?\\ name*.cu", 5), leak};
  const std::vector<Suppression> suppressions = read(suppressions_for(findings));
  REQUIRE(suppressions.size() == 2);
  CHECK(suppressions[0].matches(findings[0]));
  CHECK_FALSE(suppressions[0].matches(race_at("tree<int 4, a*>", "odd \"?\\ name*.cu", 5)));
  CHECK_FALSE(suppressions[0].matches(race_at("tree<int [4], ab>", "odd \"?\\ name*.cu", 5)));
  CHECK_FALSE(suppressions[0].matches(race_at("tree<int [4], a*>", "odd \"?\\ names.cu", 5)));
  CHECK(suppressions[1].matches(leak));
  CHECK(suppress(findings, suppressions).left.empty());
}
