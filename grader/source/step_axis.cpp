#include "source/step_axis.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "source/function_text.h"
#include "source/loop_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

constexpr std::string_view kLaunchAxes = "xyz";
// A text may be made to be long to read.
constexpr std::size_t kLongestBodyEnd = 200, kMostFollowed = 32, kMostSteppedLoops = 64;
constexpr int kMostVariablesBack = 3;

/// "gridDim.x" in the code.
struct AxisUse {
  std::string_view word;  // "gridDim"
  char axis = 'x';
  std::size_t place = 0;
};

class CrossedSteps {
 public:
  explicit CrossedSteps(std::string_view code) : code_(code) {}

  std::vector<CrossedStep> all() {
    const std::vector<FunctionBody> functions = function_bodies(code_);
    const FunctionBody* read = nullptr;
    std::size_t tried = 0;
    for (const LoopText& loop : loops_of(code_)) {
      const FunctionBody* const function = function_at(functions, loop.begin);
      if (function == nullptr || ++tried > kMostSteppedLoops) continue;
      if (function != read) read_values(*function);
      read = function;
      add_loop(loop);
    }
    return std::move(found_);
  }

 private:
  void read_values(const FunctionBody& function) {
    values_.clear();
    const std::string_view body = code_.substr(function.begin, function.end - function.begin);
    for_each_name(body, [&](std::size_t at, std::string_view name) {
      const std::size_t sign = past_spaces(body, at + name.size());
      const bool sets = sign + 1 < body.size() && body[sign] == '=' && body[sign + 1] != '=';
      if (!sets) return;
      const auto [known, fresh] = values_.emplace(name, value_at(body, sign + 1));
      if (!fresh) known->second = std::nullopt;
    });
  }

  void add_loop(const LoopText& loop) {
    const std::string_view body = code_.substr(loop.body, loop.end - loop.body);
    const bool is_while = past_spaces(loop.step, 0) >= loop.step.size();
    const std::string_view steps =
        is_while ? body.substr(body.size() - std::min(body.size(), kLongestBodyEnd)) : loop.step;
    for_each_name(steps, [&](std::size_t at, std::string_view counter) {
      const std::size_t sign = past_spaces(steps, at + counter.size());
      if (!steps.substr(sign).starts_with("+=") || !has_name(loop.condition, counter)) return;
      const auto first = first_value(loop, counter);
      if (!first) return;
      const std::vector<AxisUse> begins = uses_in(*first), goes_on = uses_in(value_at(steps, sign + 2));
      compare(loop, counter, "blockIdx", begins, "gridDim", goes_on);
      compare(loop, counter, "threadIdx", begins, "blockDim", goes_on);
    });
  }

  /// In the head of the loop, or in the only line of the function that sets the counter.
  std::optional<std::string_view> first_value(const LoopText& loop, std::string_view counter) const {
    std::optional<std::string_view> found;
    for_each_name(loop.first, [&](std::size_t at, std::string_view name) {
      const std::size_t sign = past_spaces(loop.first, at + name.size());
      if (name == counter && sign < loop.first.size() && loop.first[sign] == '=')
        found = value_at(loop.first, sign + 1);
    });
    if (found) return found;
    const auto set = values_.find(counter);
    return set == values_.end() ? std::nullopt : set->second;
  }

  std::vector<AxisUse> uses_in(std::string_view value) const {
    std::vector<AxisUse> uses;
    std::vector<std::string_view> open{value};
    std::set<std::string_view> followed;
    for (int back = 0; back <= kMostVariablesBack && !open.empty(); ++back) {
      std::vector<std::string_view> next;
      for (const std::string_view text : open) {
        for_each_name(text, [&](std::size_t at, std::string_view name) {
          const std::size_t axis = at + name.size() + 1;
          const bool is_axis = axis < text.size() && text[axis - 1] == '.' && kLaunchAxes.find(text[axis]) != kNowhere;
          if (is_axis) uses.push_back({name, text[axis], static_cast<std::size_t>(name.data() - code_.data())});
          const auto set = values_.find(name);
          if (set == values_.end() || !set->second || followed.size() == kMostFollowed) return;
          if (followed.insert(name).second) next.push_back(*set->second);
        });
      }
      open = std::move(next);
    }
    return uses;
  }

  /// The first use of the word; nothing: there is none, or it is used along several axes.
  static std::optional<AxisUse> only_axis(const std::vector<AxisUse>& uses, std::string_view word) {
    std::optional<AxisUse> found;
    for (const AxisUse& use : uses) {
      if (use.word != word) continue;
      if (found && found->axis != use.axis) return std::nullopt;
      if (!found) found = use;
    }
    return found;
  }

