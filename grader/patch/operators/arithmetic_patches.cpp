#include "patch/operators/arithmetic_patches.h"

#include <set>
#include <string>

#include "patch/declared_variables.h"
#include "patch/expression_segments.h"
#include "patch/operators/patch_operator.h"
#include "patch/operators/patch_words.h"

namespace cudalabs::patch {
namespace {

class Arithmetic : PatchOperator {
 public:
  Arithmetic(const PatchedSource& source, std::vector<Patch>& patches)
      : PatchOperator(source, patches), segments_(expression_segments(source)) {
    for (std::size_t at = 1; at + 1 < tokens_.size(); ++at) {
      const bool divides = roles_.is(at, "/") || roles_.is(at, "%");
      if (divides && roles_.in_body(at)) quotients_.insert({roles_.body_of(at), quotient(at, tokens_[at].text)});
    }
  }

  void add() {
    for (const ExpressionSegment& segment : segments_) add_sum_sign(segment);
    std::vector<std::size_t> loops;  // where the bodies end that are around
    for (std::size_t at = 1; at + 1 < tokens_.size(); ++at) {
      while (!loops.empty() && at >= loops.back()) loops.pop_back();
      if (!roles_.in_body(at)) continue;
      if (tokens_[at].is("for") || tokens_[at].is("while")) begin_loop(at, loops);
      add_remainder(at);
      add_bits_and_sizes(at);
      add_assignment(at, loops);
    }
  }

 private:
  void replace(const Token& token, std::string_view now) { replace_token(PatchKind::arithmetic, token, now); }

  /// "x[i + d]", "i + d < n": two values without factors.
  void add_sum_sign(const ExpressionSegment& segment) {
    const TokenRange& range = segment.tokens;
    const std::size_t sign = range.first + 1;
    const bool is_pair = range.last == range.first + 2 && (roles_.is(sign, "+") || roles_.is(sign, "-"));
    if (!is_pair || !roles_.is_binary(sign) || !roles_.is_value_name(range.last)) return;
    const bool is_index = roles_.is(segment.open, "[") && roles_.is(range.first - 1, "[");
    const bool is_bound = roles_.is(range.last + 1, "<") || roles_.is(range.last + 1, ">=");
    if (is_index || is_bound) replace(tokens_[sign], roles_.is(sign, "+") ? "-" : "+");
  }

  /// "t / 32" alone, as a value.
  bool divides_alone(std::size_t sign) const {
    const bool divides = (roles_.is(sign, "/") || roles_.is(sign, "%")) && roles_.is_binary(sign) && sign > 1;
    if (!divides || !roles_.is_value_name(sign - 1)) return false;
    const std::string_view before = tokens_[sign - 2].text, behind = roles_.text(sign + 2);
    const bool is_whole = behind == ")" || behind == ";" || behind == "," || behind == "]" || behind == "==";
    const bool begins = before == "(" || before == "," || before == "[" || before == "=" || before == "return";
    return is_whole && begins;
  }

  std::string quotient(std::size_t sign, std::string_view with) const {
    return std::string(tokens_[sign - 1].text) + std::string(with) + std::string(tokens_[sign + 1].text);
  }

  /// "lane = t / 32" where nothing is "t % 32".
  void add_remainder(std::size_t sign) {
    if (!divides_alone(sign)) return;
    const DeclaredVariable* divided = variables_.meant_at(sign - 1);
    const bool is_local = divided != nullptr && divided->place == VariablePlace::local && divided->is_integer();
    const std::string_view other = roles_.is(sign, "/") ? "%" : "/";
    const bool has_both = quotients_.contains({roles_.body_of(sign), quotient(sign, other)});
    if (is_local && !has_both) replace(tokens_[sign], other);
  }

