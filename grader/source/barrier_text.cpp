#include "source/barrier_text.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// More is not read, or looked at: a text may be made to be long to read.
constexpr std::size_t kLongestValue = 400, kMostBarriersOnWay = 64;

using Ends = std::pair<std::size_t, std::size_t>;

/// Calls `visit` with the place of each word of the text, members included, and the word.
template <typename Visit>
void for_each_word(std::string_view code, const Visit& visit) {
  for (std::size_t at = 0; at < code.size();) {
    const std::size_t end = is_word_letter(code[at]) ? end_of_word(code, at) : at + 1;
    if (is_word_letter(code[at])) visit(at, code.substr(at, end - at));
    at = end;
  }
}

/// "cg::this_thread_block()" and nothing else, up to the end of the statement.
bool is_this_block(std::string_view value) {
  const std::string_view text = without_outer_spaces(value);
  constexpr std::string_view kCall = "this_thread_block()";
  if (!text.ends_with(kCall)) return false;
  const std::string_view before = text.substr(0, text.size() - kCall.size());
  return std::ranges::all_of(before, [](char letter) { return is_word_letter(letter) || letter == ':'; });
}

/// Names of groups that are the whole block wherever the source sets them.
std::set<std::string_view> block_groups(std::string_view code) {
  std::set<std::string_view> groups, others;
  for_each_word(code, [&](std::size_t at, std::string_view word) {
    const std::size_t sign = past_spaces(code, at + word.size());
    const std::string_view type = word_before(code, at);
    const std::size_t before = before_spaces(code, at);
    // Parameters, of a `const cg::thread_block&`, too.
    const std::size_t named = before != kNowhere && code[before] == '&' ? before : at;
    const std::string_view type_of_reference = named == at ? type : word_before(code, named);
    const bool sets = sign < code.size() && code[sign] == '=' && code.substr(sign, 2) != "==";
    if (type_of_reference == "thread_block") groups.insert(word);
    if (type.ends_with("_group") || (before != kNowhere && code[before] == '>')) others.insert(word);
    if (!sets) return;
    const std::string_view value = code.substr(sign + 1, kLongestValue);
    (is_this_block(value.substr(0, value.find_first_of(";,{}"))) ? groups : others).insert(word);
  });
  for (const std::string_view other : others) groups.erase(other);
  return groups;
}

bool is_barrier_of_block(std::string_view word) {
  constexpr std::array<std::string_view, 4> kWords{"__syncthreads", "__syncthreads_count", "__syncthreads_and",
                                                   "__syncthreads_or"};
  return std::ranges::find(kWords, word) != kWords.end();
}

/// Back from a word over "cg::".
std::size_t begin_of_qualified(std::string_view code, std::size_t at) {
  while (at >= 2 && code.substr(at - 2, 2) == "::") {
    at -= 2;
    while (at > 0 && is_word_letter(code[at - 1])) --at;
  }
  return at;
}

/// "#if" and its kin, not "#pragma".
bool may_leave_out_lines(std::string_view text) {
  for (std::size_t at = text.find('#'); at != kNowhere; at = text.find('#', at + 1)) {
    const std::string_view word = text.substr(past_spaces(text, at + 1));
    if (word.starts_with("if") || word.starts_with("el") || word.starts_with("endif")) return true;
  }
  return false;
}

/// A barrier in `a && f(sync())` or `a ? sync() : b` is under a condition, too.
bool stands_alone(std::string_view code, std::size_t at) {
  const std::size_t before = before_spaces(code, at);
  return before == kNowhere || std::string_view(";{})").find(code[before]) != kNowhere ||
         word_before(code, at) == "else";
}

/// Words after which a way may go on elsewhere, or come to a barrier of its own.
bool may_lead_elsewhere(std::string_view word) {
  constexpr std::array<std::string_view, 7> kWords{"continue", "break", "return", "goto", "switch", "do", "asm"};
  return std::ranges::find(kWords, word) != kWords.end();
}

}  // namespace

