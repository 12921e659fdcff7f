// Containers are found by their declarations, and what is done to them by their names.
#include "explain/memory/grown_owner.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "explain/memory/copied_owner.h"
#include "explain/memory/destructor_finding.h"
#include "source/loop_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// A text may be made to be long to read; of a person there are fewer, and shorter ones.
constexpr std::size_t kMostGrownContainers = 8, kMostGrownUses = 64, kLongestElementType = 200,
                      kLongestMemberCall = 600;

struct OwnerContainer {
  std::string_view name, text;  // "buffers", "std::vector<Buffer>"
  bool grows = false;           // in one piece, for which its elements have to move
  std::size_t place = 0;        // of the name
};

/// "Buffer" and "Buffer<float>"
bool is_element_type(std::string_view text, std::string_view type) {
  text = without_outer_spaces(text);
  const std::size_t end = end_of_word(text, 0);
  return text.substr(0, end) == type && (end == text.size() || text[past_spaces(text, end)] == '<');
}

std::vector<OwnerContainer> containers_of(std::string_view code, std::string_view type) {
  constexpr std::array<std::string_view, 4> kContainers{"vector", "deque", "list", "array"};
  std::vector<OwnerContainer> found;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    if (found.size() >= kMostGrownContainers || std::ranges::find(kContainers, word) == kContainers.end()) return;
    const std::size_t open = past_spaces(code, at + word.size());
    if (open >= code.size() || code[open] != '<') return;
    const std::size_t past = past_bracket(code.substr(0, open + kLongestElementType), open);
    if (past == kNowhere) return;
    const auto arguments = items_of(code.substr(open + 1, past - open - 2));
    std::size_t name = past_spaces(code, past);
    if (name < code.size() && code[name] == '&') name = past_spaces(code, name + 1);
    const std::size_t end = end_of_word(code, name);
    if (arguments.empty() || !is_element_type(arguments.front(), type) || end == name || is_digit(code[name])) return;
    const std::size_t begin = code.substr(0, at).ends_with("std::") ? at - 5 : at;
    found.push_back({code.substr(name, end - name), code.substr(begin, past - begin), word == "vector", name});
  });
  return found;
}

struct MemberCall {
  std::string_view name;
  std::vector<std::string_view> arguments;
  std::size_t place = 0;  // of the container's name
};

/// "push_back" of "buffers.push_back(b)"; nothing: the name at `at` is not used so.
std::optional<MemberCall> member_call_at(std::string_view code, std::size_t at, std::size_t end) {
  const std::size_t dot = past_spaces(code, end);
  if (dot >= code.size() || code[dot] != '.') return std::nullopt;
  const std::size_t name = past_spaces(code, dot + 1), past_name = end_of_word(code, name);
  const std::size_t open = past_spaces(code, past_name);
  if (open >= code.size() || code[open] != '(') return std::nullopt;
  const std::size_t past = past_bracket(code.substr(0, open + kLongestMemberCall), open);
  if (past == kNowhere) return std::nullopt;
  return MemberCall{code.substr(name, past_name - name), items_of(code.substr(open + 1, past - open - 2)), at};
}

class ContainerUses {
 public:
  ContainerUses(std::string_view code, std::string_view type) : code_(code), type_(type), loops_(loops_of(code)) {}

  std::optional<GrownOwner> first() {
    for (const OwnerContainer& container : containers_of(code_, type_)) {
      if (!found_) look_at_declaration(container);
      if (!found_) look_at_uses(container);
    }
    return found_;
  }

 private:
  void found(const OwnerContainer& container, std::size_t place, std::string_view by, OwnerCopy how) {
    if (!found_)
      found_ =
          GrownOwner{setting_at_place(code_, place, container.name), std::string(container.text), std::string(by), how};
  }

  /// "all{a, b}", "all = {a, b}", "all(3, Buffer(n))".
  void look_at_declaration(const OwnerContainer& container) {
    std::size_t open = past_spaces(code_, container.place + container.name.size());
    if (open < code_.size() && code_[open] == '=') open = past_spaces(code_, open + 1);
    if (open >= code_.size() || (code_[open] != '{' && code_[open] != '(')) return;
    const std::size_t past = past_bracket(code_.substr(0, open + kLongestMemberCall), open);
    if (past == kNowhere || !container.grows) return;
    const auto items = items_of(code_.substr(open + 1, past - open - 2));
    const auto is_object = [&](std::string_view item) { return makes_object(item); };
    if (code_[open] == '{' && !items.empty() && std::ranges::all_of(items, is_object))
      found(container, container.place, {}, OwnerCopy::listed);
    else if (code_[open] == '(' && items.size() == 2 && makes_object(items[1]))
      found(container, container.place, {}, OwnerCopy::filled);
  }

