#include "explain/macros/repeated_argument.h"

#include <fmt/format.h>

#include "source/macro_argument.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

bool returned_error(const MergedFinding& finding) {
  return finding.id == finding_ids::kResultMismatch && finding.where.known() && !finding.failed_call.empty();
}

}  // namespace

void show_repeated_arguments(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  std::string code;
  for (MergedFinding& finding : findings) {
    if (!returned_error(finding) || !finding.is_in_file(file)) continue;
    if (code.empty()) code = without_comments(source);
    const auto repeated = repeated_argument_in(code, finding.where.line);
    if (!repeated || finding.failed_call != repeated->call) continue;
    finding.other = OtherPlace{
        fmt::format("the macro `{}` has `{}` {} times", repeated->macro, repeated->parameter, repeated->times),
        {finding.where.file, repeated->line, 0},
        {},
        {}};
    const bool asks = repeated->call == "cudaGetLastError";
    finding.help = fmt::format(
        "a macro puts the text of its argument in each of these places: `{}` is called again{}. In the macro, keep "
        "what one call returns in a variable of the type `cudaError_t`, and use the variable",
        repeated->call, asks ? ", and the second call returns `cudaSuccess`, for the first has cleared the error" : "");
  }
}

}  // namespace cudalabs
