#include "patch/operators/condition_patches.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "patch/decided_work.h"
#include "patch/declared_variables.h"
#include "patch/operators/patch_operator.h"
#include "patch/operators/patch_words.h"

namespace cudalabs::patch {
namespace {

constexpr std::size_t kLongestFlagValue = 30;  // tokens

bool assigns(std::string_view sign) {
  return sign == "=" || sign == "+=" || sign == "-=" || sign == "*=" || sign == "/=" || sign == "&=" || sign == "|=" ||
         sign == "<<=" || sign == ">>=" || sign == "++" || sign == "--";
}

class Conditions : PatchOperator {
 public:
  Conditions(const PatchedSource& source, std::vector<Patch>& patches) : PatchOperator(source, patches), work_(source) {
    for (std::size_t at = 1; at + 1 < tokens_.size(); ++at) {
      if (tokens_[at].kind != TokenKind::name) continue;
      const bool is_changed = assigns(tokens_[at + 1].text) || roles_.is(at - 1, "++") || roles_.is(at - 1, "--");
      const DeclaredVariable* variable = is_changed ? variables_.meant_at(at) : nullptr;
      if (variable != nullptr && variable->at != at) last_change_[variable] = at;
    }
  }

  void add() {
    for (std::size_t at = 2; at + 1 < tokens_.size(); ++at) {
      while (!loops_.empty() && at > loops_.back().last) loops_.pop_back();
      const bool begins_loop = roles_.is(at, "for") || roles_.is(at, "while") || roles_.is(at, "do");
      if (begins_loop && roles_.in_body(at)) loops_.push_back({at, end_of_loop(at)});
      if (!roles_.in_body(at) || !roles_.is_value_name(at) || !is_asked(at)) continue;
      const DeclaredVariable* flag = variables_.meant_at(at);
      const bool is_flag = flag != nullptr && flag->at != at && flag->place == VariablePlace::local;
      if (is_flag && is_out_of_date(*flag, at)) add_computed_anew(*flag, at);
      add_opposite(at, flag);
    }
  }

 private:
  /// A whole condition, or one of those that are connected.
  bool is_asked(std::size_t at) const {
    const std::size_t first = roles_.is(at - 1, "!") ? at - 1 : at;
    const std::string_view before = tokens_[first - 1].text;
    const bool may_choose = before == "=" || before == "return";
    const bool begins = (before == "(" && is_condition(first - 1)) || before == "&&" || before == "||";
    const std::size_t last = begins || may_choose ? roles_.last_of_value(at) : kNoToken;
    if (last == kNoToken) return false;
    const std::string_view behind = roles_.text(last + 1);
    return behind == "?" || (begins && (behind == ")" || behind == "&&" || behind == "||"));
  }

  bool is_condition(std::size_t open) const {
    return open > 0 && (roles_.is(open - 1, "if") || roles_.is(open - 1, "while"));
  }

  /// Its last token; the semicolon of its head where it has no braces and is long.
  std::size_t end_of_loop(std::size_t loop) const {
    constexpr std::size_t kLongestStatement = 100;
    const std::size_t behind = roles_.is(loop + 1, "(") ? roles_.partner(loop + 1) + 1 : loop + 1;
    if (roles_.is(behind, "{")) return roles_.partner(behind);
    std::size_t end = behind;
    while (end < tokens_.size() && end - behind < kLongestStatement && !roles_.is(end, ";")) ++end;
    return end;
  }

  /// Between the flag and where it is asked, or later in a loop in which it is asked and not computed.
  bool changes_before(const DeclaredVariable& flag, std::size_t change, std::size_t at) const {
    constexpr std::size_t kMostLoops = 32;
    if (change <= flag.at) return false;
    if (change < at) return true;
    std::size_t looked_at = 0;
    for (auto loop = loops_.rbegin(); loop != loops_.rend() && looked_at < kMostLoops; ++loop, ++looked_at) {
      if (loop->first > flag.at && loop->last >= change) return true;
    }
    return false;
  }

  /// It is computed once; what it is computed of changes behind that, or the next call finds it as it was.
  bool is_out_of_date(const DeclaredVariable& flag, std::size_t at) const {
    const bool may_be_flag = flag.type == "bool" || flag.type == "int" || flag.type == "auto";
    if (!may_be_flag || !flag.has_value() || last_change_.contains(&flag)) return false;
    if (roles_.is(at + 1, "(") || flag.value.last - flag.value.first > kLongestFlagValue) return false;
    const bool is_static = flag.at > 1 && (roles_.is(flag.at - 2, "static") || roles_.is(flag.at - 3, "static"));
    bool changes = false, is_condition = false;
    for (std::size_t token = flag.value.first; token <= flag.value.last; ++token) {
      const std::string_view text = tokens_[token].text;
      is_condition = is_condition || text == "<" || text == "<=" || text == ">" || text == ">=" || text == "==" ||
                     text == "!=" || text == "&&" || text == "||" || text == "%";
      const DeclaredVariable* part = variables_.meant_at(token);
      const auto change = part == nullptr ? last_change_.end() : last_change_.find(part);
      changes = changes || (change != last_change_.end() && changes_before(flag, change->second, at));
    }
    return is_condition && (changes || is_static);
  }

