#include "patch/patch_reason.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <set>
#include <vector>

#include "patch/patched_source.h"
#include "patch/token_roles.h"
#include "source/condition_text.h"
#include "source/function_text.h"
#include "source/structure_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "text/enumeration.h"

namespace cudalabs::patch {
namespace {

/// An argument that counts bytes, from 0.
struct ByteArgument {
  std::string_view call;
  std::size_t number = 0;
  std::string_view what = "size";
};
constexpr auto kByteArguments = std::to_array<ByteArgument>({
    {"cudaMalloc", 1},
    {"cudaMallocManaged", 1},
    {"cudaMallocHost", 1},
    {"cudaMallocAsync", 1},
    {"cudaMallocPitch", 2, "width"},
    {"cudaMemcpy", 2},
    {"cudaMemcpyAsync", 2},
    {"cudaMemcpyToSymbol", 2},
    {"cudaMemcpyFromSymbol", 2},
    {"cudaMemset", 2},
    {"cudaMemsetAsync", 2},
    {"cudaMemset2D", 1, "pitch"},
    {"cudaMemset2D", 3, "width"},
    {"cudaMemcpy2D", 1, "pitch"},
    {"cudaMemcpy2D", 3, "pitch"},
    {"cudaMemcpy2D", 4, "width"},
    {"cudaMemcpy2DAsync", 1, "pitch"},
    {"cudaMemcpy2DAsync", 3, "pitch"},
    {"cudaMemcpy2DAsync", 4, "width"},
});
// A text may be made to be long to read.
constexpr std::size_t kMostLevels = 16, kMostLaunches = 64, kLongestLookedBack = 400;

class Reasons {
 public:
  Reasons(std::string_view code, const Patch& patch)
      : code_(code), patch_(patch), source_(code), tokens_(source_.tokens), roles_(source_.roles) {
    const auto changed = std::ranges::upper_bound(tokens_, patch.begin, {}, &Token::end);
    at_ = static_cast<std::size_t>(changed - tokens_.begin());
  }

  std::string first() const {
    if (at_ >= tokens_.size()) return {};
    if (patch_.kind == PatchKind::quotient) return "a `float` is rounded, which may give another whole number";
    for (const auto reason : {&Reasons::of_bytes, &Reasons::of_shared_size, &Reasons::of_group, &Reasons::of_static}) {
      std::string text = (this->*reason)();
      if (!text.empty()) return text;
    }
    return {};
  }

 private:
  /// Brackets around the place, the innermost one first.
  std::vector<std::size_t> brackets_around() const {
    std::vector<std::size_t> found;
    std::size_t steps = 0;
    for (std::size_t at = at_; at > 0 && found.size() < kMostLevels && ++steps < kLongestLookedBack;) {
      --at;
      const std::size_t partner = roles_.partner(at);
      if (tokens_[at].is(";") || tokens_[at].is("{")) break;
      if (partner == kNoToken) continue;
      if (partner < at)
        at = partner;
      else if (partner >= at_)
        found.push_back(at);
    }
    return found;
  }

  /// Which of the items behind the bracket has the place.
  std::optional<std::size_t> item_with_place(std::size_t open) const {
    const std::vector<TokenRange> items = roles_.items(open);
    for (std::size_t i = 0; i < items.size(); ++i)
      if (items[i].first <= at_ && at_ <= items[i].last + 1) return i;
    return std::nullopt;
  }

  bool adds_size() const { return patch_.replacement.find("sizeof") != std::string::npos; }

  /// "cols" becomes "cols * sizeof(float)" in a call that counts bytes.
  std::string of_bytes() const {
    if (!adds_size()) return {};
    for (const std::size_t open : brackets_around()) {
      const auto number = open > 0 ? item_with_place(open) : std::nullopt;
      const auto argument = std::ranges::find_if(kByteArguments, [&](const ByteArgument& each) {
        return number && *number == each.number && roles_.is(open - 1, each.call);
      });
      if (argument != kByteArguments.end())
        return fmt::format("the {} that `{}` is given counts bytes", argument->what, argument->call);
    }
    return {};
  }

  /// The variable that the statement around the place sets; empty: it sets none.
  std::string_view set_variable() const {
    for (std::size_t at = at_, steps = 0; at > 1 && ++steps < kLongestLookedBack;) {
      --at;
      if (tokens_[at].is(";") || tokens_[at].is("{") || tokens_[at].is("}")) return {};
      if (tokens_[at].is("=") && tokens_[at - 1].kind == TokenKind::name) return tokens_[at - 1].text;
    }
    return {};
  }

  /// In the third argument of a launch, or in the value of a variable that stands there.
  bool is_shared_size() const {
    constexpr std::size_t kSharedSize = 2;
    const std::string_view variable = set_variable();
    std::size_t launches = 0;
    for (std::size_t at = 0; at < tokens_.size() && launches < kMostLaunches; ++at) {
      if (!tokens_[at].is("<<<")) continue;
      ++launches;
      const std::vector<TokenRange> items = roles_.items(at);
      if (items.size() <= kSharedSize) continue;
      const auto [first, last] = items[kSharedSize];
      if (first <= at_ && at_ <= last) return true;
      for (std::size_t name = first; name <= last && !variable.empty(); ++name)
        if (tokens_[name].is(variable)) return true;
    }
    return false;
  }

