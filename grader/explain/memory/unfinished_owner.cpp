#include "explain/memory/unfinished_owner.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "check/way_out.h"
#include "patch/patch.h"
#include "patch/patched_source.h"
#include "patch/statements.h"
#include "patch/uses.h"
#include "source/call_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

using patch::Function;
using patch::kNone;
using patch::Token;
using patch::TokenRange;

constexpr std::string_view kAllocatesOwned = "cudaMalloc";

/// "#define CHECK(call) ... throw ...", over several lines, too.
std::set<std::string_view> throwing_macros(std::string_view code) {
  std::set<std::string_view> names;
  for (std::size_t at = code.find("#define"); at != kNowhere; at = code.find("#define", at + 1)) {
    std::size_t end = at;
    do {
      end = std::min(code.find('\n', end + 1), code.size());
    } while (end < code.size() && code[end - 1] == '\\');
    const std::size_t name = past_spaces(code, at + 7);
    if (has_name(code.substr(at, end - at), "throw")) names.insert(code.substr(name, end_of_word(code, name) - name));
    at = end == code.size() ? end : end - 1;
    if (at >= code.size()) break;
  }
  return names;
}

class ConstructorReader {
 public:
  explicit ConstructorReader(std::string_view code) : code_(code), source_(code), read_(source_.statements) {}

  std::string owner(std::uint32_t allocation, std::uint32_t failing) const {
    const Function* constructor = function_with(allocation, failing);
    if (constructor == nullptr || failing < allocation) return {};
    const std::string_view type = tokens()[constructor->name].text;
    const bool is_destructor = constructor->name > 0 && tokens()[constructor->name - 1].is("~");
    if (is_destructor || !is_freed_by_destructor(type) || has(body_of(*constructor), "catch")) return {};
    return throws_in(*constructor, failing) ? std::string(type) : std::string();
  }

 private:
  const std::vector<Token>& tokens() const { return source_.tokens; }
  static TokenRange body_of(const Function& function) { return {function.open, function.close}; }
  bool has(TokenRange stretch, std::string_view word) const { return patch::uses(tokens(), stretch, word); }

  /// The innermost function with a name that has both lines in its body.
  const Function* function_with(std::uint32_t first, std::uint32_t second) const {
    const Function* found = nullptr;
    for (const Function& function : read_.functions) {
      const auto has_line = [&](std::uint32_t line) {
        return tokens()[function.open].line <= line && line <= tokens()[function.close].line;
      };
      if (function.name != kNone && has_line(first) && has_line(second)) found = &function;
    }
    return found;
  }

  bool is_freed_by_destructor(std::string_view type) const {
    return std::ranges::any_of(read_.functions, [&](const Function& function) {
      const bool is_destructor = function.name != kNone && function.name > 0 && tokens()[function.name].is(type) &&
                                 tokens()[function.name - 1].is("~");
      return is_destructor && patch::release_in(tokens(), body_of(function)) != std::string_view::npos;
    });
  }

  /// The line itself, a function or a macro that it calls, or what stands behind it in the constructor.
  bool throws_in(const Function& constructor, std::uint32_t failing) const {
    const std::set<std::string_view> macros = throwing_macros(code_);
    std::set<std::string_view> called;
    for (std::size_t at = constructor.open; at < constructor.close; ++at) {
      const Token& token = tokens()[at];
      if (token.line < failing) continue;
      if (token.is("throw") || (token.line == failing && macros.contains(token.text))) return true;
      if (token.line == failing && tokens()[at + 1].is("(")) called.insert(token.text);
    }
    return std::ranges::any_of(read_.functions, [&](const Function& function) {
      const bool is_called = function.name != kNone && called.contains(tokens()[function.name].text);
      return is_called && has(body_of(function), "throw");
    });
  }

  std::string_view code_;
  patch::PatchedSource source_;
  const patch::Statements& read_;
};

/// The first of its cases; null where one of them has no call that is made to fail, or did not come to its end.
const CaseRun* first_failing_case(const MergedFinding& finding, const SubmissionRun& submission_run) {
  const CaseRun* first = nullptr;
  for (const CaseRun& case_run : submission_run.case_runs) {
    if (std::ranges::find(finding.cases, case_run.test.spec.name) == finding.cases.end()) continue;
    if (!case_run.test.spec.faults.any() || case_run.observed.end != RunEnd::finished) return nullptr;
    if (first == nullptr) first = &case_run;
  }
  return first;
}

}  // namespace

std::string unfinished_owner(std::string_view code, std::uint32_t allocation, std::uint32_t failing) {
  return ConstructorReader(code).owner(allocation, failing);
}

void show_unfinished_owners(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                            const SubmissionRun& submission_run) {
  std::string code;
  for (MergedFinding& finding : findings) {
    if (finding.id != finding_ids::kMemoryLeak || finding.other || !finding.is_in_file(file)) continue;
    const CaseRun* case_run = first_failing_case(finding, submission_run);
    const WatchedCall* told = case_run == nullptr ? nullptr : first_told(case_run->observed.after_failure);
    if (told == nullptr) continue;
    if (code.empty()) code = without_comments(source);
    for (const SourcePlace& place : {told->where, told->outer}) {
      if (place.file != finding.where.file || place.line == 0) continue;
      const std::string type = unfinished_owner(code, finding.where.line, place.line);
      if (type.empty()) continue;
      const std::string pointer = allocated_pointer(code, finding.where.line, kAllocatesOwned);
      finding.other = OtherPlace{"an exception leaves the constructor here", {place.file, place.line, 0}, {}, {}};
      finding.note.insert(
          0, fmt::format("the destructor of `{}` is not run for an object whose constructor did not end\n", type));
      finding.help = fmt::format(
          "free {} before the exception leaves the constructor, or allocate in another constructor to which this one "
          "delegates: once that has ended, the destructor runs",
          pointer.empty() ? std::string("this memory") : fmt::format("`{}`", pointer));
      break;
    }
  }
}

}  // namespace cudalabs
