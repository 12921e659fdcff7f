// Which PTX instructions and which calls of the CUDA runtime the virtual GPU has.
#include "sanitizer/coverage_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "vgpu/cudart/call_names.h"
#include "vgpu/ptx/instruction_set.h"

namespace cudalabs::sanitizer {
namespace {

using Names = std::vector<std::string_view>;

constexpr std::size_t kWidth = 120;

/// The names as code, in lines.
std::string listed(const Names& names) {
  std::string text, line;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string name = fmt::format("`{}`{}", names[i], i + 1 < names.size() ? "," : "");
    if (!line.empty() && line.size() + 1 + name.size() > kWidth) {
      text += line + '\n';
      line.clear();
    }
    line += (line.empty() ? "" : " ") + name;
  }
  return text + line + "\n";
}

constexpr std::string_view kUnsupported[] = {
#define CUDALABS_UNSUPPORTED(name) #name,
#include "vgpu/cudart/include/cudalabs_device/unsupported_names.h"
#undef CUDALABS_UNSUPPORTED
};

constexpr std::string_view kDriverOffered[] = {
#define CUDALABS_DRIVER_OFFERED(name) #name,
#define CUDALABS_DRIVER_UNSUPPORTED(name)
#include "vgpu/cudart/driver_names.h"
#undef CUDALABS_DRIVER_OFFERED
#undef CUDALABS_DRIVER_UNSUPPORTED
};

Names calls(bool offered) {
  Names names;
  for (const std::string_view name : vgpu::wire::kCallNames) {
    if (!name.empty() && (std::ranges::find(kUnsupported, name) == std::end(kUnsupported)) == offered)
      names.push_back(name);
  }
  return names;
}

enum class Doing { executed, without_effect, refused };

Doing doing_of(const vgpu::ptx::InstructionFacts& facts) {
  if (!facts.is_executed()) return Doing::refused;
  return facts.family == vgpu::ptx::Family::no_operation ? Doing::without_effect : Doing::executed;
}

Names instructions(Doing doing) {
  Names names;
  for (const vgpu::ptx::InstructionFacts& facts : vgpu::ptx::rows::kAll) {
    if (doing_of(facts) == doing) names.push_back(facts.name);
  }
  return names;
}

std::string section(std::string_view title, std::string_view about, const Names& names) {
  return fmt::format("\n### {} ({})\n\n{}\n\n{}", title, names.size(), about, listed(names));
}

}  // namespace

std::string coverage_page() {
  std::string text =
      "# Instructions and calls\n\n"
      "What the virtual GPU has, printed from the tables that it works by: `grader/vgpu/ptx/instruction_set.h`,\n"
      "`grader/vgpu/cudart/call_names.h`, `grader/vgpu/cudart/driver_names.h` and\n"
      "`grader/vgpu/cudart/include/cudalabs_device/unsupported_names.h`.\n"
      "`make instructions_and_calls` in the build folder prints it again. How to use it: "
      "[SANITIZER.md](SANITIZER.md).\n\n"
      "## PTX instructions\n";
  text += section("Executed",
                  "An instruction may have forms that are not executed, most of them for matrices and the "
                  "tensor memory of newer\nGPUs. A kernel that has one is refused when it is launched, with the line.",
                  instructions(Doing::executed));
  text += section("Without an effect that a program can see", "They are hints for caches, schedulers and tools.",
                  instructions(Doing::without_effect));
  text += section("Not executed", "A kernel from which one can be reached is refused when it is launched.",
                  instructions(Doing::refused));
  text += "\n## Calls of the CUDA runtime\n\nCUDA 13.\n";
  text += section("Offered", "As the CUDA Runtime API describes them, for the one device there is.", calls(true));
  text +=
      section("Not offered",
              "The call returns `cudaErrorNotSupported` and is the finding `unsupported-call`, which says what to use "
              "instead.",
              calls(false));
  text += "\n## Calls of the CUDA driver\n\nCUDA 13, for programs that were linked with `-lcuda`.\n";
  text += section("Offered by the driver's library",
                  "All contexts share the memory of the one device. The others return `CUDA_ERROR_NOT_SUPPORTED`, and "
                  "are the same finding.",
                  Names(std::begin(kDriverOffered), std::end(kDriverOffered)));
  return text;
}

}  // namespace cudalabs::sanitizer
