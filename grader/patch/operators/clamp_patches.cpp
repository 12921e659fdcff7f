#include "patch/operators/clamp_patches.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "patch/clamped_values.h"
#include "patch/declared_variables.h"
#include "patch/operators/patch_operator.h"
#include "patch/token_roles.h"
#include "patch/uses.h"

namespace cudalabs::patch {
namespace {

constexpr std::size_t kLongestLoad = 60;  // tokens

class Clamps : PatchOperator {
 public:
  Clamps(const PatchedSource& source, std::vector<Patch>& patches) : PatchOperator(source, patches), clamped_(source) {}

  void add() {
    for (std::size_t at = 1; at < tokens_.size(); ++at) {
      const bool is_subscript = roles_.is(at, "[") && roles_.in_body(at) && roles_.ends_value(at - 1);
      if (!is_subscript || roles_.is(at - 1, "]")) continue;
      std::size_t last = roles_.partner(at);
      while (roles_.is(last + 1, "[") && last - at < kLongestLoad) last = roles_.partner(last + 1);
      const std::size_t first = roles_.first_of_value(last);
      if (first == 0 || last - first > kLongestLoad || !is_load({first, last})) continue;
      add_around({first, last});
    }
  }

 private:
  /// It is read there, as a value of its own.
  bool is_load(const TokenRange& range) const {
    const std::size_t before = range.first - 1, behind = range.last + 1;
    if (behind >= tokens_.size() || is_assignment_sign(tokens_[behind])) return false;
    for (const std::string_view sign : {"++", "--", ".", "->", "(", "{"})
      if (roles_.is(behind, sign)) return false;
    // The name of an array that is declared there, and what an address is taken of.
    if (roles_.has_kind(before, TokenKind::name) && !roles_.is(before, "return")) return false;
    const bool is_of_address = roles_.is(before, "&") && !roles_.is_binary(before);
    return !is_of_address && !roles_.is(before, "++") && !roles_.is(before, "--");
  }

  void add_around(const TokenRange& load) {
    std::vector<ClampedValue> values = clamped_.in(load);
    // What is set from a clamped value is clamped, too: an index, or a pointer to a row.
    for (std::size_t at = load.first; at <= load.last; ++at) {
      const DeclaredVariable* const variable = is_own_name(tokens_, at) ? variables_.meant_at(at) : nullptr;
      if (variable == nullptr || !variable->has_value() || variable->body != roles_.body_of(at)) continue;
      for (ClampedValue& each : clamped_.in(variable->value)) values.push_back(std::move(each));
    }
    const std::string code = text_of({load.first, load.last});
    const std::string shown = quoted_load(load, code);
    for (const ClampedValue& value : values) {
      const std::string choice = value.inside + " ? " + code + " : 0";
      propose(PatchKind::condition, tokens_[load.first].begin, tokens_[load.last].end(),
              is_whole_value(load) ? choice : "(" + choice + ")",
              "0 in place of the clamped " + shown + " where `" + value.outside + "`");
    }
  }

  bool is_whole_value(const TokenRange& load) const {
    const bool begins = roles_.is(load.first - 1, "=") || roles_.is(load.first - 1, "return");
    return begins && roles_.is(load.last + 1, ";");
  }

  std::string quoted_load(const TokenRange& load, const std::string& code) const {
    const bool is_short = code.size() <= kLongestCode && code.find('\n') == std::string::npos;
    return "`" + (is_short ? code : std::string(roles_.text(load.first)) + "[...]") + "`";
  }

  const ClampedValues clamped_;
};

}  // namespace

void add_clamps(const PatchedSource& source, std::vector<Patch>& patches) {
  Clamps(source, patches).add();
}

}  // namespace cudalabs::patch
