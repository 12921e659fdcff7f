// Container recipes: each installs by the one script, which is run here with programs that only say what they were
// asked.
#include <sys/stat.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "catch.h"
#include "installation.h"
#include "tree/tree_paths.h"

using namespace cudalabs::test;
namespace fs = std::filesystem;

namespace {

const fs::path kRecipes = cudalabs::source_path("grader/release/container");

/// apt-get and cudalabs-grade of a machine that is none: they note their arguments.
struct Machine {
  Machine() {
    for (const char* name : {"apt-get", "cudalabs-grade"}) {
      const fs::path program =
          folder.write(fs::path("bin") / name, "#!/bin/sh\necho \"${0##*/} $*\" >>\"$HOME/log\"\n");
      chmod(program.c_str(), 0755);
    }
  }
  ProgramRun install(const std::string& what) const {
    return run_program({"/usr/bin/env", "-i", "PATH=" + (folder.path() / "bin").string() + ":/usr/bin:/bin",
                        "HOME=" + folder.path().string(), "/bin/sh", (kRecipes / "install_package.sh").string(), what},
                       folder.path());
  }
  std::string log() const { return fs::exists(folder.path() / "log") ? read_file(folder.path() / "log") : ""; }

  TemporaryFolder folder{"recipe"};
};

}  // namespace

TEST_CASE("the script installs the package that lies in a folder, without recommended ones, and tries it") {
  const Machine machine;
  machine.folder.write("in/cudalabs-student_1.0.0_amd64.deb", "");
  CHECK(machine.install("in").exit_code == 0);
  CHECK(machine.log() ==
        "apt-get update -q\n"
        "apt-get install -y -q --no-install-recommends ./in/cudalabs-student_1.0.0_amd64.deb\n"
        "cudalabs-grade list\n");
}

TEST_CASE("the script installs nothing when it is not clear what") {
  const Machine machine;
  fs::create_directory(machine.folder.path() / "none");
  machine.folder.write("two/cudalabs_1_amd64.deb", "");
  machine.folder.write("two/cudalabs-student_1_amd64.deb", "");
  for (const char* what : {"none", "two", "missing.deb"}) {
    CAPTURE(what);
    const ProgramRun run = machine.install(what);
    CHECK(run.exit_code == 1);
    CHECK(run.err.starts_with("install_package.sh: "));
  }
  CHECK(machine.log().empty());
}

TEST_CASE("every recipe installs by that script") {
  for (const char* name : {"Dockerfile", "cudalabs.def"}) {
    CAPTURE(name);
    CHECK(read_file(kRecipes / name).find("sh /") != std::string::npos);
    CHECK(read_file(kRecipes / name).find("install_package.sh") != std::string::npos);
    CHECK(read_file(kRecipes / name).find("apt-get") == std::string::npos);
  }
  const fs::path recipe = kRecipes / "devcontainer/devcontainer.json";
  const auto json = nlohmann::json::parse(read_file(recipe));
  CHECK(fs::equivalent(recipe.parent_path() / json.at("build").at("dockerfile").get<std::string>(),
                       kRecipes / "Dockerfile"));
}
