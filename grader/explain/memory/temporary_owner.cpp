// The statement, the destructor and the member function are read as text.
#include "explain/memory/temporary_owner.h"

#include <fmt/format.h>

#include "explain/memory/destructor_finding.h"
#include "source/function_text.h"
#include "source/member_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// A text may be made to be long to read: so many objects of a type are looked at, and so many letters of each.
constexpr std::size_t kMostTemporaries = 64, kLongestTemporary = 300;

/// Past "Buffer<T>" at the beginning of the text, and past its arguments; kNowhere: no object is made there.
struct ObjectText {
  std::size_t end_of_type = kNowhere, end = kNowhere;
};

ObjectText object_at(std::string_view text, std::string_view type) {
  ObjectText object;
  std::size_t at = type.size();
  if (past_spaces(text, at) < text.size() && text[past_spaces(text, at)] == '<')
    at = past_bracket(text, past_spaces(text, at));
  if (at == kNowhere) return object;
  object.end_of_type = at;
  at = past_spaces(text, at);
  if (at < text.size() && (text[at] == '(' || text[at] == '{')) object.end = past_bracket(text, at);
  return object;
}

/// Whether what is taken, "get" of ".get()" or "data_" of ".data_", is a member that the destructor frees.
bool gives_freed(std::string_view code, std::string_view name, bool is_call, const DestructorText& destructor) {
  if (!is_call) return destructor.freed.contains(name);
  const auto function = only_body(code, name);
  if (!function) return false;
  const std::string_view body = code.substr(function->begin, function->end - function->begin);
  bool gives = false;
  for (const std::string_view member : destructor.freed) gives = gives || has_name(body, member);
  return gives;
}

/// "operator T*()", "operator float*() const"
bool converts_to_pointer(std::string_view code) {
  bool found = false;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    if (word != "operator" || found) return;
    const std::string_view rest = code.substr(at, kLongestTemporary);
    const std::size_t open = rest.find('(');
    const std::size_t last = open == kNowhere ? kNowhere : before_spaces(rest, open);
    found =
        last != kNowhere && rest[last] == '*' && last > word.size() && is_word_letter(rest[before_spaces(rest, last)]);
  });
  return found;
}

/// The name before the sign "=" that stands before `at`, qualifiers of the type apart; empty: there is none.
std::string_view pointer_set_before(std::string_view code, std::size_t at) {
  std::size_t before = before_spaces(code, at);
  while (before != kNowhere && before > 1 && code[before] == ':' && code[before - 1] == ':') {
    const std::string_view name = word_before(code, before - 1);
    if (name.empty()) return {};
    before = before_spaces(code, static_cast<std::size_t>(name.data() - code.data()));
  }
  if (before == kNowhere || before == 0 || code[before] != '=') return {};
  const std::size_t last = before_spaces(code, before);
  return last != kNowhere && is_word_letter(code[last]) ? word_before(code, before) : std::string_view();
}

std::optional<TemporaryOwner> owner_at(std::string_view code, std::size_t at, std::string_view type,
                                       const DestructorText& destructor) {
  const std::string_view name = pointer_set_before(code, at);
  if (name.empty()) return std::nullopt;
  const std::string_view text = code.substr(at, kLongestTemporary);
  const ObjectText object = object_at(text, type);
  if (object.end == kNowhere) return std::nullopt;
  const std::size_t open = past_spaces(text, object.end_of_type);
  TemporaryOwner owner{setting_at_place(code, at, name),
                       std::string(text.substr(0, object.end_of_type)),
                       std::string(without_outer_spaces(text.substr(open + 1, object.end - open - 2))),
                       {}};
  std::size_t end = past_spaces(text, object.end);
  if (end < text.size() && text[end] == '.') {
    const std::size_t member = past_spaces(text, end + 1), past = end_of_word(text, member);
    std::size_t next = past_spaces(text, past);
    const bool is_call = next < text.size() && text[next] == '(';
    if (is_call) next = past_bracket(text, next);
    if (next == kNowhere || !gives_freed(code, text.substr(member, past - member), is_call, destructor))
      return std::nullopt;
    owner.taken = std::string(text.substr(end, next - end));
    end = past_spaces(text, next);
  } else {
    const std::size_t before = before_spaces(code, static_cast<std::size_t>(name.data() - code.data()));
    if (before == kNowhere || code[before] != '*' || !converts_to_pointer(code)) return std::nullopt;
  }
  const bool is_whole = end < text.size() && (text[end] == ';' || text[end] == ',');
  return is_whole ? std::optional(std::move(owner)) : std::nullopt;
}

void show_temporary_owner(MergedFinding& finding, const TemporaryOwner& owner, const std::string& type) {
  const std::string& pointer = owner.pointer.names.front();
  place_at_second_owner(finding, type, {finding.where.file, owner.pointer.line, owner.pointer.column});
  finding.message = fmt::format(
      "the temporary `{}({})` is destroyed at the end of this statement and frees its memory: `{}` is the address of "
      "freed memory",
      owner.type, owner.arguments, pointer);
  const std::string name = "owner_of_" + pointer;
  finding.help = fmt::format(
      "give the object a name, so that it lives to the end of the block: `{0} {1}({2});`, and then let `{3}` be "
      "`{1}{4}`",
      owner.type, name, owner.arguments, pointer, owner.taken);
}

}  // namespace

std::optional<TemporaryOwner> temporary_owner(std::string_view code, std::string_view type) {
  const DestructorText destructor = destructor_of(code, type);
  if (destructor.freed.empty()) return std::nullopt;
  std::optional<TemporaryOwner> found;
  std::size_t looked_at = 0;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    if (found || word != type || ++looked_at > kMostTemporaries) return;
    found = owner_at(code, at, type, destructor);
  });
  return found;
}

void show_temporary_owners(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  for_each_freed_by_destructor(findings, source, file,
                               [](MergedFinding& finding, const std::string& code, const std::string& type) {
                                 if (const auto owner = temporary_owner(code, type))
                                   show_temporary_owner(finding, *owner, type);
                               });
}

}  // namespace cudalabs
