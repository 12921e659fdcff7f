#include "patch/operators/sibling_call_patches.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "patch/declared_variables.h"
#include "patch/operators/patch_operator.h"

namespace cudalabs::patch {
namespace {

constexpr std::size_t kMostSiblings = 4;  // of one type in a function
constexpr std::size_t kMostSiblingCalls = 16;
constexpr std::size_t kLongestArguments = 12;  // tokens

/// A statement that is a call for one object.
struct ObjectCall {
  const DeclaredVariable* object = nullptr;
  std::size_t at = 0, last = 0;  // tokens: of the object's name, and the semicolon
  std::size_t first = 0;
  std::string before, behind;  // of the name, in the statement
};

class SiblingCalls : PatchOperator {
 public:
  SiblingCalls(const PatchedSource& source, std::vector<Patch>& patches) : PatchOperator(source, patches) {
    for (const DeclaredVariable& variable : variables_.all()) {
      const bool may_forget = variable.place == VariablePlace::local && !variable.is_number();
      if (may_forget) alike_[{variable.body, variable.type}].push_back(&variable);
    }
  }

  void add() {
    std::vector<ObjectCall> calls;
    std::set<std::tuple<const DeclaredVariable*, std::string, std::string>> done;
    for (std::size_t at = 1; at < tokens_.size(); ++at) {
      const bool begins = roles_.is(at - 1, ";") || roles_.is(at - 1, "{") || roles_.is(at - 1, "}");
      auto call = begins && roles_.in_body(at) ? read(at) : std::nullopt;
      if (!call) continue;
      done.insert({call->object, call->before, call->behind});
      calls.push_back(*std::move(call));
    }
    std::size_t added = 0;
    for (const ObjectCall& call : calls) {
      const auto siblings = alike_.find({call.object->body, call.object->type});
      if (siblings == alike_.end() || siblings->second.size() > kMostSiblings) continue;
      for (const DeclaredVariable* sibling : siblings->second) {
        if (added == kMostSiblingCalls || done.contains({sibling, call.before, call.behind})) continue;
        if (variables_.meant_of(sibling->name, call.at) != sibling) continue;
        insert(call, *sibling);
        ++added;
      }
    }
  }

 private:
  /// The statement that begins at `first`.
  std::optional<ObjectCall> read(std::size_t first) const {
    if (!roles_.has_kind(first, TokenKind::name)) return std::nullopt;
    const bool is_member = (roles_.is(first + 1, ".") || roles_.is(first + 1, "->")) && roles_.is(first + 3, "(");
    const bool is_function = roles_.is(first + 1, "(");
    if (!is_member && !is_function) return std::nullopt;
    const std::size_t open = is_member ? first + 3 : first + 1, close = roles_.partner(open);
    if (close == kNoToken || close - open > kLongestArguments || !roles_.is(close + 1, ";")) return std::nullopt;
    const std::size_t own = roles_.is(open + 1, "&") ? open + 2 : open + 1;
    const std::size_t at = is_member ? first : own;
    const DeclaredVariable* object = at < close && roles_.is_value_name(at) ? variables_.meant_at(at) : nullptr;
    if (object == nullptr || object->at == at) return std::nullopt;
    for (std::size_t token = is_member ? open + 1 : at + 1; token < close; ++token) {
      if (tokens_[token].kind == TokenKind::name) return std::nullopt;
    }
    const std::size_t begin = tokens_[first].begin, name = tokens_[at].begin, behind = tokens_[at].end();
    return ObjectCall{.object = object,
                      .at = at,
                      .last = close + 1,
                      .first = first,
                      .before = std::string(source_.code.substr(begin, name - begin)),
                      .behind = std::string(source_.code.substr(behind, tokens_[close].end() - behind))};
  }

  void insert(const ObjectCall& call, const DeclaredVariable& sibling) {
    const std::string there = call.before + std::string(call.object->name) + call.behind;
    const std::string missing = call.before + std::string(sibling.name) + call.behind;
    if (there.size() + missing.size() > kLongestCode || there.find('\n') != std::string::npos) return;
    const Token& end = tokens_[call.last];
    propose(PatchKind::call, end.begin, end.end(), "; " + missing + ";", "`" + missing + "` after `" + there + "`");
  }

  std::map<std::pair<std::size_t, std::string>, std::vector<const DeclaredVariable*>> alike_;
};

}  // namespace

void add_sibling_calls(const PatchedSource& source, std::vector<Patch>& patches) {
  SiblingCalls(source, patches).add();
}

}  // namespace cudalabs::patch
