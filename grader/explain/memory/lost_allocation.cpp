// Parameters whose address an allocation gets.
#include "explain/memory/lost_allocation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

constexpr std::array<std::string_view, 4> kAllocating{"cudaMalloc", "cudaMallocManaged", "cudaMallocAsync",
                                                      "cudaMallocHost"};

/// "d" of "&d", "(void**)&d" and "reinterpret_cast<void**>(&d)"; empty: it is something else.
std::string_view pointer_given(std::string_view argument) {
  const std::size_t sign = argument.rfind('&');
  if (sign == kNowhere) return {};
  const std::size_t begin = past_spaces(argument, sign + 1), end = end_of_word(argument, begin);
  const std::string_view rest = argument.substr(end);
  const bool whole = rest.find_first_not_of(" )\n") == kNowhere;
  return whole && end > begin ? argument.substr(begin, end - begin) : std::string_view();
}

/// "float* d", and not "float*& d", "float* d[]".
bool is_copy_of_pointer(const std::string& parameter, std::string_view name) {
  return parameter_name(parameter) == name && parameter.find('*') != kNowhere &&
         parameter.find_first_of("&[") == kNowhere;
}

/// The body gives the pointer away, stores it, or uses it itself.
bool keeps(std::string_view body, std::string_view name, std::size_t allocated) {
  if (body.find("<<<") != kNowhere || body.find("cudaFree") != kNowhere) return true;
  bool kept = false;
  for_each_name(body, [&](std::size_t at, std::string_view word) {
    if (word != name || at == allocated) return;
    const std::string_view before = word_before(body, at);
    const std::size_t last = before_spaces(body, at), next = past_spaces(body, at + word.size());
    const bool stored = last != kNowhere && body[last] == '=' && !std::string_view("=!<>").starts_with(body[last - 1]);
    kept = kept || before == "return" || stored || body.substr(next).starts_with("=") || body[last] == '&';
  });
  return kept;
}

std::optional<LostAllocation> lost_in(const FunctionBody& function, std::string_view code) {
  const std::string_view body = code.substr(function.begin, function.end - function.begin);
  std::optional<LostAllocation> found;
  for_each_name(body, [&](std::size_t at, std::string_view word) {
    if (found || std::ranges::find(kAllocating, word) == kAllocating.end()) return;
    const std::size_t open = past_spaces(body, at + word.size()), close = past_bracket(body, open);
    if (open >= body.size() || body[open] != '(' || close == kNowhere) return;
    const auto arguments = items_of(body.substr(open + 1, close - open - 2));
    const std::string_view name = arguments.empty() ? std::string_view() : pointer_given(arguments.front());
    const auto parameter = std::ranges::find_if(
        function.parameters, [&](const std::string& each) { return is_copy_of_pointer(each, name); });
    if (name.empty() || parameter == function.parameters.end()) return;
    const auto place = static_cast<std::size_t>(name.data() - body.data());
    if (!keeps(body, name, place))
      found = LostAllocation{setting_at_place(code, function.begin + place, name), function.name, *parameter};
  });
  return found;
}

bool is_about_pointer(const MergedFinding& finding) {
  if (finding.id == finding_ids::kNullPointerDereference) return true;
  return finding.id == finding_ids::kHostPointerDereference ||
         (finding.id == finding_ids::kRuntimeError && finding.wrong_pointer);
}

}  // namespace

std::optional<LostAllocation> lost_allocation(std::string_view source) {
  const std::string code = without_comments(source);
  for (const FunctionBody& function : function_bodies(code)) {
    if (auto lost = lost_in(function, code)) return lost;
  }
  return std::nullopt;
}

void show_lost_allocation(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  for (MergedFinding& finding : findings) {
    if (!is_about_pointer(finding) || !finding.where.known() || !finding.is_in_file(file)) continue;
    const auto lost = lost_allocation(source);
    if (!lost || lost->pointer.line == finding.where.line) continue;
    const std::string& name = lost->pointer.names.front();
    finding.other =
        OtherPlace{fmt::format("the address is stored in `{}`, a copy that ends with `{}`", name, lost->function),
                   {finding.where.file, lost->pointer.line, lost->pointer.column},
                   {},
                   {}};
    std::string reference = lost->parameter;
    reference.insert(reference.rfind('*') + 1, "&");
    finding.help = fmt::format(
        "`{}` gets a copy of the pointer, and its caller's stays as it was: take it by reference, `{}`, or return the "
        "address",
        lost->function, reference);
  }
}

}  // namespace cudalabs
