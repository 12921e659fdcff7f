// Folders of headers.
#include "vgpu/ptx/library_files.h"

namespace cudalabs::vgpu::ptx {

bool is_of_toolkit(std::string_view file) {
  const auto has = [&](std::string_view part) { return file.find(part) != std::string_view::npos; };
  return (has("/targets/") && has("/include/")) || has("/include/cccl/");
}

bool is_of_library(std::string_view file) {
  const auto has = [&](std::string_view part) { return file.find(part) != std::string_view::npos; };
  const bool of_system = file.starts_with("/usr/") && has("/include/");
  const bool of_compiler = has("/include/c++/") || has("/lib/clang/");
  // In the sources, and where a grading compiles.
  const bool of_runtime =
      has("/vgpu/cudart/include/") || has("/include/cudart/") || file.starts_with("include/cudart/");
  return is_of_toolkit(file) || of_system || of_compiler || of_runtime;
}

}  // namespace cudalabs::vgpu::ptx
