#include "patch/operators/repeated_name_patches.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "patch/declared_variables.h"
#include "patch/operators/patch_operator.h"
#include "patch/operators/patch_words.h"

namespace cudalabs::patch {
namespace {

/// A name alone, or its address, as an argument.
struct NamedArgument {
  std::size_t at = 0;     // its token
  std::size_t place = 0;  // among the arguments
  std::size_t open = 0;   // the bracket of the call
  const DeclaredVariable* variable = nullptr;
};

bool is_handle(const DeclaredVariable& variable) {
  return variable.type == "cudaStream_t" || variable.type == "cudaEvent_t";
}

class ArgumentNames : PatchOperator {
 public:
  ArgumentNames(const PatchedSource& source, std::vector<Patch>& patches) : PatchOperator(source, patches) {
    for (const DeclaredVariable& variable : variables_.all()) {
      const bool is_kept = variable.is_pointer() || is_handle(variable);
      if (is_kept && variable.body != kNoToken) alike_[{variable.body, variable.type}].push_back(&variable);
    }
    for (std::size_t open = 1; open < tokens_.size(); ++open) {
      if (roles_.is(open, "(") && roles_.in_body(open)) read_arguments(open);
    }
  }

  void add_repeated() {
    std::vector<std::pair<const NamedArgument*, const DeclaredVariable*>> meant;
    std::set<std::tuple<CallPlace, const DeclaredVariable*, const DeclaredVariable*>> asked;
    for (const NamedArgument& argument : arguments_) {
      const CallPlace place = place_of(argument);
      const auto in_list = std::ranges::count(lists_[argument.open], argument.variable->name);
      if (counts_[{place, argument.variable->name}] < 2 && in_list < 2) continue;
      for (const DeclaredVariable* other : others(argument)) {
        const bool stands_nowhere = counts_[{place, other->name}] == 0;
        if (!stands_nowhere || std::ranges::count(lists_[argument.open], other->name) > 0) continue;
        meant.emplace_back(&argument, other);
        if (asks_only_for(argument, *other)) asked.emplace(place, argument.variable, other);
      }
    }
    // Where a condition asks for the other one, the places without such a condition are right.
    for (const auto& [argument, other] : meant) {
      const bool is_asked_elsewhere =
          asked.contains({place_of(*argument), argument->variable, other}) && !asks_only_for(*argument, *other);
      if (!is_asked_elsewhere) replace(*argument, *other);
    }
  }

  void add_handles() {
    for (const NamedArgument& argument : arguments_) {
      const std::string_view callee = tokens_[argument.open - 1].text;
      const bool makes = callee.find("Create") != kNowhereInName || callee.find("Destroy") != kNowhereInName;
      if (makes || !is_handle(*argument.variable)) continue;
      for (const DeclaredVariable* other : others(argument)) {
        const bool is_repeated = counts_[{place_of(argument), argument.variable->name}] > 1 &&
                                 counts_[{place_of(argument), other->name}] == 0;
        const bool is_beside = std::ranges::count(lists_[argument.open], other->name) > 0;
        if (!is_repeated && !is_beside) replace(argument, *other);
      }
    }
  }

 private:
  static constexpr std::size_t kNowhereInName = std::string_view::npos;

  /// The function, what it calls, and which argument.
  using CallPlace = std::tuple<std::size_t, std::string_view, std::size_t>;

  CallPlace place_of(const NamedArgument& argument) const {
    return {roles_.body_of(argument.at), tokens_[argument.open - 1].text, argument.place};
  }

  void read_arguments(std::size_t open) {
    const Token& callee = tokens_[open - 1];
    const bool is_call = callee.is(">>>") || callee.kind == TokenKind::name;
    if (!is_call || callee.is("if") || callee.is("while") || callee.text.ends_with("printf")) return;
    constexpr std::size_t kMostArguments = 40;
    const std::vector<TokenRange> items = roles_.items(open);
    if (items.size() > kMostArguments) return;
    for (std::size_t which = 0; which < items.size(); ++which) {
      const std::size_t at = roles_.is(items[which].first, "&") ? items[which].first + 1 : items[which].first;
      if (at != items[which].last || tokens_[at].kind != TokenKind::name) continue;
      const DeclaredVariable* variable = variables_.meant_at(at);
      if (variable == nullptr || variable->at == at || !(variable->is_pointer() || is_handle(*variable))) continue;
      arguments_.push_back({at, which, open, variable});
      ++counts_[{place_of(arguments_.back()), variable->name}];
      lists_[open].push_back(variable->name);
    }
  }

  /// "if (b != nullptr) cudaFree(a);", "if (b) { cudaFree(a); }" and "b && f(a)", and not what is done without `b`:
  /// "if (b == nullptr) cudaFree(a);", "if (cudaMalloc(&b, n) != cudaSuccess) cudaFree(a);".
  bool asks_only_for(const NamedArgument& argument, const DeclaredVariable& other) const {
    constexpr std::size_t kMostSteps = 40;
    bool asks = false;
    std::size_t at = argument.open;
    for (std::size_t steps = 0; at > 1 && steps < kMostSteps; ++steps) {
      --at;
      if (tokens_[at].is(";") || tokens_[at].is("}") || (tokens_[at].is("{") && !tokens_[at - 1].is(")"))) break;
      if (tokens_[at].is(argument.variable->name) || tokens_[at].is("!") || tokens_[at].is("else")) return false;
      asks = asks || (tokens_[at].is(other.name) && is_asked_whether_set(at));
      if (tokens_[at].is("if")) break;
    }
    return asks;
  }

  bool is_asked_whether_set(std::size_t at) const {
    const Token &before = tokens_[at - 1], &next = tokens_[at + 1];
    const bool begins = before.is("&&") || before.is(";") || before.is("{") || before.is("}") ||
                        (before.is("(") && at > 1 && tokens_[at - 2].is("if"));
    const bool is_compared =
        next.is("!=") && (roles_.is(at + 2, "nullptr") || roles_.is(at + 2, "NULL") || roles_.is(at + 2, "0"));
    return begins && (is_compared || next.is(")") || next.is("&&"));
  }

  /// Those of its function and type that can be named there.
  std::vector<const DeclaredVariable*> others(const NamedArgument& argument) const {
    constexpr std::size_t kMostOfOneType = 6;
    const auto found = alike_.find({argument.variable->body, argument.variable->type});
    if (found == alike_.end() || found->second.size() > kMostOfOneType) return {};
    std::vector<const DeclaredVariable*> visible;
    for (const DeclaredVariable* other : found->second) {
      const bool is_other = other->name != argument.variable->name;
      if (is_other && variables_.meant_of(other->name, argument.at) == other) visible.push_back(other);
    }
    return visible;
  }

  void replace(const NamedArgument& argument, const DeclaredVariable& other) {
    const Token& name = tokens_[argument.at];
    replace_token(PatchKind::name, name, other.name);
  }

  std::vector<NamedArgument> arguments_;
  std::map<std::pair<std::size_t, std::string>, std::vector<const DeclaredVariable*>> alike_;
  std::map<std::pair<CallPlace, std::string_view>, std::size_t> counts_;
  std::map<std::size_t, std::vector<std::string_view>> lists_;  // of a call's bracket: the names in it
};

}  // namespace

void add_repeated_names(const PatchedSource& source, std::vector<Patch>& patches) {
  ArgumentNames(source, patches).add_repeated();
}

void add_other_handles(const PatchedSource& source, std::vector<Patch>& patches) {
  ArgumentNames(source, patches).add_handles();
}

}  // namespace cudalabs::patch
