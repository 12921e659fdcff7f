#include "source/kept_objects.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include "source/setting_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// More is not read: a text may be made to be long to read.
constexpr std::size_t kLongestBeforeBrace = 400, kLongestArguments = 200, kMostKept = 16;

/// What a pair of braces is of.
struct Scope {
  enum class Kind : std::uint8_t { space, type, body };
  Kind kind = Kind::body;
  std::string_view type = {};    // the class: its body, or that of a member function which is defined outside
  std::string_view around = {};  // the innermost class, of those around it, too
};

bool is_class_word(std::string_view word) {
  return word == "struct" || word == "class";
}

/// "Buffer" of "template <class T> struct Buffer : Base" and of "Buffer<T>::reserve(int n)".
Scope scope_of(std::string_view head, bool in_space) {
  const bool opens_space = has_name(head, "namespace") || without_outer_spaces(head).starts_with("extern");
  if (in_space && opens_space && head.find('(') == kNowhere) return {Scope::Kind::space};
  Scope scope;
  for_each_name(head, [&](std::size_t at, std::string_view word) {
    const std::size_t before = before_spaces(head, at);
    const bool of_template = before != kNowhere && (head[before] == '<' || head[before] == ',');
    if (!is_class_word(word) || of_template) return;
    const std::size_t begin = past_spaces(head, at + word.size()), end = end_of_word(head, begin);
    const std::size_t behind = past_spaces(head, end);
    const std::string_view rest = head.substr(std::min(behind, head.size()));
    const bool is_definition = rest.empty() || rest[0] == ':' || rest[0] == '<' || rest.starts_with("final");
    if (end > begin && is_definition) scope = {Scope::Kind::type, head.substr(begin, end - begin), {}};
  });
  const std::size_t open = head.find('(');
  if (scope.kind == Scope::Kind::type || open == kNowhere) return scope;
  const std::string_view name = word_before(head, open);
  const auto at = static_cast<std::size_t>(name.data() - head.data());
  if (name.empty() || !head.substr(0, at).ends_with("::")) return scope;
  const std::size_t end = at - 2;
  const std::size_t list = end > 0 && head[end - 1] == '>' ? head.rfind('<', end) : end;
  if (list != kNowhere) scope.type = word_before(head, list);
  return scope;
}

/// Calls `visit` with the place of each name, and the braces around it.
template <typename Visit>
void for_each_name_in_scopes(std::string_view code, const Visit& visit) {
  std::vector<Scope> scopes;
  std::size_t spaces = 0;  // the outermost ones, which are of namespaces
  std::size_t head = 0;    // where what stands before the next brace begins
  std::size_t at = 0;
  while (at < code.size()) {
    const char letter = code[at];
    if (letter == '"') {
      at = std::max(past_string(code, at), at + 1);
      continue;
    }
    if (is_word_letter(letter)) {
      const std::size_t end = end_of_word(code, at);
      if (!is_digit(letter)) visit(at, code.substr(at, end - at), head, scopes);
      at = end;
      continue;
    }
    if (letter == '{') {
      const std::size_t begin = std::max(head, at - std::min(at, kLongestBeforeBrace));
      Scope scope = scope_of(code.substr(begin, at - begin), spaces == scopes.size());
      scope.around = scope.type.empty() && !scopes.empty() ? scopes.back().around : scope.type;
      if (scope.kind == Scope::Kind::space) ++spaces;
      scopes.push_back(scope);
    }
    if (letter == '}' && !scopes.empty()) {
      if (scopes.back().kind == Scope::Kind::space) --spaces;
      scopes.pop_back();
    }
    if (letter == '{' || letter == '}' || letter == ';') head = at + 1;
    ++at;
  }
}

class ObjectReader {
 public:
  explicit ObjectReader(std::string_view code) : code_(code) {}

  /// Those of the type, as far as it is plain. False: it is not, or some do not last.
  bool read(std::string_view type) {
    if (!types_.insert(type).second) return true;
    if (types_.size() > kMostTypes) return false;
    std::vector<std::string_view> owners;  // the classes with such a member
    bool plain = true;
    for_each_name_in_scopes(
        code_, [&](std::size_t at, std::string_view word, std::size_t head, const std::vector<Scope>& scopes) {
          if (word == type && plain) plain = read_use(at, word, head, scopes, owners);
        });
    return plain && std::ranges::all_of(owners, [&](std::string_view owner) { return read(owner); });
  }