  std::string of_shared_size() const {
    if (!is_shared_size()) return {};
    return adds_size() ? "the third argument of a launch counts bytes"
                       : "a launch asks for all bytes of shared memory that its kernel uses";
  }

  bool has_commit(std::size_t first, std::size_t last) const {
    for (std::size_t at = first; at <= last && at < tokens_.size(); ++at)
      if (tokens_[at].is("__pipeline_commit")) return true;
    return false;
  }

  /// "request" of "request(t + 1)" is a lambda that commits a group.
  bool commits_group(std::size_t name) const {
    if (!roles_.is(name + 1, "(")) return false;
    for (std::size_t at = 0; at + 2 < name; ++at) {
      if (!tokens_[at].is(tokens_[name].text) || !roles_.is(at + 1, "=") || !roles_.is(at + 2, "[")) continue;
      std::size_t brace = at + 2;
      while (brace < name && !tokens_[brace].is("{")) ++brace;
      return brace < name && roles_.partner(brace) != kNoToken && has_commit(brace, roles_.partner(brace));
    }
    return false;
  }

  /// The condition of an `if` that decides whether one more group is committed.
  bool decides_about_group() const {
    for (const std::size_t open : brackets_around()) {
      if (open == 0 || !roles_.is(open - 1, "if")) continue;
      std::size_t end = roles_.partner(open) + 1;
      if (roles_.is(end, "{") && roles_.partner(end) != kNoToken)
        end = roles_.partner(end);
      else
        while (end < tokens_.size() && !tokens_[end].is(";")) ++end;
      if (has_commit(open, end)) return true;
      for (std::size_t at = roles_.partner(open); at < end; ++at)
        if (tokens_[at].kind == TokenKind::name) return commits_group(at);
    }
    return false;
  }

  std::string of_group() const {
    constexpr std::string_view kWait = "__pipeline_wait_prior";
    for (const std::size_t open : brackets_around()) {
      if (open > 0 && roles_.is(open - 1, kWait))
        return fmt::format("`{}` lets as many of the newest groups of copies be unfinished", kWait);
    }
    if (patch_.kind != PatchKind::comparison || !decides_about_group()) return {};
    for (std::size_t at = at_; at + 2 < tokens_.size() && roles_.body_of(at) == roles_.body_of(at_); ++at) {
      if (!tokens_[at].is(kWait)) continue;
      if (!roles_.has_kind(at + 2, TokenKind::number) || roles_.is(at + 2, "0") || !roles_.is(at + 3, ")")) return {};
      return fmt::format(
          "`{}({})` in line {} does not wait for the newest group, and the last round commits no newer one", kWait,
          tokens_[at + 2].text, tokens_[at].line);
    }
    return {};
  }

  /// Members of `type` that the condition does not name behind the variable, while it names others.
  std::vector<std::string> uncompared_members(std::string_view condition, std::string_view variable,
                                              std::string_view type) const {
    std::vector<std::string> members = word_members(code_, type);
    const auto is_compared = [&](const std::string& member) {
      const std::string use = fmt::format("{}.{}", variable, member);
      for (std::size_t at = condition.find(use); at != kNowhere; at = condition.find(use, at + 1)) {
        const std::size_t end = at + use.size();
        if ((at == 0 || !is_word_letter(condition[at - 1])) &&
            (end >= condition.size() || !is_word_letter(condition[end])))
          return true;
      }
      return false;
    };
    const std::size_t before = members.size();
    std::erase_if(members, is_compared);
    return members.size() == before ? std::vector<std::string>() : members;
  }

  /// "static" is left out before a variable that says what the call before has done.
  std::string of_static() const {
    if (!roles_.is(at_, "static") || patch_.replacement.find("static") != std::string::npos) return {};
    std::size_t sign = at_ + 1;
    while (sign < tokens_.size() && !tokens_[sign].is("=") && !tokens_[sign].is("{") && !tokens_[sign].is(";") &&
           !tokens_[sign].is("(") && !tokens_[sign].is("["))
      ++sign;
    if (sign >= tokens_.size() || sign < at_ + 3) return {};
    const std::string_view variable = tokens_[sign - 1].text, type = tokens_[sign - 2].text;
    const auto function = function_around_line(code_, tokens_[at_].line);
    if (!function) return {};
    for (const ConditionText& condition : conditions_of(code_)) {
      if (condition.begin < patch_.begin || condition.begin >= function->end) continue;
      const std::vector<std::string> members = uncompared_members(condition.condition, variable, type);
      if (members.empty()) continue;
      return fmt::format("the condition in line {} does not compare {}, which may be another in each call",
                         condition.line, enumeration_of_names(members));
    }
    return fmt::format("a `static` variable keeps the `{}` of the call before", variable);
  }

  std::string_view code_;
  const Patch& patch_;
  const PatchedSource source_;
  const std::vector<Token>& tokens_;
  const TokenRoles& roles_;
  std::size_t at_ = 0;  // the token where the change begins, or the one behind it
};

}  // namespace

std::string reason_of(std::string_view code, const Patch& patch) {
  return Reasons(code, patch).first();
}

}  // namespace cudalabs::patch
