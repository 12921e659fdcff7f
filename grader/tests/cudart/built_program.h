// Whole programs of programs/, built by clang as the grader does and by nvcc, and run by `vgpu run`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "vgpu/cudart/server_report.h"

namespace cudalabs::vgpu::test {

/// A folder of this process's own, gone at the end.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

/// The text of a file.
std::string contents(const std::string& path);

/// How a program ended, what it wrote, and what the virtual GPU says of it.
struct Outcome {
  int code = -1;
  std::string output, errors;
  ServerReport report;
};
Outcome run(const Scratch& scratch, const std::string& program, const std::string& options = "");
/// The first finding of that name, or null.
const Finding* find(const ServerReport& report, const std::string& id);

struct Clang {
  std::string version;  // "14"
  bool checked = true;
  std::string level = "-O3";  // of a build that is not checked
};
/// Builds programs/NAME.cu as the comment at the top of cudart's CMakeLists.txt says. Warnings are errors: ours must
/// not show. All builds in a folder are of the same clang; `alone`: there is only one.
std::string build(const Scratch& scratch, const std::string& name, const Clang& clang, bool alone = true);
/// `flags` in their long forms: ccache takes -G for an option that the next word belongs to, and keeps nothing then.
std::string build_with_nvcc(const Scratch& scratch, const std::string& name, const std::string& flags);
/// A program of several files, called like the first; the flags name the architecture.
std::string build_files_with_nvcc(const Scratch& scratch, const std::vector<std::string>& names,
                                  const std::string& flags);
/// NAME.ptx beside them; the flags name the architecture.
std::string ptx_by_nvcc(const Scratch& scratch, const std::string& name, const std::string& flags);

/// The line of programs/NAME.cu that holds `text`; 0: none does.
std::uint32_t line_of(const std::string& name, const std::string& text);

/// One mistake that a program of programs/ makes when it is asked to, and the finding that there must be.
struct ProgramMutant {
  const char* arguments;
  const char* id;
  const char* line;     // a text that it holds; empty: any
  const char* other;    // likewise, of the finding's other place
  const char* message;  // a part of it
  const char* note;     // likewise
};
bool shows(const ServerReport& report, const std::string& program, const ProgramMutant& mutant);

}  // namespace cudalabs::vgpu::test
