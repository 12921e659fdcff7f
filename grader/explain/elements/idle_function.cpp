#include "explain/elements/idle_function.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "explain/elements/seen_output.h"
#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "text/told_lines.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

constexpr std::size_t kMostFunctions = 200;  // a text may be made to be long to read

/// A function by which something may be written, or called that writes.
bool may_write(std::string_view name, const std::vector<FunctionBody>& functions) {
  const bool own = std::ranges::find(functions, name, &FunctionBody::name) != functions.end();
  const bool of_cuda = name.starts_with("cuda") || name.starts_with("cu");
  const bool asks = name == "cudaGetLastError" || name == "cudaPeekAtLastError" || name == "cudaGetErrorString" ||
                    name == "cudaDeviceSynchronize" || name == "cudaSuccess" || name == "cudaError_t";
  return own || (of_cuda && !asks);
}

bool takes(const FunctionBody& function, std::string_view output) {
  const std::string on_device = fmt::format("d_{}", output);
  return std::ranges::any_of(function.parameters, [&](const std::string& parameter) {
    return has_name(parameter, output) || has_name(parameter, on_device);
  });
}

/// A kernel, or a function of the device. Its words stand before the body, after the definition before it.
bool is_of_device(std::string_view code, const FunctionBody& function) {
  const std::size_t before = code.substr(0, function.begin).find_last_of(";}");
  const std::size_t from = before == kNowhere ? 0 : before;
  const std::string_view head = code.substr(from, function.begin - from);
  return has_name(head, "__global__") || has_name(head, "__device__");
}

/// What they stand for is not read.
std::set<std::string_view> macro_names(std::string_view code) {
  constexpr std::string_view kDefine = "#define";
  std::set<std::string_view> names;
  for (std::size_t at = code.find(kDefine); at != kNowhere; at = code.find(kDefine, at + 1)) {
    const std::size_t name = past_spaces(code, at + kDefine.size());
    names.insert(code.substr(name, end_of_word(code, name) - name));
  }
  return names;
}

}  // namespace

IdleFunction idle_function(std::string_view code, std::string_view output) {
  const std::vector<FunctionBody> functions = function_bodies(code);
  if (functions.size() > kMostFunctions) return {};
  const FunctionBody* only = nullptr;
  for (const FunctionBody& function : functions) {
    if (is_of_device(code, function) || !takes(function, output)) continue;
    if (only != nullptr) return {};
    only = &function;
  }
  if (only == nullptr) return {};
  const std::string_view body = code.substr(only->begin, only->end - only->begin);
  bool idle = body.find("<<<") == kNowhere;
  const std::set<std::string_view> macros = macro_names(code);
  for_each_name(body, [&](std::size_t, std::string_view name) {
    idle = idle && !macros.contains(name) && !may_write(name, functions);
  });
  const auto text = idle ? only_function(code, only->name) : std::nullopt;
  return text ? IdleFunction{only->name, text->line} : IdleFunction{};
}

void show_idle_functions(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                         const SubmissionRun& submission_run) {
  for (MergedFinding& finding : findings) {
    if (finding.id != finding_ids::kUnwrittenOutput || finding.where.known() || finding.proven) continue;
    const auto outputs = outputs_seen_in(finding, submission_run);
    const bool for_others = !outputs.empty() && std::ranges::all_of(outputs, [](const SeenOutput& seen) {
      const Observation& observed = seen.case_run->observed;
      return seen.comparison != nullptr && observed.end == RunEnd::finished && !observed.launches.empty();
    });
    if (!for_others) continue;
    const IdleFunction idle = idle_function(without_comments(source), finding.output);
    if (idle.name.empty()) continue;
    finding.message = fmt::format("`{}` launches no kernel: {}", idle.name, finding.message);
    finding.where = {file, idle.line, 0};
    finding.cause.reset();
    finding.proven = true;
    erase_line(finding.note, "launch: ");  // another function's
    finding.help = fmt::format("launch a kernel in `{}` that stores every element of `{}`", idle.name, finding.output);
  }
}

}  // namespace cudalabs
