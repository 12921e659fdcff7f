// Which grader grades, with which data, on which machine.
#include "course/provenance.h"

#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "build/digest.h"
#include "course_commit.h"
#include "sandbox/own_files.h"
#include "sandbox/tier.h"

#ifndef CUDALABS_VERSION
#error "the build defines CUDALABS_VERSION"
#endif

namespace cudalabs::course {
namespace {

namespace fs = std::filesystem;

/// Of a file, as `sha256sum` prints it; empty when there is none.
std::string sha256_of_file(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return "";
  std::ifstream stream(path, std::ios::binary);
  return builder::sha256(std::string(std::istreambuf_iterator<char>(stream), {}));
}

/// All of the grader's own files that take part: two graders of one commit may still have been built differently.
std::string digest_of_grader() {
  const sandbox::OwnFiles& own = sandbox::own_files();
  builder::Digest digest;
  for (const fs::path& file : {fs::path("/proc/self/exe"), own.file("vgpu-server"), sandbox::init_program(),
                               own.file("libcudalabs_harness.a"), own.file("libcudalabs_cudart.a")}) {
    digest.add(file.filename().string(), sha256_of_file(file));
  }
  return digest.finish();
}

/// What of the lab's folder decides a grading. Its other files are texts, and one that people work in.
std::string digest_of_lab(const Lab& lab) {
  builder::Digest digest;
  for (const std::string& name : {std::string("lab.toml"), lab.contract.header, lab.contract.runner}) {
    digest.add(name, sha256_of_file(lab.folder / name));
  }
  return digest.finish();
}

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

}  // namespace

Audit audit_of(const Lab& lab) {
  static const std::string grader = digest_of_grader();
  return {.version = CUDALABS_VERSION,
          .commit = CUDALABS_COMMIT,
          .grader = grader,
          .lab_data = digest_of_lab(lab),
          .hidden = sha256_of_file(lab.solution_folder / "hidden.toml"),
          .host = host_name()};
}

}  // namespace cudalabs::course
