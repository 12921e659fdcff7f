// The missing elements against the types of the index.
#include "explain/elements/narrow_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <vector>

#include "explain/elements/seen_output.h"
#include "source/narrow_type.h"
#include "source/setting_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "text/lower_case.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// Those of 8 and 16 bits.
constexpr std::array<std::int64_t, 2> kNarrowRanges{65536, 256};

/// What is missing, all of it and nothing else: the rows, the columns or the elements from `begin` on.
struct Missing {
  Part part = Part::subscript;
  std::int64_t begin = 0;
};

bool is_missing_from(const Comparison& comparison, const Missing& missing) {
  const std::int64_t columns = comparison.grid().columns;
  bool any = false, other = false;
  for (std::int64_t i = 0; i < comparison.elements(); ++i) {
    const std::int64_t place = missing.part == Part::row ? i / columns : missing.part == Part::column ? i % columns : i;
    const bool unwritten = comparison.fault[static_cast<std::size_t>(i)] == Fault::unwritten;
    if (unwritten != (place >= missing.begin)) return false;
    any = any || unwritten;
    other = other || !unwritten;
  }
  return any && other;
}

std::optional<Missing> missing_in(const Comparison& comparison) {
  for (const Part part : {Part::row, Part::column, Part::subscript}) {
    for (const std::int64_t values : kNarrowRanges) {
      if (is_missing_from(comparison, {part, values})) return Missing{part, values};
    }
  }
  return std::nullopt;
}

bool is_spoken_of(Part part, const RegionLines& lines) {
  if (part == Part::row) return lines.rows.has_value();
  return part == Part::column && lines.columns.has_value();
}

/// From the same number on in all cases in which elements are missing; along the axis that the finding speaks of.
std::optional<Missing> missing_in_all(const MergedFinding& finding, const SubmissionRun& submission_run) {
  std::optional<Missing> found;
  for (const auto& [case_run, comparison] : outputs_seen_in(finding, submission_run)) {
    if (comparison == nullptr) return std::nullopt;
    const auto missing = missing_in(*comparison);
    if (!missing || (found && found->begin != missing->begin)) return std::nullopt;
    if (!found || is_spoken_of(missing->part, finding.lines)) found = missing;
  }
  return found;
}

/// The type of so many values, from 0 on, that is spelled in the line before the place.
std::optional<NarrowType> type_before(std::string_view line, std::size_t place, std::int64_t values) {
  const std::string_view before = line.substr(0, place + 1);
  for (auto found = narrow_type_from(before, 0); found; found = narrow_type_from(before, found->end)) {
    const bool ends = before.substr(found->end).find_first_of(")>*;") == std::string_view::npos;
    if (ends && found->type.least == 0 && found->type.values() == values) return found->type;
  }
  return std::nullopt;
}

/// The first line that keeps, or moves by, as many bits as those numbers have: "& 0xffff", "<< 16".
std::optional<Setting> bits_kept_in(std::string_view code, std::int64_t values) {
  const std::string bits = fmt::format("{}", std::bit_width(static_cast<std::uint64_t>(values)) - 1);
  const std::string mask = fmt::format("0x{:x}", values - 1);
  std::uint32_t number = 0;
  for (const std::string_view line : text_lines(code)) {
    ++number;
    for (std::size_t at = 0; at < line.size(); ++at) {
      const bool shifts = line.substr(at).starts_with("<<") || line.substr(at).starts_with(">>");
      const std::size_t operand = shifts ? past_spaces(line, at + 2) : at;
      if (!is_digit(line[std::min(operand, line.size() - 1)]) || (at > 0 && !shifts && is_word_letter(line[at - 1])))
        continue;
      std::string word = lower(line.substr(operand, end_of_word(line, operand) - operand));
      while (word.ends_with('u') || word.ends_with('l')) word.pop_back();
      if (shifts ? word == bits : word == mask) return Setting{{word}, number, static_cast<std::uint32_t>(at) + 1};
    }
  }
  return std::nullopt;
}

/// Of 16 bits alone: 256 is also the size of many a block, and bytes of colours are shifted and masked for themselves.
void show_kept_bits(MergedFinding& finding, std::string_view code, const Missing& missing) {
  if (missing.part == Part::subscript || missing.begin != kNarrowRanges.front() || finding.reach != Reach::unsaid)
    return;
  const auto kept = bits_kept_in(code, missing.begin);
  if (!kept) return;
  const int bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(missing.begin))) - 1;
  finding.other = OtherPlace{
      fmt::format("a number has room for {} bits here", bits), {finding.where.file, kept->line, kept->column}, {}, {}};
  finding.help = fmt::format(
      "{} {} is the first that is missing, and the first number that {} bits do not hold: give each number at least "
      "32 bits, or a variable of its own",
      missing.part == Part::row ? "row" : "column", missing.begin, bits);
}

}  // namespace

void show_narrow_index(MergedFinding& finding, std::string_view source, const SubmissionRun& submission_run) {
  if (finding.id != finding_ids::kUnwrittenOutput || !finding.where.known()) return;
  const auto missing = missing_in_all(finding, submission_run);
  if (!missing) return;
  const std::string code = without_comments(source);
  const auto setting = setting_of(source, finding.where.line, finding.where.column, missing->part);
  const auto type =
      setting ? type_before(text_lines(code)[setting->line - 1], setting->column - 1, missing->begin) : std::nullopt;
  if (!type) return show_kept_bits(finding, code, *missing);
  const std::string& name = setting->names.front();
  const std::string label =
      fmt::format("`{}` is of the type `{}`: after {} comes 0 again", name, type->spelling, type->most);
  finding.other = OtherPlace{label, {finding.where.file, setting->line, setting->column}, {}, {}};
  finding.help = fmt::format("`{}` has room for {} numbers, and there are more: declare `{}` as `int`", type->spelling,
                             type->values(), name);
}

}  // namespace cudalabs
