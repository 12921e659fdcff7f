#include "patch/operators/member_patches.h"

#include <map>
#include <string>

#include "patch/declared_variables.h"
#include "patch/operators/patch_operator.h"
#include "patch/operators/patch_words.h"

namespace cudalabs::patch {
namespace {

/// What stands between two signs that are no arithmetic.
struct DimensionSegment {
  TokenRange tokens;
  std::size_t body = kNoToken;    // of the function
  std::vector<std::size_t> uses;  // the members' names: `x` of "blockIdx.x"
};

bool is_launch_variable(std::string_view name) {
  return name == "threadIdx" || name == "blockIdx" || name == "blockDim" || name == "gridDim";
}

bool ends_dimension_segment(const Token& token) {
  const std::string_view text = token.text;
  return text == ";" || text == "," || text == "{" || text == "}" || text == "[" || text == "]" || text == "&&" ||
         text == "||" || text == "<" || text == "<=" || text == ">" || text == ">=" || text == "==" || text == "!=" ||
         text == "?" || text == ":" || text == "=" || text == "+=" || text == "-=";
}

class Members : PatchOperator {
 public:
  Members(const PatchedSource& source, std::vector<Patch>& patches) : PatchOperator(source, patches) {
    find_segments();
  }

  void add() {
    for (std::size_t which = 0; which < segments_.size(); ++which) {
      const DimensionSegment& segment = segments_[which];
      if (has_y_) add_other_dimension(segment, which > 0 ? &segments_[which - 1] : nullptr);
      add_other_size(segment);
      add_other_number(segment);
    }
  }

 private:
  std::string_view base_of(std::size_t use) const { return tokens_[use - 2].text; }

  bool is_use(std::size_t at) const {
    if (at < 2 || !(roles_.is(at, "x") || roles_.is(at, "y")) || !roles_.is(at - 1, ".")) return false;
    if (is_launch_variable(base_of(at))) return true;
    const DeclaredVariable* variable = variables_.meant_at(at - 2);
    return variable != nullptr && variable->type == "dim3" && !roles_.is(at - 3, ".");
  }

  void find_segments() {
    DimensionSegment segment;
    for (std::size_t at = 0; at < tokens_.size(); ++at) {
      if (ends_dimension_segment(tokens_[at]) || !roles_.in_body(at)) {
        if (!segment.uses.empty()) segments_.push_back(segment);
        segment = {{at + 1, at}, kNoToken, {}};
        continue;
      }
      segment.tokens.last = at;
      segment.body = roles_.body_of(at);
      if (!is_use(at)) continue;
      segment.uses.push_back(at);
      has_y_ = has_y_ || roles_.is(at, "y");
      const bool is_y = roles_.is(at, "y");
      (is_y ? function_uses_[{segment.body, base_of(at)}].y : function_uses_[{segment.body, base_of(at)}].x) = true;
      has_block_ = has_block_ || base_of(at) == "blockDim";
      has_grid_ = has_grid_ || base_of(at) == "gridDim";
    }
  }

  std::string text_of(const DimensionSegment& segment) const {
    std::string text;
    for (std::size_t at = segment.tokens.first; at <= segment.tokens.last; ++at) text += tokens_[at].text;
    return text;
  }

  bool is_mixed(const DimensionSegment& segment) const {
    for (const std::size_t use : segment.uses) {
      if (tokens_[use].text != tokens_[segment.uses[0]].text) return true;
    }
    return false;
  }

  bool uses_one_dimension(const DimensionSegment& segment) const {
    for (const std::size_t use : segment.uses) {
      const Dimensions& uses = function_uses_.at({segment.body, base_of(use)});
      if (uses.x && uses.y) return false;
    }
    return true;
  }

  /// "tile[threadIdx.x][threadIdx.x]", "int tx = threadIdx.x, ty = threadIdx.x".
  bool is_twice(const DimensionSegment& segment, const DimensionSegment& before) const {
    constexpr std::size_t kNear = 6, kLongest = 40;
    const std::size_t size = segment.tokens.last - segment.tokens.first;
    return segment.body == before.body && size < kLongest && segment.tokens.first - before.tokens.last <= kNear &&
           text_of(segment) == text_of(before);
  }

  void add_other_dimension(const DimensionSegment& segment, const DimensionSegment* before) {
    constexpr std::size_t kMostUses = 8;
    if (segment.uses.size() > kMostUses) return;
    if (is_mixed(segment)) {
      for (const std::size_t use : segment.uses) change_members({use});
    } else if (uses_one_dimension(segment)) {
      change_members(segment.uses);
    } else if (before != nullptr && is_twice(segment, *before)) {
      change_members(before->uses);
      change_members(segment.uses);
    }
  }

  /// All of them, from `x` to `y` or from `y` to `x`.
  void change_members(const std::vector<std::size_t>& uses) {
    const std::size_t begin = tokens_[uses[0]].begin, end = tokens_[uses.back()].end();
    std::string replacement(source_.code.substr(begin, end - begin));
    const std::string other = roles_.is(uses[0], "x") ? "y" : "x";
    bool is_one_base = true;
    for (const std::size_t use : uses) {
      replacement.replace(tokens_[use].begin - begin, 1, other);
      is_one_base = is_one_base && base_of(use) == base_of(uses[0]);
    }
    const std::string base = (is_one_base ? std::string(base_of(uses[0])) : "") + ".";
    const std::string words = in_place_of(base + other, base + std::string(tokens_[uses[0]].text));
    propose(PatchKind::member, begin, end, std::move(replacement), words);
  }

  /// "blockIdx.x * gridDim.x": a block's size is meant. Not where both are used: "i += blockDim.x * gridDim.x".
  void add_other_size(const DimensionSegment& segment) {
    std::size_t sizes = 0;
    for (const std::size_t use : segment.uses) sizes += base_of(use).ends_with("Dim") ? 1 : 0;
    if (sizes != 1 || !has_block_ || !has_grid_) return;
    for (const std::size_t use : segment.uses) {
      if (base_of(use) == "blockDim") change_base(use, "gridDim");
      if (base_of(use) == "gridDim") change_base(use, "blockDim");
    }
  }

  /// "out[threadIdx.x] = sum": a place for each block is meant.
  void add_other_number(const DimensionSegment& segment) {
    const TokenRange& tokens = segment.tokens;
    if (segment.uses.size() != 1 || tokens.last - tokens.first != 2 || tokens.first < 2) return;
    if (!roles_.is(tokens.first - 1, "[") || !roles_.is(tokens.last + 1, "]")) return;
    const DeclaredVariable* array = variables_.meant_at(tokens.first - 2);
    if (array == nullptr || !array->is_pointer() || array->place != VariablePlace::parameter) return;
    if (base_of(segment.uses[0]) == "threadIdx") change_base(segment.uses[0], "blockIdx");
    if (base_of(segment.uses[0]) == "blockIdx") change_base(segment.uses[0], "threadIdx");
  }

  void change_base(std::size_t use, const std::string& other) {
    const Token& base = tokens_[use - 2];
    replace_token(PatchKind::member, base, other);
  }

  struct Dimensions {
    bool x = false, y = false;
  };

  std::vector<DimensionSegment> segments_;
  std::map<std::pair<std::size_t, std::string_view>, Dimensions> function_uses_;
  bool has_y_ = false, has_block_ = false, has_grid_ = false;
};

}  // namespace

void add_members(const PatchedSource& source, std::vector<Patch>& patches) {
  Members(source, patches).add();
}

}  // namespace cudalabs::patch
