// Structures, and lists that make one, are read as text.
#include "explain/places/crossed_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "source/structure_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "text/lower_case.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// A text may be made to be long to read: so many structures, places of one, and letters of a list are looked at.
constexpr std::size_t kMostStructures = 8, kMostOfType = 32, kLongestBraced = 200, kLongestReturning = 4000,
                      kLongestLaunch = 500;

std::vector<std::string_view> structures_in(std::string_view code) {
  std::vector<std::string_view> types;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    if (word != "struct") return;
    const std::size_t name = past_spaces(code, at + word.size()), end = end_of_word(code, name);
    const bool defined = end > name && code.substr(past_spaces(code, end)).starts_with('{');
    if (defined && types.size() < kMostStructures) types.push_back(code.substr(name, end - name));
  });
  return types;
}

std::string lower_letters(std::string_view name) {
  std::string letters = lower(name);
  std::erase(letters, '_');
  return letters;
}

/// "kThreadsPerBlock" is named like "threads".
bool is_named_like(std::string_view item, std::string_view member) {
  constexpr std::size_t kShortest = 3;
  const std::string wanted = lower_letters(member);
  return item == member || (wanted.size() >= kShortest && lower_letters(item).find(wanted) != std::string::npos);
}

/// Of the list in the brace at `open`.
std::optional<CrossedList> crossed_at(std::string_view code, std::size_t open, std::string_view type,
                                      const std::vector<std::string>& members) {
  const std::size_t end = past_bracket(code.substr(0, std::min(code.size(), open + kLongestBraced)), open);
  if (end == kNowhere) return std::nullopt;
  const std::vector<std::string_view> items = items_of(code.substr(open + 1, end - open - 2));
  if (items.size() != members.size()) return std::nullopt;
  for (std::size_t i = 0; i < items.size(); ++i) {
    for (std::size_t j = i + 1; j < items.size(); ++j) {
      if (!is_identifier(items[i]) || !is_identifier(items[j])) continue;
      const bool crossed = is_named_like(items[i], members[j]) && is_named_like(items[j], members[i]);
      if (!crossed || is_named_like(items[i], members[i]) || is_named_like(items[j], members[j])) continue;
      const auto at = static_cast<std::size_t>(items[i].data() - code.data());
      return CrossedList{setting_at_place(code, at, items[i]), std::string(items[j]), std::string(type), members[i],
                         members[j]};
    }
  }
  return std::nullopt;
}

/// Where lists for the type begin: "Shape{", "Shape shape{", "Shape shape = {", and "return {" in what returns it.
std::vector<std::size_t> lists_of(std::string_view code, std::string_view type) {
  std::vector<std::size_t> lists;
  std::size_t uses = 0;
  const auto is = [&](std::size_t at, char letter) { return at < code.size() && code[at] == letter; };
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    if (word != type || word_before(code, at) == "struct" || ++uses > kMostOfType) return;
    const std::size_t name = past_spaces(code, at + word.size()), end = end_of_word(code, name);
    if (is(name, '{')) return lists.push_back(name);
    std::size_t behind = past_spaces(code, end);
    if (end == name || behind >= code.size()) return;
    if (is(behind, '=')) behind = past_spaces(code, behind + 1);
    if (is(behind, '{')) return lists.push_back(behind);
    const std::size_t close = is(behind, '(')
                                  ? past_bracket(code.substr(0, std::min(code.size(), behind + kLongestBraced)), behind)
                                  : kNowhere;
    const std::size_t body = close == kNowhere ? kNowhere : past_spaces(code, close);
    if (body == kNowhere || !is(body, '{')) return;
    const std::size_t past = past_bracket(code.substr(0, std::min(code.size(), body + kLongestReturning)), body);
    if (past == kNowhere) return;
    for_each_name(code.substr(0, past).substr(body), [&](std::size_t place, std::string_view keyword) {
      const std::size_t open = past_spaces(code, body + place + keyword.size());
      if (keyword == "return" && is(open, '{')) lists.push_back(open);
    });
  });
  return lists;
}

std::optional<ProposedChange> exchange_in(std::string_view code, const CrossedList& crossed) {
  const std::string& first = crossed.first.names.front();
  const std::size_t begin = place_of_line(code, crossed.first.line, crossed.first.column);
  const std::string_view rest = begin == kNowhere ? std::string_view() : code.substr(begin, kLongestBraced);
  std::size_t second = kNowhere;
  for_each_name(rest, [&](std::size_t at, std::string_view word) {
    if (second == kNowhere && at >= first.size() && word == crossed.second) second = at;
  });
  if (second == kNowhere) return std::nullopt;
  const std::string between(rest.substr(first.size(), second - first.size()));
  return ProposedChange{crossed.first.line, crossed.first.column, first + between + crossed.second,
                        crossed.second + between + first};
}

/// "shape.blocks"
bool uses_member(std::string_view line, std::string_view member) {
  for (std::size_t at = line.find(member); at != kNowhere; at = line.find(member, at + 1))
    if (is_member(line, at) && end_of_word(line, at) == at + member.size()) return true;
  return false;
}

}  // namespace

std::optional<CrossedList> crossed_list(std::string_view code) {
  std::optional<CrossedList> found;
  for (const std::string_view type : structures_in(code)) {
    const std::vector<std::string> members = word_members(code, type);
    if (members.size() < 2) continue;
    for (const std::size_t open : lists_of(code, type)) {
      auto crossed = crossed_at(code, open, type, members);
      if (crossed && found) return std::nullopt;
      if (crossed) found = std::move(crossed);
    }
  }
  return found;
}

void show_crossed_lists(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  std::string code;
  for (MergedFinding& finding : findings) {
    if (finding.id != finding_ids::kInvalidLaunch || !finding.is_in_file(file) || !finding.where.known()) continue;
    if (code.empty()) code = without_comments(source);
    const std::size_t begin = place_of_line(code, finding.where.line, 0);
    const auto crossed = begin == kNowhere ? std::nullopt : crossed_list(code);
    if (!crossed) continue;
    const std::string_view rest = std::string_view(code).substr(begin, kLongestLaunch);
    const std::string_view launch = rest.substr(0, rest.find(';'));
    if (!uses_member(launch, crossed->own) || !uses_member(launch, crossed->other)) continue;
    const std::string& first = crossed->first.names.front();
    if (finding.other && finding.other->place.known())
      finding.note.insert(0, fmt::format("line {}: {}\n", finding.other->place.line, finding.other->label));
    finding.other = OtherPlace{fmt::format("`{}` of `{}` gets `{}` here", crossed->own, crossed->type, first),
                               {finding.where.file, crossed->first.line, crossed->first.column},
                               {},
                               {}};
    finding.help = fmt::format(
        "exchange `{}` and `{}` in line {}: a list sets the members in the order in which the "
        "structure declares them, and `{}` comes before `{}`",
        first, crossed->second, crossed->first.line, crossed->own, crossed->other);
    finding.proposed = exchange_in(code, *crossed);
  }
}

}  // namespace cudalabs
