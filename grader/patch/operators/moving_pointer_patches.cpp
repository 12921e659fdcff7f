#include "patch/operators/moving_pointer_patches.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "patch/declared_variables.h"
#include "patch/operators/patch_operator.h"
#include "patch/operators/patch_words.h"
#include "patch/uses.h"

namespace cudalabs::patch {
namespace {

constexpr std::size_t kMostPointers = 8;  // of one type in a function

/// "float" of "const float*" and "float[]".
std::string pointee_of(const std::string& type) {
  const std::size_t begin = type.starts_with("const ") ? 6 : 0;
  return type.substr(begin, type.size() - begin - (type.ends_with("[]") ? 2 : 1));
}

bool points_to_const(const DeclaredVariable& variable) {
  return variable.type.starts_with("const ");
}

class MovingPointers : PatchOperator {
 public:
  MovingPointers(const PatchedSource& source, std::vector<Patch>& patches) : PatchOperator(source, patches) {
    for (const DeclaredVariable& variable : variables_.all()) {
      if (variable.is_pointer() && variable.body != kNoToken)
        alike_[{variable.body, pointee_of(variable.type)}].push_back(&variable);
    }
    for (std::size_t at = 1; at < tokens_.size(); ++at) {
      if (!is_moved_at(at)) continue;
      if (const DeclaredVariable* variable = variables_.meant_at(at); variable != nullptr && variable->at != at)
        moving_.insert(variable);
    }
  }

  void add() {
    if (moving_.empty()) return;
    for (std::size_t at = 1; at + 1 < tokens_.size(); ++at) {
      if (tokens_[at].is(";") || tokens_[at].is("{") || tokens_[at].is("}")) {
        add_of_statement();
        begin_ = at + 1;
      } else if (tokens_[at].kind == TokenKind::name && is_own_name(tokens_, at)) {
        named_.insert(tokens_[at].text);
        if (is_argument(at) || is_read_at(at)) uses_.push_back(at);
      }
    }
  }

 private:
  /// "src = dst;" or "swap(src, dst)".
  bool is_moved_at(std::size_t at) const {
    if (tokens_[at].kind != TokenKind::name || !roles_.in_body(at)) return false;
    const bool begins = roles_.is(at - 1, ";") || roles_.is(at - 1, "{") || roles_.is(at - 1, "}") ||
                        roles_.is(at - 1, ")") || roles_.is(at - 1, "else");
    if (begins && roles_.is(at + 1, "=")) return true;
    const std::size_t open = roles_.is(at - 1, "(") ? at - 1 : at > 3 && roles_.is(at - 3, "(") ? at - 3 : kNoToken;
    return open != kNoToken && open > 0 && roles_.is(open - 1, "swap") && roles_.is(roles_.partner(open), ")") &&
           roles_.partner(open) == open + 4;
  }

  /// A whole one, of a call or a launch.
  bool is_argument(std::size_t at) const {
    const bool begins = roles_.is(at - 1, "(") || roles_.is(at - 1, ",");
    return begins && (roles_.is(at + 1, ",") || roles_.is(at + 1, ")")) && roles_.in_body(at) && is_in_call(at);
  }

  bool is_in_call(std::size_t at) const {
    const std::string_view callee = callee_of(at);
    return !callee.empty() && callee != "if" && callee != "while" && callee != "for" && callee != "swap" &&
           callee != "return" && callee != "sizeof";
  }

  /// "cudaMemcpy", ">>>"; empty: the first bracket of the statement is no call's.
  std::string_view callee_of(std::size_t at) const {
    constexpr std::size_t kFarthest = 40;
    for (std::size_t open = at; open > begin_ && at - open < kFarthest; --open) {
      const std::size_t before = open - 1;
      if (tokens_[before].kind == TokenKind::close && roles_.partner(before) < before) {
        open = roles_.partner(before) + 1;
        if (open <= begin_) break;
      } else if (tokens_[before].is("(")) {
        const bool calls = before > 0 && (tokens_[before - 1].kind == TokenKind::name || roles_.is(before - 1, ">>>"));
        return calls ? tokens_[before - 1].text : std::string_view();
      }
    }
    return {};
  }

  /// "partial[0]", and not "partial[0] = ".
  bool is_read_at(std::size_t at) const {
    if (!roles_.is(at + 1, "[") || !roles_.in_body(at)) return false;
    const std::size_t close = roles_.partner(at + 1);
    return close != kNoToken && close + 1 < tokens_.size() && !is_assignment_sign(tokens_[close + 1]);
  }

  void add_of_statement() {
    for (const std::size_t at : uses_) {
      const DeclaredVariable* variable = variables_.meant_at(at);
      if (variable == nullptr || variable->at == at || !variable->is_pointer() || variable->body == kNoToken) continue;
      const auto found = alike_.find({variable->body, pointee_of(variable->type)});
      if (found == alike_.end() || found->second.size() > kMostPointers) continue;
      for (const DeclaredVariable* other : found->second) {
        const bool is_visible = !named_.contains(other->name) && variables_.meant_of(other->name, at) == other;
        if (is_visible && may_be_meant(*variable, *other, at)) replace(at, *other);
      }
    }
    uses_.clear();
    named_.clear();
  }

  bool may_be_meant(const DeclaredVariable& variable, const DeclaredVariable& other, std::size_t at) const {
    const std::string_view callee = is_read_at(at) ? std::string_view() : callee_of(at);
    if (is_release(callee)) return moving_.contains(&variable) && !moving_.contains(&other) && !points_to_const(other);
    const bool is_target = callee.starts_with("cudaMem") && roles_.is(at - 1, "(");
    return moving_.contains(&other) && !(is_target && points_to_const(other));
  }

  void replace(std::size_t at, const DeclaredVariable& other) {
    const Token& name = tokens_[at];
    replace_token(PatchKind::name, name, other.name);
  }

  std::map<std::pair<std::size_t, std::string>, std::vector<const DeclaredVariable*>> alike_;
  std::set<const DeclaredVariable*> moving_;
  std::size_t begin_ = 1;             // of the statement
  std::vector<std::size_t> uses_;     // in the statement
  std::set<std::string_view> named_;  // in the statement
};

}  // namespace

void add_moving_pointers(const PatchedSource& source, std::vector<Patch>& patches) {
  MovingPointers(source, patches).add();
}

}  // namespace cudalabs::patch
