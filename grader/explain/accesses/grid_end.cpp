// That the access is outside makes it a mistake: where the grid has as many threads as there are elements, it is none.
#include "explain/accesses/grid_end.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "explain/accesses/given_arguments.h"
#include "explain/accesses/subscript_text.h"
#include "source/function_text.h"
#include "source/source_number.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// Letters: a text may be made to be long to read.
constexpr std::size_t kLongestFromEnd = 120, kLongestLineOfIndices = 500;

bool is_all_threads(std::string_view text) {
  const std::string plain = without_blanks(text);
  return plain == "gridDim.x*blockDim.x" || plain == "blockDim.x*gridDim.x";
}

/// Reads where the parts of an index come from.
class GridEndReader {
 public:
  explicit GridEndReader(std::string_view code) : code_(code), numbers_(code) {}

  /// `text` lies in the code.
  std::optional<GridEnd> of_index(std::string_view text, std::uint32_t line) const {
    if (auto found = of_difference(text, line)) return found;
    if (is_identifier(text)) {
      const auto set = numbers_.setting_of(text, line);
      if (!set || set->line > line || set->value.empty()) return std::nullopt;
      const std::string_view value = without_outer_spaces(set->value);
      if (auto found = of_difference(value, set->line)) return found;
      return of_call(value);
    }
    return of_call(text);
  }

 private:
  /// "gridDim.x * blockDim.x - 1 - i": all of the threads, and then what is taken away.
  std::optional<GridEnd> of_difference(std::string_view text, std::uint32_t line) const {
    const std::size_t sign = text.size() > kLongestFromEnd ? kNowhere : text.find('-');
    if (sign == kNowhere || !without_blanks(text.substr(sign)).starts_with("-1-")) return std::nullopt;
    std::string_view threads = without_outer_spaces(text.substr(0, sign));
    if (threads.starts_with('(') && threads.ends_with(')') && past_bracket(threads, 0) == threads.size())
      threads = without_outer_spaces(threads.substr(1, threads.size() - 2));
    if (!is_all_threads(threads)) {
      const auto set = is_identifier(threads) ? numbers_.setting_of(threads, line) : std::nullopt;
      if (!set || set->line > line || !is_all_threads(set->value)) return std::nullopt;
    }
    const auto place = static_cast<std::size_t>(threads.data() - code_.data());
    const std::size_t begin = code_.rfind('\n', place) + 1;  // 0 in the first line
    return GridEnd{line_at(code_, place), static_cast<std::uint32_t>(place - begin + 1), std::string(threads), ""};
  }

  /// "opposite(i)", a function that only returns such an index.
  std::optional<GridEnd> of_call(std::string_view text) const {
    const std::size_t open = text.size() > kLongestFromEnd ? kNowhere : text.find('(');
    if (open == kNowhere || !text.ends_with(')') || past_bracket(text, open) != text.size()) return std::nullopt;
    const std::string_view name = without_outer_spaces(text.substr(0, open));
    const auto body = is_identifier(name) ? only_body(code_, name) : std::nullopt;
    if (!body) return std::nullopt;
    const std::string_view statements = code_.substr(body->begin, body->end - body->begin);
    const std::size_t begin = past_spaces(statements, 1);
    if (!statements.substr(std::min(begin, statements.size())).starts_with("return ")) return std::nullopt;
    const std::string_view near = statements.substr(begin + 7, kLongestFromEnd + 1);
    const std::string_view value = without_outer_spaces(near.substr(0, near.find(';')));
    auto found = of_difference(value, line_at(code_, body->begin));
    if (found) found->function = name;
    return found;
  }

  std::string_view code_;
  SourceNumbers numbers_;
};

}  // namespace

std::optional<GridEnd> grid_end(std::string_view code, const SourcePlace& where) {
  const std::vector<std::string_view> lines = text_lines(code);
  if (where.line == 0 || where.line > lines.size()) return std::nullopt;
  const std::string_view line = lines[where.line - 1];
  const GridEndReader reader(code);
  const auto of_subscript = [&](std::string_view subscript) {
    subscript = without_outer_spaces(subscript);
    const bool is_read = !subscript.empty() && subscript.size() <= kLongestFromEnd;
    return is_read ? reader.of_index(subscript, where.line) : std::nullopt;
  };
  if (const std::string_view subscript = subscript_at(line, where.column); !subscript.empty())
    return of_subscript(subscript);
  // With nvcc the column may be that of the statement: the only such index of the line.
  std::optional<GridEnd> only;
  if (line.size() > kLongestLineOfIndices) return only;
  for (std::size_t open = line.find('['); open != kNowhere; open = line.find('[', open + 1)) {
    const std::size_t end = past_bracket(line, open);
    auto found = end == kNowhere ? std::nullopt : of_subscript(line.substr(open + 1, end - open - 2));
    if (found && only && *found != *only) return std::nullopt;
    if (found) only = std::move(found);
  }
  return only;
}

void show_grid_ends(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  std::string code;
  for (MergedFinding& finding : findings) {
    const AccessFacts& access = finding.access;
    const bool open = finding.id == finding_ids::kGlobalOutOfBounds && !finding.proven && !finding.right_at_first &&
                      !access.kept && access.bytes != 0 && access.past_end_of != 0 &&
                      std::ranges::none_of(finding.launch.given, &GivenArgument::pointer);
    if (!open || !finding.is_in_file(file)) continue;
    if (code.empty()) code = without_comments(source);
    const auto end = grid_end(code, finding.where);
    if (!end) continue;
    const std::vector<NamedNumber> numbers = numbers_given(finding, source);
    const auto size = std::ranges::find(numbers, access.past_end_of / access.bytes, &NamedNumber::value);
    if (size == numbers.end()) continue;
    if (end->line != finding.where.line) {
      finding.other = OtherPlace{"the access", finding.where, finding.block, finding.thread, PlaceRole::access};
      finding.where = {finding.where.file, end->line, end->column};
      finding.block.reset();
      finding.thread.reset();
    }
    finding.help = fmt::format(
        "`{}` is the number of threads, and there may be more of them than elements: count from the end of the array, "
        "with `{}` in its place{}",
        end->text, size->name,
        end->function.empty() ? std::string() : fmt::format("; `{}` needs that as an argument", end->function));
    if (end->function.empty()) finding.proposed = ProposedChange{end->line, end->column, end->text, size->name};
  }
}

}  // namespace cudalabs
