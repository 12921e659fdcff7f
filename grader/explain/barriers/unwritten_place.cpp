// The array is known; the lines that write it, and the barrier, stand in the text.
#include "explain/barriers/unwritten_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "explain/barriers/written_prefix.h"
#include "source/array_text.h"
#include "source/barrier_text.h"
#include "source/condition_text.h"
#include "source/function_text.h"
#include "source/source_number.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "text/told_lines.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// The lines that write the array, and the element that the finding reads.
struct Uses {
  std::vector<ElementText> stores;
  ElementText read;
};

std::optional<Uses> uses_of(std::string_view code, std::string_view array, const SourcePlace& where,
                            const FunctionBody& function) {
  const std::size_t place = place_of_line(code, where.line, where.column);
  // Its declaration looks like an element.
  const auto elements = elements_of(code, array, function.begin, function.end);
  if (place == kNowhere || !elements) return std::nullopt;
  Uses uses;
  bool read = false;
  for (const ElementText& element : *elements) {
    if (element.stored) uses.stores.push_back(element);
    if (element.stored || read || element.place < place || line_at(code, element.place) != where.line) continue;
    uses.read = element;
    read = true;
  }
  return read && !uses.stores.empty() ? std::optional(std::move(uses)) : std::nullopt;
}

/// Every way from a line that writes to the one that reads has a barrier.
bool waits_between(const BarrierWays& ways, const Uses& uses) {
  return std::ranges::all_of(uses.stores, [&](const ElementText& store) {
    const BarriersOnWay way = ways.between(store.place, uses.read.place, {store.place, uses.read.place});
    return way.always && way.clear;
  });
}

/// The only condition around the line that writes, and not around the one that reads, where it is short.
std::string condition_of_store(std::string_view code, const Uses& uses) {
  constexpr std::size_t kLongestShown = 60;
  std::string text;
  std::size_t count = 0;
  for (const ConditionText& condition : conditions_of(code)) {
    const std::size_t store = uses.stores.front().place;
    if (!condition.decides_about(store) || condition.decides_about(uses.read.place)) continue;
    const bool shown = condition.condition.size() <= kLongestShown && condition.condition.find('\n') == kNowhere;
    text = !shown || store >= condition.end_of_body ? fmt::format(", under the condition in line {}", condition.line)
                                                    : fmt::format(", but only where `{}` is true", condition.condition);
    ++count;
  }
  return count == 1 ? text : std::string();
}

/// Row lengths of the two lines.
struct RowLengths {
  Stride written, read;
};

const Stride* longest(const std::vector<Stride>& strides) {
  const auto most = std::ranges::max_element(strides, {}, &Stride::elements);
  return most == strides.end() ? nullptr : &*most;
}

bool counts_with(const std::vector<Stride>& strides, const Stride& wanted) {
  return std::ranges::find(strides, wanted.elements, &Stride::elements) != strides.end();
}

/// Where the two count with different ones; of a line that writes one element after the other, that by which the round
/// of its loop takes the number of the element apart.
std::optional<RowLengths> different_rows(std::string_view code, const BarrierWays& ways, const Uses& uses) {
  const ElementText& store = uses.stores.front();
  if (store.subscripts.size() != 1 || uses.read.subscripts.size() != 1) return std::nullopt;
  const SourceNumbers numbers(code);
  std::vector<Stride> written = strides_of(store.subscripts.front(), line_at(code, store.place), numbers);
  const std::vector<Stride> read = strides_of(uses.read.subscripts.front(), line_at(code, uses.read.place), numbers);
  const LoopText* const round = ways.loop_around(store.place, store.place);
  if (written.empty() && round != nullptr) {
    const std::string_view text = code.substr(round->body, round->end - round->body);
    if (auto apart = taken_apart_by(text, store.subscripts.front(), line_at(code, store.place), numbers))
      written.push_back(*std::move(apart));
  }
  const Stride *const first = longest(written), *const second = longest(read);
  if (first == nullptr || second == nullptr || counts_with(written, *second) || counts_with(read, *first))
    return std::nullopt;
  return RowLengths{*first, *second};
}

