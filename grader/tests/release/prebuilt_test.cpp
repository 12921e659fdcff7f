// The archive for students brings a grader along that is built already: it is used where it runs, and builds nothing.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "catch.h"
#include "installation.h"
#include "tree/tree_paths.h"

using namespace cudalabs::test;
namespace fs = std::filesystem;

namespace {

/// The archive, packed once.
const std::string& packed_archive() {
  static const TemporaryFolder folder{"prebuilt"};
  static const std::string archive = [] {
    const fs::path source = cudalabs::source_path();
    const std::string file = (folder.path() / "students.tar.gz").string();
    const ProgramRun packed =
        run_program({CUDALABS_CMAKE, "-D", "SOURCE=" + source.string(), "-D", "VERSION=0.0.0", "-D", "OUT=" + file,
                     "-D", "BUILD=" + cudalabs::build_path(), "-D", "PROGRAM=" + cudalabs::build_path("grade"), "-P",
                     (source / "grader/release/pack.cmake").string()},
                    folder.path());
    UNSCOPED_INFO(packed.out << packed.err);
    REQUIRE(packed.exit_code == 0);
    return file;
  }();
  return archive;
}

/// The archive, unpacked in a folder of its own.
struct Unpacked {
  Unpacked() {
    REQUIRE(run_program({CUDALABS_CMAKE, "-E", "tar", "xzf", packed_archive()}, folder.path()).exit_code == 0);
  }
  TemporaryFolder folder{"students"};
  fs::path root = folder.path() / "cudalabs-0.0.0";
};

}  // namespace

TEST_CASE("the grader that students' archive brings along has no secret") {
  const Unpacked unpacked;
  for (const std::string& each : secrets_in(unpacked.root / "prebuilt").found) FAIL_CHECK(each);
}

TEST_CASE("setup.sh takes the grader that was brought along, and it grades") {
  const Unpacked unpacked;
  const ProgramRun setup =
      run_bare({"/bin/bash", "setup.sh", "build"}, unpacked.root, unpacked.folder.path(), {"CUDALABS_NO_APT=1"});
  UNSCOPED_INFO(setup.out << setup.err);
  REQUIRE(setup.exit_code == 0);
  CHECK(setup.out.find("nothing to build") != std::string::npos);
  const fs::path build = unpacked.root / "build";
  CHECK_FALSE(fs::exists(build / "CMakeCache.txt"));
  CHECK(run_bare({"/usr/bin/make", "lab3"}, build, unpacked.folder.path()).exit_code == 0);
  const ProgramRun graded = run_bare({"./grade", "lab3", "--json", "report.json"}, build, unpacked.folder.path());
  CHECK(graded.exit_code == 1);
  CHECK(graded.out.find("make lab3 && ./grade lab3") != std::string::npos);
  const auto report = nlohmann::json::parse(read_file(build / "report.json"));
  CHECK(report.at("checks").at(0).at("status") == "passed");
}

TEST_CASE("a grader that does not run here is not used: setup.sh goes on to build one") {
  const Unpacked unpacked;
  fs::remove(unpacked.root / "prebuilt/vgpu-server");
  // A cmake of its own says that the build was begun.
  const ProgramRun setup =
      run_bare({"/bin/bash", "-c", "cmake() { echo it builds; return 1; }; export -f cmake; exec bash setup.sh build"},
               unpacked.root, unpacked.folder.path(), {"CUDALABS_NO_APT=1"});
  CHECK(setup.exit_code != 0);
  CHECK(setup.out.find("nothing to build") == std::string::npos);
  CHECK((setup.out + setup.err).find("it builds") != std::string::npos);
}