  std::vector<KeptObject> take() && { return std::move(objects_); }

 private:
  static constexpr std::size_t kMostTypes = 4;

  char letter_at(std::size_t at) const { return at < code_.size() ? code_[at] : ' '; }

  /// Past the arguments of a template.
  std::size_t past_arguments(std::size_t at) const {
    at = past_spaces(code_, at);
    if (letter_at(at) != '<') return at;
    const std::size_t end = past_bracket(code_.substr(at, kLongestArguments), 0);
    return end == kNowhere ? code_.size() : past_spaces(code_, at + end);
  }

  bool read_use(std::size_t at, std::string_view type, std::size_t head, const std::vector<Scope>& scopes,
                std::vector<std::string_view>& owners) {
    const std::size_t begin = std::max(head, at - std::min(at, kLongestBeforeBrace));
    const std::string_view before = code_.substr(begin, at - begin);
    const std::string_view word = word_before(code_, at);
    const std::string_view text = without_outer_spaces(before);
    const bool own = !scopes.empty() && scopes.back().type == type;
    if (is_class_word(word) || text.ends_with('~') || (own && text.ends_with("::"))) return true;
    if (word == "new" || word == "using" || word == "typedef") return false;
    const std::size_t behind = past_arguments(at + type.size());
    switch (letter_at(behind)) {
      case '&':
      case '*':
      case ')':  // "sizeof(Buffer)", "f(Buffer)"
      case ':':
        return true;
      case '(':
      case '{':
        return own || text.ends_with("::");
      default:
        break;
    }
    if (!is_word_letter(letter_at(behind))) return false;
    // Parameters are copies, and last for the call.
    if (std::ranges::count(before, '(') > std::ranges::count(before, ')')) return true;
    return read_names(behind, has_name(before, "static") || has_name(before, "thread_local"), scopes, owners);
  }

  /// "padded_a, padded_b;", "padded(16);", and not "make() {".
  bool read_names(std::size_t at, bool is_static, const std::vector<Scope>& scopes,
                  std::vector<std::string_view>& owners) {
    // Namespaces are in no other braces.
    const bool everywhere = scopes.empty() || scopes.back().kind == Scope::Kind::space;
    const bool member = !scopes.empty() && scopes.back().kind == Scope::Kind::type;
    while (true) {
      const std::string_view name = code_.substr(at, end_of_word(code_, at) - at);
      std::size_t behind = past_spaces(code_, at + name.size());
      const char letter = letter_at(behind);
      if (!is_identifier(name) || std::string_view(";=,{([").find(letter) == kNowhere) return false;
      if (letter == '(' && (everywhere || member)) return false;
      if (member && !is_static) {
        owners.push_back(scopes.back().type);
      } else if (!everywhere && !is_static) {
        return false;
      } else {
        const Setting place = setting_at_place(code_, at, name);
        objects_.push_back({name, place.line, place.column, is_static && !everywhere});
        if (objects_.size() > kMostKept) return false;
      }
      if (letter != ',') return true;
      at = past_spaces(code_, behind + 1);
    }
  }

  std::string_view code_;
  std::set<std::string_view> types_;
  std::vector<KeptObject> objects_;
};

}  // namespace

std::string_view class_around(std::string_view code, std::size_t place) {
  std::string_view found;
  for_each_name_in_scopes(code, [&](std::size_t at, std::string_view, std::size_t, const std::vector<Scope>& scopes) {
    if (at > place) return;
    found = scopes.empty() ? std::string_view() : scopes.back().around;
  });
  return found;
}

bool has_member(std::string_view code, std::string_view type, std::string_view name) {
  bool found = false;
  for_each_name_in_scopes(code, [&](std::size_t, std::string_view word, std::size_t, const std::vector<Scope>& scopes) {
    const bool in_class = !scopes.empty() && scopes.back().kind == Scope::Kind::type && scopes.back().type == type;
    found = found || (word == name && in_class);
  });
  return found;
}

std::vector<KeptObject> kept_objects(std::string_view code, std::string_view type) {
  ObjectReader reader(code);
  return reader.read(type) ? std::move(reader).take() : std::vector<KeptObject>();
}

}  // namespace cudalabs
