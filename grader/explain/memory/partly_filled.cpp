// Objects are told apart by the names that their functions are called with.
#include "explain/memory/partly_filled.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "text/told_lines.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// A text may be made to be long to read; of a person there are fewer.
constexpr std::size_t kMostObjects = 16, kMostFills = 8;

/// A call of a member function: "b" of "b.copyFrom(d_b)".
struct ObjectCall {
  std::string_view object;
  std::size_t place = 0;
};

std::vector<ObjectCall> calls_for_objects(std::string_view code, std::string_view function) {
  std::vector<ObjectCall> calls;
  for (std::size_t at = code.find(function); at != kNowhere && calls.size() < kMostObjects;
       at = code.find(function, at + function.size())) {
    const std::size_t end = at + function.size(), open = past_spaces(code, end);
    const bool called = open < code.size() && code[open] == '(';
    if (!called || at == 0 || is_word_letter(code[at - 1]) || !is_member(code, at)) continue;
    const std::size_t sign = before_spaces(code, at);
    const std::string_view object = word_before(code, code[sign] == '.' ? sign : sign - 1);
    if (!object.empty()) calls.push_back({object, static_cast<std::size_t>(object.data() - code.data())});
  }
  return calls;
}

/// Member functions that call `cudaMemset`, by their names.
std::set<std::string_view> filling_functions(std::string_view code) {
  std::set<std::string_view> names;
  std::size_t looked_at = 0;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    if (!word.starts_with("cudaMemset") || ++looked_at > kMostFills) return;
    const std::string_view name = defined_around(code, at);
    if (!name.empty()) names.insert(name);
  });
  return names;
}

/// The copy is the only call that fills the allocation, as the finding tells.
bool is_partly_filled(const MergedFinding& finding) {
  return finding.id == finding_ids::kUninitializedRead && finding.other && finding.other->place.known() &&
         finding.other->place.file == finding.where.file && finding.other->name.starts_with("cudaMemcpy") &&
         finding.help.advises(Advice::compare_writes);
}

/// " of 8192 bytes"; empty: the size is not known.
std::string size_of_allocation(const AccessFacts& access) {
  if (access.allocated == 0) return {};
  return fmt::format(" of {} byte{}", access.allocated, access.allocated == 1 ? "" : "s");
}

void show_uncleared_object(MergedFinding& finding, const UnclearedObject& object) {
  const std::string& name = object.call.names.front();
  finding.note.insert(0, fmt::format("line {}: {}\n", finding.other->place.line, finding.other->label));
  finding.other = OtherPlace{"the kernel reads what the copy does not write", finding.where, finding.block,
                             finding.thread, PlaceRole::access};
  finding.where = {finding.where.file, object.call.line, object.call.column};
  finding.block.reset();
  finding.thread.reset();
  finding.help = fmt::format(
      "nothing fills the rest of this allocation{}: `{}` is cleared, and `{}` is not; "
      "call `{}.{}()` before this",
      size_of_allocation(finding.access), object.cleared, name, name, object.clears);
}

}  // namespace

std::optional<UnclearedObject> uncleared_object(std::string_view code, std::uint32_t copy) {
  const std::size_t place = place_of_line(code, copy, 0);
  const std::string_view copies = place == kNowhere ? std::string_view() : defined_around(code, place);
  if (copies.empty()) return std::nullopt;
  std::set<std::string_view> cleared;
  std::string_view clears;
  for (const std::string_view function : filling_functions(code)) {
    for (const ObjectCall& call : calls_for_objects(code, function)) {
      cleared.insert(call.object);
      clears = function;
    }
  }
  std::optional<UnclearedObject> found;
  std::string_view sibling;
  for (const ObjectCall& call : calls_for_objects(code, copies)) {
    if (cleared.contains(call.object)) {
      sibling = call.object;
      continue;
    }
    if (found) return std::nullopt;
    found = UnclearedObject{setting_at_place(code, call.place, call.object), std::string(copies), {}, {}};
  }
  if (found && !sibling.empty()) {
    found->clears = clears;
    found->cleared = sibling;
  }
  return found;
}

void show_partly_filled(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  std::string code;
  for (MergedFinding& finding : findings) {
    if (!finding.is_in_file(file) || !is_partly_filled(finding)) continue;
    if (code.empty()) code = without_comments(source);
    const auto object = uncleared_object(code, finding.other->place.line);
    if (object && !object->cleared.empty()) {
      show_uncleared_object(finding, *object);
      continue;
    }
    if (object) {
      finding.note.insert(0, fmt::format("`{}` is called in line {}\n", object->copies, object->call.line));
    }
    const std::string_view compare = words_of(Advice::compare_writes);
    replace_first(
        finding.help, compare,
        fmt::format("nothing else fills this allocation{} before the launch: if the rest is to be zeros, such "
                    "as beside or below a matrix, clear it with `cudaMemset` before this copy; else {}",
                    size_of_allocation(finding.access), compare));
  }
}

}  // namespace cudalabs
