#include "explain/elements/missed_middle.h"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "explain/elements/seen_output.h"
#include "source/setting_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// Of an odd number of elements the one in the middle is missing, and nothing else: in all cases, of several sizes.
bool misses_the_middle(const MergedFinding& finding, const SubmissionRun& submission_run) {
  std::set<std::int64_t> sizes;
  for (const auto& [case_run, comparison] : outputs_seen_in(finding, submission_run)) {
    if (comparison == nullptr) return false;
    const auto first = comparison->first(Fault::unwritten);
    const std::int64_t elements = comparison->elements();
    if (!first || comparison->count(Fault::unwritten) != 1 || elements % 2 == 0 || first->index != elements / 2)
      return false;
    sizes.insert(elements);
  }
  return sizes.size() > 1;
}

/// The only line of the device's code that computes half of a number; of several, the only one that compares something
/// with it.
std::optional<Setting> line_of_half(std::string_view source) {
  const std::string code = without_comments(source);
  const std::vector<BodyPlace> bodies = body_places(code);
  std::vector<Setting> all, comparing;
  std::uint32_t number = 0;
  for (const std::string_view line : text_lines(code)) {
    ++number;
    const std::size_t half = std::min({line.find("/ 2"), line.find("/2"), line.find(">> 1"), line.find(">>1")});
    if (half == std::string_view::npos) continue;
    if (!bodies[static_cast<std::size_t>(line.data() - code.data()) + half].device) continue;
    all.push_back({{}, number, static_cast<std::uint32_t>(half) + 1});
    const std::size_t sign = line.find_first_of("<>");
    if (sign != std::string_view::npos && !line.substr(sign).starts_with(">>")) comparing.push_back(all.back());
  }
  if (all.size() == 1) return all.front();
  if (comparing.size() == 1) return comparing.front();
  return std::nullopt;
}

}  // namespace

void explain_missed_middle(MergedFinding& finding, std::string_view source, const std::string& file,
                           const SubmissionRun& submission_run) {
  if (!misses_the_middle(finding, submission_run)) return;
  finding.message += ": the one in the middle, where their number is odd";
  finding.help =
      "a division by 2 drops what is left over, so that the element in the middle of an odd number of elements belongs "
      "to no thread: let a thread store this one, too";
  const auto half = line_of_half(source);
  if (!half || half->line == finding.where.line) return;
  if (finding.where.known()) {
    finding.other =
        OtherPlace{"half of a number is computed here", {finding.where.file, half->line, half->column}, {}, {}};
  } else {
    finding.where = {file, half->line, half->column};
  }
}

}  // namespace cudalabs
