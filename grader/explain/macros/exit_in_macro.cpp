#include "explain/macros/exit_in_macro.h"

#include <fmt/format.h>

#include <array>

#include "source/call_text.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

constexpr std::array<std::string_view, 6> kEndingCalls{"exit", "abort", "_exit", "_Exit", "quick_exit", "terminate"};

}  // namespace

void show_exits_in_macros(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  std::string code;
  for (MergedFinding& finding : findings) {
    if (finding.id != finding_ids::kRunnerCrashed || finding.other || !finding.is_in_file(file)) continue;
    if (code.empty()) code = without_comments(source);
    for (const std::string_view name : kEndingCalls) {
      const auto call = call_by_macro(code, finding.where.line, name);
      if (!call) continue;
      finding.other = OtherPlace{fmt::format("the macro `{}` calls `{}` here", call->macro, name),
                                 {finding.where.file, call->line, 0},
                                 {},
                                 {}};
      break;
    }
  }
}

}  // namespace cudalabs
