// Declarations, allocations, releases and assignments are read as text.
#include "explain/kept/kept_pointer.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "explain/kept/kept_array.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "text/enumeration.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

constexpr std::size_t kMostAllocations = 8;  // a text may be made to be long to read

/// What the source does with names.
struct PointerUses {
  std::set<std::string_view> freed;         // "cudaFree(d_a)"
  std::set<std::string_view> nulled;        // "d_a = nullptr"
  std::vector<std::string_view> allocated;  // "cudaMalloc(&d_a, bytes)", the first ones in their order
};

bool is_null(std::string_view value) {
  return value == "nullptr" || value == "NULL" || value == "0";
}

/// Of bodies of functions alone: what a declaration outside of them sets is set once, before the first call.
PointerUses pointer_uses_in(std::string_view code) {
  PointerUses uses;
  const std::vector<BodyPlace> bodies = body_places(code);
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    const std::size_t next = past_spaces(code, at + word.size());
    if (next >= code.size() || !bodies[at].inside) return;
    if (word.starts_with("cudaMalloc") && code[next] == '(') {
      const std::string_view given = without_outer_spaces(value_at(code, next + 1));
      const std::string_view name = without_outer_spaces(given.substr(std::min(given.size(), given.rfind('&') + 1)));
      const bool more = uses.allocated.size() < kMostAllocations && is_identifier(name) && given.find('&') != kNowhere;
      if (more && std::ranges::find(uses.allocated, name) == uses.allocated.end()) uses.allocated.push_back(name);
    } else if (word == "cudaFree" && code[next] == '(') {
      const std::string_view given = without_outer_spaces(value_at(code, next + 1));
      if (is_identifier(given)) uses.freed.insert(given);
    } else if (code[next] == '=' && is_null(without_outer_spaces(value_at(code, next + 1)))) {
      uses.nulled.insert(word);
    }
  });
  return uses;
}

}  // namespace

std::vector<Setting> stale_pointers(std::string_view source) {
  const std::string code = without_comments(source);
  const PointerUses uses = pointer_uses_in(code);
  std::vector<Setting> found;
  for (const std::string_view name : uses.allocated) {
    if (!uses.freed.contains(name) || uses.nulled.contains(name)) continue;
    if (auto pointer = kept_pointer_called(code, name)) found.push_back(*std::move(pointer));
  }
  return found;
}

void show_kept_pointers(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  for (MergedFinding& finding : findings) {
    if (finding.id != finding_ids::kInvalidFree || !finding.right_at_first || !finding.is_in_file(file)) continue;
    const std::vector<Setting> pointers = stale_pointers(source);
    if (pointers.empty()) continue;
    const bool several = pointers.size() > 1;
    std::vector<std::string> names;
    for (const Setting& pointer : pointers) names.push_back(pointer.names.front());
    if (finding.other && finding.other->place.known() && finding.other->place != finding.where)
      finding.note.insert(0, fmt::format("it was freed in line {}\n", finding.other->place.line));
    finding.other = OtherPlace{fmt::format("{} from the first call", several ? "these are kept" : "this is kept"),
                               {finding.where.file, pointers.front().line, pointers.front().column},
                               {},
                               {}};
    finding.help = fmt::format(
        "{} {} the call, and still {} the address after `cudaFree`: set {} to `nullptr` behind it, or declare {} "
        "inside the function",
        enumeration_of_names(names), several ? "outlive" : "outlives", several ? "have" : "has",
        several ? "each" : "it", several ? "them" : "it");
  }
}

}  // namespace cudalabs