  void compare(const LoopText& loop, std::string_view counter, std::string_view number,
               const std::vector<AxisUse>& begins, std::string_view extent, const std::vector<AxisUse>& goes_on) {
    const auto begin = only_axis(begins, number), step = only_axis(goes_on, extent);
    if (!begin || !step || begin->axis == step->axis) return;
    const std::string dot = ".";
    CrossedStep crossed;
    crossed.counter = counter;
    crossed.begin = std::string(number) + dot + begin->axis;
    crossed.step = std::string(extent) + dot + step->axis;
    crossed.meant = std::string(extent) + dot + begin->axis;
    crossed.line = line_at(code_, step->place);
    crossed.column = static_cast<std::uint32_t>(step->place - place_of_line(code_, crossed.line, 1)) + 1;
    crossed.loop = loop.begin;
    crossed.begin_axis = kLaunchAxes.find(begin->axis);
    crossed.step_axis = kLaunchAxes.find(step->axis);
    crossed.of_grid = extent == "gridDim";
    found_.push_back(std::move(crossed));
  }

  std::string_view code_;
  std::map<std::string_view, std::optional<std::string_view>> values_;  // nothing: it is set several times
  std::vector<CrossedStep> found_;
};

/// "blockIdx.x * blockDim.x": a number or count of blocks, and an extent of blocks, in any order.
struct Product {
  AxisUse blocks, extent;
};

std::optional<AxisUse> axis_use_at(std::string_view code, std::size_t at) {
  const std::size_t end = end_of_word(code, at);
  const bool is_use = end > at && end + 1 < code.size() && code[end] == '.' &&
                      kLaunchAxes.find(code[end + 1]) != kNowhere && end_of_word(code, end + 1) == end + 2;
  return is_use ? std::optional(AxisUse{code.substr(at, end - at), code[end + 1], at}) : std::nullopt;
}

std::vector<Product> products_in(std::string_view code, const FunctionBody& function) {
  constexpr std::size_t kMostProducts = 64;
  std::vector<Product> found;
  const auto is_extent = [](const AxisUse& use) { return use.word == "blockDim"; };
  const auto counts_blocks = [](const AxisUse& use) { return use.word == "gridDim" || use.word == "blockIdx"; };
  for (std::size_t sign = code.find('*', function.begin); sign < function.end && found.size() < kMostProducts;
       sign = code.find('*', sign + 1)) {
    const std::size_t last = before_spaces(code, sign);
    if (last == kNowhere || last < 2 || code[last - 1] != '.') continue;
    const std::string_view word = word_before(code, last - 1);
    const auto left =
        word.empty() ? std::nullopt : axis_use_at(code, static_cast<std::size_t>(word.data() - code.data()));
    const auto right = axis_use_at(code, past_spaces(code, sign + 1));
    if (!left || !right) continue;
    if (counts_blocks(*left) && is_extent(*right)) found.push_back({*left, *right});
    if (counts_blocks(*right) && is_extent(*left)) found.push_back({*right, *left});
  }
  return found;
}

}  // namespace

std::optional<CrossedProduct> crossed_product(std::string_view code, const std::vector<FunctionBody>& functions) {
  std::vector<Product> all;
  for (const FunctionBody& function : functions) {
    const std::vector<Product> own = products_in(code, function);
    all.insert(all.end(), own.begin(), own.end());
  }
  std::optional<Product> crossed;
  for (const Product& each : all) {
    if (each.blocks.word != "gridDim" || each.blocks.axis == each.extent.axis) continue;
    if (crossed) return std::nullopt;
    crossed = each;
  }
  if (!crossed) return std::nullopt;
  const char axis = crossed->blocks.axis, other = crossed->extent.axis;
  const auto has = [&](char extent) {
    return std::ranges::any_of(all, [&](const Product& each) {
      return each.blocks.word == "blockIdx" && each.blocks.axis == axis && each.extent.axis == extent;
    });
  };
  if (!has(axis) || has(other)) return std::nullopt;
  CrossedProduct product;
  product.number = std::string("gridDim.") + axis;
  product.extent = std::string("blockDim.") + other;
  product.meant = std::string("blockDim.") + axis;
  product.begin = std::string("blockIdx.") + axis;
  product.line = line_at(code, crossed->extent.place);
  product.column = static_cast<std::uint32_t>(crossed->extent.place - place_of_line(code, product.line, 1)) + 1;
  product.axis = kLaunchAxes.find(axis);
  product.other_axis = kLaunchAxes.find(other);
  return product;
}

std::vector<CrossedStep> crossed_steps(std::string_view code) {
  return CrossedSteps(code).all();
}

}  // namespace cudalabs