  /// "Buffer(n)", "Buffer{n}", "Buffer<float>(n)".
  bool makes_object(std::string_view item) const {
    const std::size_t end = end_of_word(item, 0);
    const std::size_t behind = past_spaces(item, end);
    return item.substr(0, end) == type_ && behind < item.size() &&
           std::string_view("({<").find(item[behind]) != kNowhere;
  }

  void look_at_uses(const OwnerContainer& container) {
    std::vector<MemberCall> emplaced;
    bool reserved = false;
    std::size_t uses = 0;
    for_each_name(code_, [&](std::size_t at, std::string_view word) {
      if (word != container.name || at <= container.place || found_ || ++uses > kMostGrownUses) return;
      if (look_at_loop(container, at)) return;
      const auto call = member_call_at(code_, at, at + word.size());
      if (!call) return;
      reserved = reserved || call->name == "reserve";
      if (call->name == "emplace_back") emplaced.push_back(*call);
      const bool gives = call->name == "push_back" || call->name == "push_front" || call->name == "insert";
      if (gives && !call->arguments.empty() && call->arguments.back() != "nullptr")
        found(container, at, call->name, OwnerCopy::given);
      if (call->name == "resize" && call->arguments.size() == 2) found(container, at, call->name, OwnerCopy::filled);
    });
    if (found_ || !container.grows || reserved || emplaced.empty()) return;
    // An empty vector gets its first element without a copy.
    const LoopText* const loop = innermost_loop(loops_, emplaced.front().place);
    const bool anew = loop != nullptr && loop->begin <= container.place && container.place < loop->end;
    const bool again = emplaced.size() > 1 || (loop != nullptr && !anew);
    if (again) found(container, emplaced.front().place, "emplace_back", OwnerCopy::growth);
  }

  /// "for (Buffer b : all)", where `at` is the place of "all".
  bool look_at_loop(const OwnerContainer& container, std::size_t at) {
    const std::size_t colon = before_spaces(code_, at);
    if (colon == kNowhere || code_[colon] != ':' || (colon > 0 && code_[colon - 1] == ':')) return false;
    const std::string_view name = word_before(code_, colon);
    if (name.empty()) return false;
    const auto of_name = static_cast<std::size_t>(name.data() - code_.data());
    const std::string_view of_type = word_before(code_, of_name);
    if (of_type != type_ && of_type != "auto") return false;
    found(container, of_name, name, OwnerCopy::visited);
    return true;
  }

  std::string_view code_, type_;
  std::vector<LoopText> loops_;
  std::optional<GrownOwner> found_;
};

void show_grown_owner(MergedFinding& finding, const GrownOwner& owner, const std::string& type) {
  const bool event = is_of_destroyed_event(finding);
  const std::string frees = event ? "destroys the event" : "frees the memory",
                    free = event ? "destroy the events" : "free the memory";
  const std::string& name = owner.where.names.front();
  place_at_second_owner(finding, type, {finding.where.file, owner.where.line, owner.where.column});
  std::string cure = fmt::format("give `{0}` a move constructor that leaves nothing in the other object", type);
  switch (owner.how) {
    case OwnerCopy::growth:
      finding.message = fmt::format(
          "when `{}`, a `{}`, grows, it copies its objects, and the destructors of the old ones {} that the copies "
          "still use",
          name, owner.container, free);
      cure += fmt::format(", or call `{}.reserve` with their number first", name);
      break;
    case OwnerCopy::given:
      finding.message = fmt::format(
          "`{}` puts a copy of the object into `{}`: the destructor of the original {} that the copy still uses",
          owner.by, name, frees);
      break;
    case OwnerCopy::listed:
      finding.message = fmt::format(
          "the objects in the braces are copied into `{}`, and their destructors {} that the copies still use", name,
          free);
      break;
    case OwnerCopy::filled:
      finding.message =
          fmt::format("all objects of `{}` are copies of one, and the destructors of all of them {}", name, free);
      cure = "make each object by itself";
      break;
    case OwnerCopy::visited:
      finding.message = fmt::format("`{}` is a copy of an object in `{}`: its destructor {} at the end of each round",
                                    owner.by, name, frees);
      cure = fmt::format("visit them by reference, `auto& {} : {}`", owner.by, name);
      break;
  }
  finding.help = fmt::format(
      "{1}; delete the copy constructor, `{0}(const {0}&) = delete`, and the compiler finds such copies", type, cure);
}

}  // namespace

std::optional<GrownOwner> grown_owner(std::string_view code, std::string_view type) {
  return says_how_to_copy(code, type) ? std::nullopt : ContainerUses(code, type).first();
}

void show_grown_owners(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  for_each_freed_by_destructor(findings, source, file,
                               [](MergedFinding& finding, const std::string& code, const std::string& type) {
                                 if (const auto owner = grown_owner(code, type))
                                   show_grown_owner(finding, *owner, type);
                               });
}

}  // namespace cudalabs
