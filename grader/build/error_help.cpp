// Reads the errors' texts; the wordings are those of clang 14 to 19 and nvcc 13.
#include "build/error_help.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "build/form_errors.h"
#include "build/message_text.h"
#include "build/name_errors.h"
#include "build/side_errors.h"
#include "text/code_scan.h"

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

std::string help_with_signature(std::string_view text, const ErrorSource& source) {
  if (!is_about_signature(text)) return {};
  return "the function's name, its parameters and what it returns must be exactly those in " +
         in_backticks(source.header());
}

/// The function that an error takes for one of the host although it is launched; empty: it tells of none.
std::string launched_on_host(const Finding& error, const ErrorSource& source) {
  if (const auto name = between(error.message, "kernel call to non-global function '", "'"))
    return plain_name(std::string(*name));
  if (error.message == "a host function call cannot be configured")
    return std::string(launched_in(source.code_line(error.where)));
  if (!is_of_builtin_variable(error.message)) return {};
  const FunctionBody* function = source.function_around(error.where);
  return function != nullptr && source.is_launched(function->name) ? function->name : std::string();
}

/// "`add` is launched, but its definition lacks `__global__`", at the definition.
std::optional<Finding> missing_global(const std::string& name, const Definition& found, const Finding& error) {
  if (has_name(found.head, "__global__")) return std::nullopt;
  Finding finding = error;
  finding.where.line = found.line;
  finding.where.column = found.column;
  finding.message = in_backticks(name) + " is launched as a kernel, but its definition lacks `__global__`";
  finding.note = "the compiler says: " + error.message;
  const bool device = has_name(found.head, "__device__");
  finding.help = device ? "write `__global__` in place of `__device__`"
                        : "write `__global__` before the definition: `__global__ void " + name + "(...)`";
  return finding;
}

/// Errors of a function that is launched and is none of the device are one: those of its variables follow from it. All
/// of them follow from another error in the line of its definition.
void join_errors_of_launched(std::vector<Finding>& errors, const ErrorSource& source) {
  std::vector<std::string> names;
  std::vector<std::uint32_t> others;  // lines of errors of something else
  for (const Finding& error : errors) {
    names.push_back(source.has(error.where) ? launched_on_host(error, source) : std::string());
    if (names.back().empty() && source.has(error.where)) others.push_back(error.where.line);
  }
  std::vector<Finding> kept, told;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    const auto definition = names[i].empty() ? std::nullopt : source.definition(names[i]);
    if (definition && std::ranges::find(others, definition->line) != others.end()) continue;
    std::optional<Finding> own = definition ? missing_global(names[i], *definition, errors[i]) : std::nullopt;
    if (!own) {
      kept.push_back(errors[i]);
      continue;
    }
    const auto same = std::ranges::find(told, own->where, &Finding::where);
    if (same == told.end()) {
      told.push_back(std::move(*own));
    } else if (!is_of_builtin_variable(errors[i].message) && is_of_builtin_variable(same->note)) {
      same->note = own->note;  // of the launch, which says more
    }
  }
  // Before all others: clang tells of these last, and may stop before.
  told.insert(told.end(), kept.begin(), kept.end());
  errors = std::move(told);
}

}  // namespace

bool is_about_signature(std::string_view error) {
  constexpr std::array kForms{std::string_view("differ only in their return type"),
                              std::string_view("distinguished by return type alone"),
                              std::string_view("conflicting types for"), std::string_view("conflicting declaration")};
  return std::ranges::any_of(kForms, [&](std::string_view form) { return error.find(form) != std::string_view::npos; });
}

void help_with_errors(std::vector<Finding>& errors, const ErrorSource& source) {
  join_errors_of_launched(errors, source);
  for (std::size_t i = 0; i < errors.size(); ++i) {
    Finding& error = errors[i];
    if (!error.help.empty()) continue;
    const bool first_of_line = std::none_of(errors.begin(), errors.begin() + static_cast<std::ptrdiff_t>(i),
                                            [&](const Finding& other) { return other.where.line == error.where.line; });
    for (std::string help :
         {help_with_launch(error.message), help_with_signature(error.message, source), help_with_side(error, source),
          help_with_name(error, source, first_of_line), help_with_form(error, source)}) {
      if (error.help.empty()) error.help = std::move(help);
    }
  }
}

}  // namespace cudalabs::builder
