// The access is outside, so that what is taken from the size was not positive; the text says that it is not negative.
#include "explain/accesses/mirrored_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "explain/accesses/given_arguments.h"
#include "explain/accesses/subscript_text.h"
#include "source/function_text.h"
#include "source/source_number.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// A text may be made to be long to read; of a person there are fewer, and shorter ones.
constexpr std::size_t kLongestMirrored = 60, kLongestCount = 200, kMostCounts = 32;
constexpr int kDeepestCount = 4;

/// What threads count by: never negative.
bool is_number_of_thread(std::string_view name) {
  return name == "threadIdx" || name == "blockIdx" || name == "blockDim" || name == "gridDim";
}

bool is_type_or_cast(std::string_view name) {
  constexpr std::array<std::string_view, 7> kTypes{"int",      "unsigned", "static_cast", "std",
                                                   "uint32_t", "size_t",   "long"};
  return std::ranges::find(kTypes, name) != kTypes.end();
}

/// Values of variables of one function that are sums and products of what threads count by.
class CountsOfThreads {
 public:
  CountsOfThreads(std::string_view code, const FunctionBody& function)
      : code_(code.substr(0, function.end)), begin_(function.begin), numbers_(code) {}

  /// It depends on the thread's numbers, and is never negative, as far as no number overflows. `line`: where it stands.
  bool is_count(std::string_view text, std::uint32_t line, int depth = 0) {
    if (text.empty() || text.size() > kLongestCount || depth > kDeepestCount) return false;
    bool known = text.find_first_of("-~?&|^%/[") == kNowhere, of_thread = false;
    for_each_name(text, [&](std::size_t, std::string_view name) {
      if (!known || is_type_or_cast(name)) return;
      if (is_number_of_thread(name)) {
        of_thread = true;
        return;
      }
      if (++read_ > kMostCounts) known = false;
      if (known && numbers_.value(name, line, nullptr).value_or(-1) >= 0) return;
      known = known && is_counted(name, depth);
      of_thread = of_thread || known;
    });
    return known && of_thread;
  }

 private:
  /// All that sets the variable are such sums, and nothing takes from it.
  bool is_counted(std::string_view name, int depth) {
    bool counted = true, set = false;
    for_each_name(code_.substr(begin_), [&](std::size_t place, std::string_view word) {
      if (word != name || !counted) return;
      const std::size_t at = begin_ + place, next = past_spaces(code_, at + word.size());
      const std::size_t before = before_spaces(code_, at);
      const std::string_view rest = code_.substr(std::min(next, code_.size()));
      const bool changed = begins_assignment(rest) || rest.starts_with("++") || rest.starts_with("--") ||
                           rest.starts_with('{') || (before != kNowhere && code_[before] == '&') ||
                           (before != kNowhere && before > 0 && code_[before] == '-' && code_[before - 1] == '-');
      const bool adds = rest.starts_with("++") || rest.starts_with("+=");
      if (rest.starts_with('=') && !rest.starts_with("==")) {
        const std::string_view near = rest.substr(0, kLongestCount);
        const std::size_t end = near.find_first_of(";,");
        counted = end != kNowhere && ++read_ <= kMostCounts &&
                  is_count(near.substr(1, end - 1), line_at(code_, at), depth + 1);
        set = true;
      } else if (changed && !adds) {
        // "a && i < n" takes no address.
        const bool both = before != kNowhere && before > 0 && code_[before] == '&' && code_[before - 1] == '&';
        counted = both;
      }
    });
    return counted && set;
  }

  std::string_view code_;
  std::size_t begin_;
  SourceNumbers numbers_;
  std::size_t read_ = 0;
};

/// "i" of "n - i", where that is all of the text.
std::string_view taken_from(std::string_view text, std::string_view size) {
  const std::size_t sign = text.find('-');
  if (sign == kNowhere || without_outer_spaces(text.substr(0, sign)) != size) return {};
  const std::string_view back = without_outer_spaces(text.substr(sign + 1));
  const bool plain = std::ranges::all_of(back, [](char letter) { return is_word_letter(letter) || letter == '.'; });
  return plain && !back.empty() && !is_digit(back.front()) ? back : std::string_view();
}

std::optional<MirroredIndex> mirrored_by(std::string_view code, std::string_view text, std::string_view size,
                                         CountsOfThreads& counts) {
  text = without_outer_spaces(text);
  const std::string_view back = text.size() > kLongestMirrored ? std::string_view() : taken_from(text, size);
  const auto place = static_cast<std::size_t>(text.data() - code.data());
  if (back.empty() || !counts.is_count(back, line_at(code, place))) return std::nullopt;
  const Setting where = setting_at_place(code, place, text);
  return MirroredIndex{where, std::string(text), std::string(size), std::string(back), where.column};
}

}  // namespace

std::optional<MirroredIndex> mirrored_index(std::string_view code, const SourcePlace& where, std::string_view size) {
  const std::vector<std::string_view> lines = text_lines(code);
  const auto function = function_around_line(code, where.line);
  if (!function || where.line > lines.size()) return std::nullopt;
  const std::string_view subscript = without_outer_spaces(subscript_at(lines[where.line - 1], where.column));
  if (subscript.empty()) return std::nullopt;
  CountsOfThreads counts(code, *function);
  if (!is_identifier(subscript)) return mirrored_by(code, subscript, size, counts);
  const auto set = SourceNumbers(code).setting_of(subscript, where.line);
  if (!set || set->line > where.line || set->value.empty()) return std::nullopt;
  auto found = mirrored_by(code, set->value, size, counts);
  if (found) found->where = Setting{{std::string(set->name)}, set->line, set->column};
  return found;
}

void show_mirrored_indices(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  std::string code;
  for (MergedFinding& finding : findings) {
    const AccessFacts& access = finding.access;
    const bool open = finding.id == finding_ids::kGlobalOutOfBounds && !finding.proven && !finding.right_at_first &&
                      !access.kept && access.bytes != 0 && access.past_end_of % access.bytes == 0 &&
                      access.past_end_of != 0 && std::ranges::none_of(finding.launch.given, &GivenArgument::pointer);
    if (!open || !finding.is_in_file(file)) continue;
    const std::uint64_t elements = access.past_end_of / access.bytes;
    for (const NamedNumber& number : numbers_given(finding, source)) {
      if (number.value != elements) continue;
      if (code.empty()) code = without_comments(source);
      const auto index = mirrored_index(code, finding.where, number.name);
      if (!index) continue;
      const std::string after = fmt::format("{} - 1 - {}", index->size, index->back);
      if (index->where.line != finding.where.line) {
        finding.other = OtherPlace{"the access", finding.where, finding.block, finding.thread, PlaceRole::access};
        finding.where = {finding.where.file, index->where.line, index->where.column};
        finding.block.reset();
        finding.thread.reset();
      }
      finding.help = fmt::format(
          "where `{1}` is 0, `{0}` is `{2}`, one behind the last element, `{2} - 1`: counted from the end, the element "
          "opposite to `{1}` is `{3}`",
          index->text, index->back, index->size, after);
      finding.proposed = ProposedChange{index->where.line, index->column, index->text, after};
      break;
    }
  }
}

}  // namespace cudalabs