  void add_computed_anew(const DeclaredVariable& flag, std::size_t at) {
    const std::size_t begin = tokens_[flag.value.first].begin;
    const std::string value(source_.code.substr(begin, tokens_[flag.value.last].end() - begin));
    if (value.find('\n') != std::string::npos) return;
    const Token& name = tokens_[at];
    std::string words = in_place_of(value, name.text);
    if (value.size() + name.text.size() > kLongestCode) words = "`" + std::string(name.text) + "` computed anew";
    const bool is_whole = roles_.is(at - 1, "(") && roles_.is(at + 1, ")");
    propose(PatchKind::condition, name.begin, name.end(), is_whole ? value : "(" + value + ")", std::move(words));
  }

  /// It decides between two ways: then the opposite only takes the other one, which may be right, too, and slower.
  bool has_alternative(std::size_t at) const {
    constexpr std::size_t kLongestCondition = 60;  // tokens
    for (std::size_t token = at; token > 1 && at - token < kLongestCondition; --token) {
      if (tokens_[token].kind == TokenKind::close) token = std::max<std::size_t>(roles_.partner(token), 2);
      if (roles_.is(token, ";") || roles_.is(token, "{") || roles_.is(token, "}")) return false;
      if (!roles_.is(token, "(") || !roles_.is(token - 1, "if")) continue;
      std::size_t end = roles_.partner(token) + 1;
      if (roles_.is(end, "{")) {
        end = roles_.partner(end);
      } else {
        while (end < tokens_.size() && !roles_.is(end, ";")) ++end;
      }
      return roles_.is(end + 1, "else");
    }
    return false;
  }

  void add_opposite(std::size_t at, const DeclaredVariable* flag) {
    const std::size_t last = roles_.last_of_value(at);
    const bool is_flag = flag != nullptr && flag->type == "bool" && last == at;
    if ((!is_flag && !asks_without_cuda(at, last)) || roles_.is(last + 1, "?") || has_alternative(at)) return;
    const bool negated = roles_.is(at - 1, "!");
    if (is_flag && is_check(*flag, at, negated)) return;
    const Token& name = tokens_[at];
    const std::string text(name.text);
    if (negated) {
      const Token& sign = tokens_[at - 1];
      propose(PatchKind::condition, sign.begin, sign.end(), "", in_place_of(text, "!" + text));
    } else {
      propose(PatchKind::condition, name.begin, name.begin, "!", in_place_of("!" + text, text));
    }
  }

  /// "if (ok) launch();", "if (!ok) return;" of whether calls of CUDA went well: the opposite only does less.
  bool is_check(const DeclaredVariable& flag, std::size_t at, bool negated) const {
    const std::optional<bool> works = work_.at(at);
    return works && *works != negated && keeps_status(flag);
  }

  bool keeps_status(const DeclaredVariable& flag) const {
    const auto changed = last_change_.find(&flag);
    return (flag.has_value() && calls_cuda(flag.value.first)) ||
           (changed != last_change_.end() && calls_cuda(changed->second));
  }

  /// From there to the statement's end.
  bool calls_cuda(std::size_t at) const {
    constexpr std::size_t kLongestStatus = 60;  // tokens
    for (const std::size_t end = std::min(at + kLongestStatus, tokens_.size()); at < end && !tokens_[at].is(";");
         ++at) {
      if (tokens_[at].text.starts_with("cuda")) return true;
    }
    return false;
  }

  /// "inside(row, col)", "a.contains(i)"; the others are checks of errors.
  bool asks_without_cuda(std::size_t at, std::size_t last) const {
    constexpr std::size_t kLongestCall = 24;  // tokens
    if (!roles_.is(last, ")") || last - at > kLongestCall) return false;
    const std::size_t open = roles_.partner(last);
    if (last <= open + 1) return false;  // it is asked for a state
    for (std::size_t token = at; token <= last; ++token) {
      const Token& part = tokens_[token];
      const bool checks = part.text.starts_with("cuda") || part.kind == TokenKind::literal || part.is("__LINE__");
      if (checks) return false;
      const DeclaredVariable* variable = variables_.meant_at(token);
      if (variable != nullptr && variable->type.starts_with("cuda")) return false;
    }
    return true;
  }

  DecidedWork work_;
  std::map<const DeclaredVariable*, std::size_t> last_change_;
  std::vector<TokenRange> loops_;  // around what is looked at
};

}  // namespace

void add_conditions(const PatchedSource& source, std::vector<Patch>& patches) {
  Conditions(source, patches).add();
}

}  // namespace cudalabs::patch
