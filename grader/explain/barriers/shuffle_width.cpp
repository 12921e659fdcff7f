// The numbers of a call are constants, or what a loop that halves begins with.
#include "explain/barriers/shuffle_width.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <set>
#include <vector>

#include "check/origin_place.h"
#include "source/function_text.h"
#include "source/loop_text.h"
#include "source/setting_text.h"
#include "source/source_number.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

constexpr std::int64_t kLanes = 32;
constexpr std::size_t kMostShuffles = 32;  // in a function; a text may be made to be long to read
constexpr std::array<std::string_view, 3> kByDistance{"__shfl_down_sync", "__shfl_up_sync", "__shfl_xor_sync"};

struct Number {
  std::string text;
  std::optional<std::int64_t> value = {};
};

class ShuffleReader {
 public:
  explicit ShuffleReader(std::string_view code) : code_(code), numbers_(code), loops_(loops_of(code)) {}

  /// Of the call of that name whose arguments begin at `open`.
  std::optional<MisreadShuffle> read(std::size_t at, std::string_view name, std::size_t open) const {
    const std::size_t end = past_bracket(code_, open);
    if (end == std::string_view::npos) return std::nullopt;
    const std::vector<std::string_view> arguments = items_of(code_.substr(open + 1, end - open - 2));
    if (arguments.size() < 3 || arguments.size() > 4) return std::nullopt;
    const std::uint32_t line = line_at(code_, at);
    const Number distance = number(arguments[2], line, at);
    const Number width = arguments.size() == 4 ? number(arguments[3], line, at) : Number{"32", kLanes};
    const auto why = fault_of(name, distance, width);
    if (!why) return std::nullopt;
    return MisreadShuffle{
        line, setting_at_place(code_, at, name).column, std::string(name), shown(distance), shown(width), *why};
  }

 private:
  static std::string shown(const Number& number) {
    return number.value ? fmt::format("{}", *number.value) : fmt::format("`{}`", number.text);
  }

  static std::optional<MisreadShuffle::Why> fault_of(std::string_view name, const Number& distance,
                                                     const Number& width) {
    using Why = MisreadShuffle::Why;
    const bool in_parts = !width.value || (*width.value > 0 && *width.value <= kLanes &&
                                           std::has_single_bit(static_cast<std::uint64_t>(*width.value)));
    if (!in_parts) return Why::width;
    // Equal texts are equal numbers.
    const bool beyond = distance.value && width.value ? *distance.value >= *width.value : distance.text == width.text;
    if (!beyond) return std::nullopt;
    return name == "__shfl_xor_sync" ? Why::part : Why::own;
  }

  /// A counter that is halved has its first value in the first round.
  Number number(std::string_view text, std::uint32_t line, std::size_t at) const {
    if (auto value = numbers_.value(text, line, nullptr)) return {std::string(text), value};
    for (const LoopText& loop : loops_) {
      const bool inside = loop.begin <= at && at < loop.end;
      const bool halves =
          loop.step.find("/=") != std::string_view::npos || loop.step.find(">>=") != std::string_view::npos;
      const std::size_t sign = loop.first.find('=');
      if (!inside || !halves || sign == std::string_view::npos || word_before(loop.first, sign) != text) continue;
      return {std::string(text), numbers_.value(loop.first.substr(sign + 1), loop.line, nullptr)};
    }
    return {std::string(text)};
  }

  std::string_view code_;
  SourceNumbers numbers_;
  std::vector<LoopText> loops_;
};

std::string words_for_shuffle(const MisreadShuffle& call) {
  switch (call.why) {
    case MisreadShuffle::Why::width:
      return fmt::format(
          "the width of `{}` is {} here, and must be a power of two up to 32: leave it out, and the whole warp is one "
          "part",
          call.function, call.width);
    case MisreadShuffle::Why::own:
      return fmt::format(
          "`{}` by {} lanes, in parts of {} lanes, gives each lane its own value again: the distance must be less than "
          "the width; leave the width out for the whole warp, and begin with half of the lanes of a part",
          call.function, call.distance, call.width);
    case MisreadShuffle::Why::part:
      break;
  }
  return fmt::format(
      "`{}` by {} lanes, in parts of {} lanes, leads out of the part: each lane gets its own value, or that of another "
      "part; the distance must be less than the width; leave the width out for the whole warp",
      call.function, call.distance, call.width);
}

}  // namespace

std::optional<MisreadShuffle> misread_shuffle(std::string_view source, std::string_view kernel) {
  if (source.find("__shfl_") == std::string_view::npos) return std::nullopt;
  const std::string code = without_comments(source);
  const std::vector<FunctionBody> bodies = function_bodies(code);
  if (std::ranges::count(bodies, kernel, &FunctionBody::name) != 1) return std::nullopt;
  const auto text_of = [&](const FunctionBody& body) {
    return std::string_view(code).substr(body.begin, body.end - body.begin);
  };
  std::set<std::string_view> used{kernel};
  for_each_name(text_of(*std::ranges::find(bodies, kernel, &FunctionBody::name)),
                [&](std::size_t, std::string_view name) { used.insert(name); });
  const ShuffleReader reader(code);
  std::optional<MisreadShuffle> found;
  std::size_t calls = 0;
  bool several = false;
  for (const FunctionBody& body : bodies) {
    if (!used.contains(body.name)) continue;
    for_each_name(text_of(body), [&](std::size_t place, std::string_view name) {
      if (std::ranges::find(kByDistance, name) == kByDistance.end() || ++calls > kMostShuffles) return;
      const std::size_t at = body.begin + place, open = past_spaces(code, at + name.size());
      if (open >= code.size() || code[open] != '(') return;
      auto call = reader.read(at, name, open);
      several = several || (call && found);
      if (call) found = std::move(call);
    });
  }
  return several ? std::nullopt : found;
}

bool show_misread_shuffle(MergedFinding& finding, std::string_view source) {
  if (!finding.is_of_values() || finding.kernel.empty() || finding.right_at_first) return false;
  const auto call = misread_shuffle(source, plain_name(finding.kernel));
  if (!call) return false;
  const auto around = function_around_line(without_comments(source), finding.where.line);
  const bool in_kernel = around && around->name == plain_name(finding.kernel);
  finding.other.reset();
  if (in_kernel && finding.where.line != call->line)
    finding.other = OtherPlace{std::string(kStoredHere), finding.where, {}, {}};
  finding.where = {finding.where.file, call->line, call->column};
  finding.help = words_for_shuffle(*call);
  finding.proven = true;
  return true;
}

}  // namespace cudalabs
