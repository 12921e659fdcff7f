// The Debian packages of `make package`: what is in them, and what they say of themselves.
#include <filesystem>
#include <sstream>

#include "catch.h"
#include "installation.h"
#include "tree/tree_paths.h"

using namespace cudalabs::test;
namespace fs = std::filesystem;

namespace {

const std::string kVersion = CUDALABS_VERSION;

/// Both packages, unpacked: the same for all test cases.
struct Packages {
  Packages() {
    const ProgramRun made = run_program(
        {CUDALABS_CPACK, "--config", cudalabs::build_path("CPackConfig.cmake"), "-B", folder.path().string()},
        folder.path(), {.seconds = 600});
    UNSCOPED_INFO(made.out << made.err);
    REQUIRE(made.exit_code == 0);
    for (const char* name : {"cudalabs", "cudalabs-student"}) {
      const ProgramRun unpacked =
          run_program({"/usr/bin/dpkg-deb", "-x", file(name), (folder.path() / name).string()}, folder.path());
      REQUIRE(unpacked.exit_code == 0);
    }
  }
  std::string file(const std::string& name) const {
    return (folder.path() / (name + "_" + kVersion + "_amd64.deb")).string();
  }
  std::string field(const std::string& name, const std::string& field) const {
    return run_program({"/usr/bin/dpkg-deb", "-f", file(name), field}, folder.path()).out;
  }
  TemporaryFolder folder{"packages"};
};

const Packages& packages() {
  static const Packages both;
  return both;
}

}  // namespace

TEST_CASE("students' package has no solution, no hidden case, and no path of the build") {
  const Secrets secrets = secrets_in(packages().folder.path() / "cudalabs-student");
  for (const std::string& each : secrets.found) FAIL_CHECK(each);
  CHECK(secrets.files > 50);
  for (const std::string& each : build_paths_in(packages().folder.path() / "cudalabs").found) FAIL_CHECK(each);
  CHECK(fs::exists(packages().folder.path() / "cudalabs/usr/share/cudalabs/solutions/lab3_naive_matmul/hidden.toml"));
}

TEST_CASE("packages name what grading needs, and each other as what they cannot be beside") {
  for (const auto& [name, other] : {std::pair<std::string, std::string>{"cudalabs", "cudalabs-student"},
                                    std::pair<std::string, std::string>{"cudalabs-student", "cudalabs"}}) {
    CAPTURE(name);
    const std::string depends = packages().field(name, "Depends");
    for (const char* needed :
         {"clang-", "llvm-", "libstdc++-", "binutils", "bubblewrap", "libc6-dev", "libc6 (>=", "libfmt"}) {
      CAPTURE(needed);
      CHECK(depends.find(needed) != std::string::npos);
    }
    for (const char* of_a_class : {"libsqlite3", "libgit2", "similarity-tester"}) {
      CAPTURE(of_a_class);
      // Not every release of Debian has it.
      const bool here = of_a_class != std::string("similarity-tester") || std::filesystem::exists("/usr/bin/sim_c++");
      CHECK((depends.find(of_a_class) != std::string::npos) == (name == "cudalabs" && here));
    }
    CHECK(packages().field(name, "Conflicts") == other + "\n");
    CHECK(packages().field(name, "Version") == kVersion + "\n");
  }
}

TEST_CASE("no file of a package can be changed by others, and all can be read") {
  for (const char* name : {"cudalabs", "cudalabs-student"}) {
    std::istringstream list(run_program({"/usr/bin/dpkg-deb", "-c", packages().file(name)}, "/").out);
    unsigned count = 0;
    for (std::string line; std::getline(list, line);) {
      CAPTURE(line);
      ++count;
      CHECK(line.find(" root/root ") != std::string::npos);
      if (line[0] == 'l') continue;
      CHECK(line[5] == '-');  // group may not write
      CHECK(line[8] == '-');  // others may not write
      CHECK(line[7] == 'r');
    }
    CHECK(count > 50);
  }
}
