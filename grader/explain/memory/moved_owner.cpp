// Constructors, assignments and the destructor are read as text.
#include "explain/memory/moved_owner.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "explain/memory/destructor_finding.h"
#include "source/member_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// A text may be made to be long to read: so many functions of a class are looked at.
constexpr std::size_t kMostMoves = 8, kLongestParameters = 200;

bool is_word_at(std::string_view code, std::size_t at, std::string_view word) {
  return code.substr(at, end_of_word(code, at) - at) == word;
}

/// What a move does with the members of the object that it gets.
struct MoveUses {
  std::vector<std::size_t> copied;     // places of "other.data_"
  std::set<std::string_view> written;  // members that get a value, or may
  bool open = false;                   // it is given away as a whole
};

/// "data_(other.data_)", "data_{std::move(other.data_)}", "data_ = other.data_".
bool is_copied_to(std::string_view code, std::size_t use, std::size_t end, std::string_view member) {
  std::size_t before = before_spaces(code, use), behind = past_spaces(code, end);
  const bool moved = before != kNowhere && code[before] == '(' && word_before(code, before) == "move";
  if (moved) {
    before = before_spaces(code, static_cast<std::size_t>(word_before(code, before).data() - code.data()));
    if (before != kNowhere && before >= 4 && code[before] == ':')
      before = before_spaces(code, before - 1 - std::string_view("std").size());
    if (behind < code.size() && code[behind] == ')') behind = past_spaces(code, behind + 1);
  }
  if (before == kNowhere || behind >= code.size()) return false;
  const std::string_view ends = code[before] == '=' ? ";" : code[before] == '(' ? ")" : code[before] == '{' ? "}" : "";
  return !ends.empty() && code[behind] == ends.front() && word_before(code, before) == member;
}

/// "this != &other": it gives nothing away.
bool is_compared(std::string_view code, std::size_t at, std::size_t behind) {
  const std::size_t address = before_spaces(code, at);
  if (address == kNowhere || code[address] != '&') return false;
  if (code.substr(behind).starts_with("!=") || code.substr(behind).starts_with("==")) return true;
  const std::size_t sign = before_spaces(code, address);
  return sign != kNowhere && sign > 0 && code[sign] == '=' && (code[sign - 1] == '!' || code[sign - 1] == '=');
}

MoveUses uses_of(std::string_view code, const MemberText& move, std::string_view other) {
  MoveUses uses;
  for (std::size_t at = move.head; at < move.end;) {
    const std::size_t end = is_word_letter(code[at]) ? end_of_word(code, at) : at + 1;
    const bool means = code.substr(at, end - at) == other && !is_member(code, at);
    const std::size_t dot = past_spaces(code, end);
    if (means && code[dot] != '.') {
      uses.open = uses.open || !is_compared(code, at, dot);
    } else if (means) {
      const std::size_t name = past_spaces(code, dot + 1), past = end_of_word(code, name);
      const std::string_view member = code.substr(name, past - name);
      if (is_copied_to(code, at, past, member)) {
        uses.copied.push_back(at);
      } else {
        uses.written.insert(member);
      }
    }
    at = end;
  }
  return uses;
}

/// "other" of "Buffer&& other" and of "Buffer<T>&& other".
std::string_view moved_from(std::string_view parameters, std::string_view type) {
  const std::size_t sign = parameters.find("&&");
  const std::string_view name = sign == kNowhere ? "" : without_outer_spaces(parameters.substr(sign + 2));
  return is_word_at(parameters, past_spaces(parameters, 0), type) && is_identifier(name) ? name : std::string_view();
}

std::optional<MovedOwner> copied_by(std::string_view code, const MemberText& move, std::string_view type,
                                    const DestructorText& destructor, bool assigns) {
  const std::string_view other = moved_from(move.parameters, type);
  if (other.empty() || move.deleted) return std::nullopt;
  const MoveUses uses = uses_of(code, move, other);
  const bool told = std::ranges::any_of(uses.written, [&](auto member) { return destructor.names.contains(member); });
  if (uses.open || told) return std::nullopt;
  for (const std::size_t at : uses.copied) {
    const std::size_t name = past_spaces(code, past_spaces(code, at + other.size()) + 1);
    const std::string_view member = code.substr(name, end_of_word(code, name) - name);
    if (!destructor.freed.contains(member)) continue;
    return MovedOwner{setting_at_place(code, at, member), fmt::format("{}.{}", other, member), assigns};
  }
  return std::nullopt;
}

/// "const Buffer& other"
bool copies(const MemberText& member, std::string_view type) {
  return !member.deleted && member.parameters.find("&&") == kNowhere && member.parameters.find('&') != kNowhere &&
         has_name(member.parameters, type);
}

void show_moved_owner(MergedFinding& finding, const MovedOwner& owner, const std::string& type) {
  const std::string& member = owner.copied.names.front();
  const std::string frees = is_of_destroyed_event(finding) ? "destroy the event" : "free the memory";
  place_at_second_owner(finding, type, {finding.where.file, owner.copied.line, owner.copied.column});
  finding.message = fmt::format("this move {} copies `{}` and leaves it in `{}`: both objects' destructors {}",
                                owner.assigns ? "assignment" : "constructor", member,
                                owner.from.substr(0, owner.from.find('.')), frees);
  finding.help = fmt::format("take it away from the other object: `{}`",
                             owner.assigns ? fmt::format("{} = std::exchange({}, nullptr)", member, owner.from)
                                           : fmt::format("{}(std::exchange({}, nullptr))", member, owner.from));
}

}  // namespace

std::optional<MovedOwner> moved_owner(std::string_view code, std::string_view type) {
  const DestructorText destructor = destructor_of(code, type);
  if (destructor.freed.empty()) return std::nullopt;
  std::optional<MovedOwner> found;
  std::size_t looked_at = 0;
  bool copied = false;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    if (word != type && word != "operator") return;
    const bool assigns = word == "operator";
    std::size_t open = past_spaces(code, at + word.size());
    if (assigns) open = open < code.size() && code[open] == '=' ? past_spaces(code, open + 1) : code.size();
    const std::size_t before = before_spaces(code, at);
    if (open >= code.size() || code[open] != '(' || (before != kNowhere && code[before] == '~')) return;
    const std::string_view start = code.substr(open, kLongestParameters);
    const std::string_view first = start.substr(0, start.find_first_of(",)"));
    if (!has_name(first, type) || first.find('&') == kNowhere || ++looked_at > kMostMoves) return;
    const auto member = member_from(code, open);
    if (!member) return;
    copied = copied || copies(*member, type);
    if (!found) found = copied_by(code, *member, type, destructor, assigns);
  });
  return copied || looked_at > kMostMoves ? std::nullopt : found;
}

void show_moved_owners(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  for_each_freed_by_destructor(findings, source, file,
                               [](MergedFinding& finding, const std::string& code, const std::string& type) {
                                 if (const auto owner = moved_owner(code, type))
                                   show_moved_owner(finding, *owner, type);
                               });
}

}  // namespace cudalabs