std::vector<BarrierText> block_barriers_of(std::string_view code) {
  std::vector<BarrierText> barriers;
  const std::set<std::string_view> groups = block_groups(code);
  std::uint32_t line = 1;
  std::size_t counted = 0;
  for_each_word(code, [&](std::size_t at, std::string_view word) {
    const std::size_t open = past_spaces(code, at + word.size());
    if (open >= code.size() || code[open] != '(' || (word != "sync" && !is_barrier_of_block(word))) return;
    const std::size_t close = code.substr(open, kLongestValue).find(')');
    if (close == kNowhere) return;
    const std::size_t end = open + close + 1;
    std::size_t begin = at;
    if (word == "sync" && at > 0 && code[at - 1] == '.') {
      const std::string_view group = word_before(code, at - 1);
      if (!groups.contains(group)) return;
      begin = at - 1 - group.size();
    } else if (word == "sync") {
      if (!groups.contains(without_outer_spaces(code.substr(open + 1, end - open - 2)))) return;
      begin = begin_of_qualified(code, at);
    }
    line += static_cast<std::uint32_t>(std::count(code.begin() + static_cast<std::ptrdiff_t>(counted),
                                                  code.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    counted = at;
    barriers.push_back({code.substr(begin, end - begin), begin, line});
  });
  return barriers;
}

void BarriersOnWay::add(const BarriersOnWay& next) {
  always = always || next.always;
  clear = clear && next.clear;
  conditional.insert(conditional.end(), next.conditional.begin(), next.conditional.end());
}

BarrierWays::BarrierWays(std::string_view code)
    : code_(code), barriers_(block_barriers_of(code)), loops_(loops_of(code)), conditions_(conditions_of(code)) {
  find_calls();
}

BarrierWays::HelperCall BarrierWays::helper_of(std::size_t begin, std::size_t end) const {
  // Its ends are those of its body, so that only what is in it counts as a condition.
  const BarriersOnWay way = between(begin, end, {begin, begin});
  HelperCall helper;
  helper.always = way.clear && way.always;
  if (way.clear && !way.always && way.conditional.size() == 1) helper.conditional = way.conditional.front();
  return helper;
}

void BarrierWays::find_calls() {
  constexpr std::size_t kMostHelpers = 16, kMostCalls = 256;  // a text may be made to be long to read
  std::map<std::string, HelperCall> helpers;
  std::set<std::size_t> bodies;
  for (const FunctionBody& function : function_bodies(code_)) {
    bodies.insert(function.begin);
    const bool has_barrier = std::ranges::any_of(barriers_, [&](const BarrierText& barrier) {
      return function.begin < barrier.place && barrier.place < function.end;
    });
    // A loop outside of all functions, in a part of a text, is none.
    if (!has_barrier || function.name == "for" || function.name == "while" || function.name == "if") continue;
    const auto [known, is_new] = helpers.emplace(function.name, HelperCall{});
    if (is_new && helpers.size() <= kMostHelpers) known->second = helper_of(function.begin, function.end);
    if (!is_new) known->second = {};  // which of them is called is not known
  }
  if (helpers.empty()) return;
  std::vector<HelperCall> calls;
  for_each_word(code_, [&](std::size_t at, std::string_view word) {
    const auto helper = helpers.find(std::string(word));
    if (helper == helpers.end() || calls.size() > kMostCalls) return;
    const std::size_t end = past_spaces(code_, at + word.size());
    std::size_t open = end;
    if (open < code_.size() && code_[open] == '<') open = past_bracket(code_, open);
    if (open == kNowhere || open >= code_.size()) return;
    const std::size_t paren = past_spaces(code_, open);
    const std::size_t close = paren < code_.size() && code_[paren] == '(' ? past_bracket(code_, paren) : kNowhere;
    if (close == kNowhere || bodies.contains(past_spaces(code_, close))) return;
    calls.push_back(helper->second);
    calls.back().call = {word, at, line_at(code_, at)};
    if (calls.back().conditional) {
      calls.back().conditional->helper = word;
      calls.back().conditional->called_from = calls.back().call.line;
    }
  });
  calls_ = std::move(calls);
}

void BarrierWays::add_call(const HelperCall& call, const Ends& ends, BarriersOnWay& ways) const {
  BarriersOnWay way;
  add(call.call, ends, way);
  if (call.always) {
    ways.add(way);
  } else if (call.conditional && way.clear && way.always) {
    ways.conditional.push_back(*call.conditional);
  } else {
    ways.clear = false;
  }
}

const LoopText* BarrierWays::loop_around(std::size_t first, std::size_t last) const {
  return innermost_loop(loops_, first, last);
}

void BarrierWays::add(const BarrierText& barrier, const Ends& ends, BarriersOnWay& ways) const {
  const auto [first, last] = ends;
  if (!stands_alone(code_, barrier.place)) ways.clear = false;
  for (const LoopText& loop : loops_) {
    const auto has = [&](std::size_t place) { return loop.body <= place && place < loop.end; };
    if (has(barrier.place) && !(has(first) && has(last))) ways.clear = false;
  }
  std::vector<const ConditionText*> around;  // with what is around both apart
  for (const ConditionText& condition : conditions_) {
    const bool of_both = condition.decides_about(first) && condition.decides_about(last);
    if (!condition.decides_about(barrier.place) || of_both) continue;
    if (condition.decides_about(first) || condition.decides_about(last)) ways.clear = false;
    around.push_back(&condition);
  }
  if (around.empty())
    ways.always = true;
  else if (around.size() == 1)
    ways.conditional.push_back({barrier, *around.front()});
  else
    ways.clear = false;
}

BarriersOnWay BarrierWays::between(std::size_t begin, std::size_t end, const Ends& ends) const {
  BarriersOnWay ways;
  if (begin >= end) return ways;
  ways.clear = !may_leave_out_lines(code_.substr(begin, end - begin));
  for_each_word(code_.substr(begin, end - begin), [&](std::size_t, std::string_view word) {
    if (may_lead_elsewhere(word)) ways.clear = false;
  });
  std::size_t seen = 0;
  for (const BarrierText& barrier : barriers_) {
    if (barrier.place < begin || barrier.place >= end) continue;
    if (++seen > kMostBarriersOnWay) ways.clear = false;
    if (!ways.clear) return ways;
    add(barrier, ends, ways);
  }
  for (const HelperCall& call : calls_) {
    if (call.call.place < begin || call.call.place >= end) continue;
    if (++seen > kMostBarriersOnWay) ways.clear = false;
    if (!ways.clear) return ways;
    add_call(call, ends, ways);
  }
  return ways;
}

}  // namespace cudalabs