  void add_bits_and_sizes(std::size_t at) {
    if (roles_.is(at, "/") && roles_.is(at + 1, "sizeof")) replace(tokens_[at], "*");
    if (roles_.is(at, "&") && roles_.is_binary(at)) replace(tokens_[at], "|");
    if (roles_.is(at, "|") && roles_.is_binary(at) && !joins_flags(at)) replace(tokens_[at], "&");
  }

  /// "cudaEventBlockingSync | cudaEventDisableTiming": the names of headers. They have no bit in common, and `&` just
  /// leaves out all of them.
  bool joins_flags(std::size_t sign) const {
    const auto is_of_header = [&](std::size_t name) {
      const bool called = roles_.is(name + 1, "(") || roles_.is(name + 1, "[");
      const bool member = roles_.is(name - 1, ".") || roles_.is(name - 1, "->");
      return roles_.is_value_name(name) && !called && !member && variables_.meant_at(name) == nullptr;
    };
    return is_of_header(sign - 1) || is_of_header(sign + 1);
  }

  void begin_loop(std::size_t at, std::vector<std::size_t>& loops) const {
    if (!roles_.is(at + 1, "(")) return;
    const std::size_t behind = roles_.partner(at + 1) + 1;
    std::size_t end = roles_.is(behind, "{") ? roles_.partner(behind) : behind;
    constexpr std::size_t kLongestStatement = 100;
    while (!roles_.is(behind, "{") && end < tokens_.size() && end - behind < kLongestStatement && !roles_.is(end, ";"))
      ++end;
    loops.push_back(loops.empty() ? end : std::min(end, loops.back()));
    if (loop_begins_.size() < loops.size()) loop_begins_.resize(loops.size());
    loop_begins_[loops.size() - 1] = at;
  }

  void add_assignment(std::size_t at, const std::vector<std::size_t>& loops) {
    const bool begins =
        roles_.is(at - 2, ";") || roles_.is(at - 2, "{") || roles_.is(at - 2, "}") || roles_.is(at - 2, ")");
    if (roles_.is(at, "+=") && roles_.is(at - 1, "]")) {
      const std::size_t array = roles_.first_of_value(at - 1);
      const DeclaredVariable* variable = variables_.meant_at(array);
      const bool is_of_caller =
          variable != nullptr && variable->is_pointer() && variable->place == VariablePlace::parameter;
      if (is_of_caller) replace(tokens_[at], "=");
    }
    if (!begins || !roles_.is(at, "=")) return;
    const DeclaredVariable* variable = variables_.meant_at(at - 1);
    if (variable == nullptr || variable->at == at - 1 || variable->place != VariablePlace::local || uses_itself(at))
      return;
    const bool sums = !loops.empty() && variable->at < loop_begins_[loops.size() - 1] && is_computed(at);
    if (variable->is_number() && sums) replace(tokens_[at], "+=");
    if (variable->type == "bool" && variable->has_value()) replace(tokens_[at], "&=");
  }

  template <typename Is>
  bool any_in_value(std::size_t assignment, const Is& is) const {
    constexpr std::size_t kLongest = 60;
    for (std::size_t at = assignment + 1; at < tokens_.size() && !roles_.is(at, ";"); ++at) {
      if (at - assignment > kLongest) return true;
      if (is(at)) return true;
    }
    return false;
  }

  bool uses_itself(std::size_t assignment) const {
    return any_in_value(assignment, [&](std::size_t at) { return roles_.is(at, roles_.text(assignment - 1)); });
  }

  bool is_computed(std::size_t assignment) const {
    return any_in_value(assignment, [&](std::size_t at) { return roles_.is(at, "*") || roles_.is(at, "["); });
  }

  std::vector<ExpressionSegment> segments_;
  std::set<std::pair<std::size_t, std::string>> quotients_;  // of a function: "t/32"
  mutable std::vector<std::size_t> loop_begins_;
};

}  // namespace

void add_arithmetic(const PatchedSource& source, std::vector<Patch>& patches) {
  Arithmetic(source, patches).add();
}

}  // namespace cudalabs::patch