/// "64 (`SIDE`)", or of a literal "64".
std::string in_words(const Stride& stride) {
  return is_digit(stride.text.front()) ? fmt::format("{}", stride.elements)
                                       : fmt::format("{} (`{}`)", stride.elements, stride.text);
}

/// Of a read that goes past what the threads of the block write: what to read there.
std::string advice_past(const WrittenPrefix& prefix, std::string_view array, const Uses& uses, std::uint32_t written,
                        std::uint32_t read) {
  constexpr std::size_t kLongestShown = 30;
  const std::string_view text = uses.read.text, subscript = uses.read.subscripts.front();
  const std::string elements =
      prefix.elements == 1 ? "element 0" : fmt::format("elements 0 to {}", prefix.elements - 1);
  std::string advice = fmt::format("line {} writes only {} of `{}`{}", written, elements, array,
                                   prefix.why.empty() ? "" : ", for " + prefix.why);
  if (!is_identifier(subscript) || text.size() > kLongestShown)
    return advice + ": read no element behind them, or let threads write these, too";
  return advice + fmt::format(": in line {} read `{} < {} ? {} : 0`, which counts all others as 0", read, subscript,
                              prefix.text, text);
}

void show_only_store(MergedFinding& finding, std::string_view code, std::string_view array, const BarrierWays& ways,
                     const Uses& uses, const std::optional<WrittenPrefix>& prefix, std::string& advice) {
  const ElementText& store = uses.stores.front();
  const std::uint32_t line = line_at(code, store.place);
  const std::size_t begin = code.rfind('\n', store.place);
  const auto column = static_cast<std::uint32_t>(begin == kNowhere ? store.place + 1 : store.place - begin);
  if (!finding.other)
    finding.other = OtherPlace{fmt::format("`{}` is written here", array), {finding.where.file, line, column}, {}, {}};
  if (prefix) {
    advice = advice_past(*prefix, array, uses, line, finding.where.line);
    return;
  }
  if (const auto rows = different_rows(code, ways, uses)) {
    finding.message = fmt::format("`{}` is written with rows of {} elements, and read here with rows of {}", array,
                                  rows->written.elements, rows->read.elements);
    advice = fmt::format(
        "line {} fills `{}` with rows of {} elements, and line {} reads it with rows of {}: use the same row length in "
        "both lines",
        line, array, in_words(rows->written), finding.where.line, in_words(rows->read));
    return;
  }
  advice = fmt::format(
      "line {} writes `{}`{}: write every element before it is read, also those for which there is no input, and "
      "compute the same place for the same element in both lines",
      line, store.text, condition_of_store(code, uses));
}

}  // namespace

void show_unwritten_place(MergedFinding& finding, std::string_view source, const SubmissionRun& submission_run) {
  if (finding.id != finding_ids::kUninitializedRead || finding.proven ||
      !finding.help.advises(Advice::write_before_read))
    return;
  const std::string code = without_comments(source);
  const std::string array = finding.access.element.substr(0, end_of_word(finding.access.element, 0));
  const auto function = function_around_line(code, finding.where.line);
  const auto uses = function && !array.empty() ? uses_of(code, array, finding.where, *function) : std::nullopt;
  if (!uses) return;
  const BarrierWays ways(code);
  if (!waits_between(ways, *uses)) return;
  std::string advice =
      "write every element before it is read, also those for which there is no input; the lines that write and the one "
      "that reads must compute the same place for the same element";
  if (uses->stores.size() == 1) {
    const auto prefix = written_prefix(finding, code, *function, uses->stores.front(), submission_run);
    show_only_store(finding, code, array, ways, *uses, prefix, advice);
  }
  replace_first(finding.help, words_of(Advice::write_before_read), advice);
  finding.help.advice = Advice::unsaid;
}

}  // namespace cudalabs
