// Reads the errors' texts; the wordings are those of clang 14 to 19 and nvcc 13.
#include "build/error_help.h"

#include <algorithm>
#include <array>
#include <string>

namespace cudalabs::builder {
namespace {

std::string help_with_launch(std::string_view text) {
  constexpr std::string_view kBefore = "call to global function '", kAfter = "' not configured";
  if (text.starts_with(kBefore) && text.ends_with(kAfter)) {
    const std::string_view name = text.substr(kBefore.size(), text.size() - kBefore.size() - kAfter.size());
    std::string help = "`";
    help.append(name).append("` is a kernel: launch it with `").append(name);
    return help + "<<<blocks, threads>>>(...)`";
  }
  if (text == "a __global__ function call must be configured")
    return "this function is a kernel: launch it with `kernel<<<blocks, threads>>>(...)`";
  return {};
}

}  // namespace

bool is_about_signature(std::string_view error) {
  constexpr std::array kForms{std::string_view("differ only in their return type"),
                              std::string_view("distinguished by return type alone"),
                              std::string_view("conflicting types for"), std::string_view("conflicting declaration")};
  return std::ranges::any_of(kForms, [&](std::string_view form) { return error.find(form) != std::string_view::npos; });
}

void help_with_error(Finding& finding, std::string_view header) {
  if (!finding.help.empty()) return;
  finding.help = help_with_launch(finding.message);
  if (finding.help.empty() && is_about_signature(finding.message)) {
    finding.help = "the function's name, its parameters and what it returns must be exactly those in `";
    finding.help.append(header).append("`");
  }
}

}  // namespace cudalabs::builder
