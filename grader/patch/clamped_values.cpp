#include "patch/clamped_values.h"

#include <algorithm>
#include <set>

#include "patch/patched_source.h"
#include "patch/uses.h"

namespace cudalabs::patch {
namespace {

constexpr std::size_t kLongestClamp = 60;  // tokens

ClampedValue compared(const std::string& index, const std::string& limit, bool of_size) {
  return {index + (of_size ? " < " : " <= ") + limit, index + (of_size ? " >= " : " > ") + limit};
}

/// "<" of "k < n", and ">" of "n > k".
std::string_view mirrored(std::string_view sign) {
  return sign == "<" ? ">" : sign == ">" ? "<" : sign == "<=" ? ">=" : "<=";
}

}  // namespace

ClampedValues::ClampedValues(const PatchedSource& source)
    : source_(source), roles_(source.roles), variables_(source.variables) {
  find_functions();
}

void ClampedValues::find_functions() {
  std::set<std::string_view> several;
  for (std::size_t body = 0; body < source_.tokens.size(); ++body) {
    if (!roles_.is(body, "{") || roles_.body_of(body) != body || roles_.parameters_of(body) == kNoToken) continue;
    const std::size_t open = roles_.parameters_of(body), end = roles_.partner(body);
    const bool is_short = open > 0 && end != kNoToken && end - body < kLongestClamp && roles_.partner(open) != kNoToken;
    if (!is_short || roles_.partner(open) - open > kLongestClamp) continue;
    if (!roles_.is(body + 1, "return") || !roles_.is(end - 1, ";") || end - body < 4) continue;
    const TokenRange returned{body + 2, end - 2};
    auto clamp = chosen_in(returned);
    for (std::size_t at = returned.first; !clamp && at <= returned.last; ++at) clamp = clamp_at(at);
    if (!clamp) continue;
    ClampFunction function{{}, *clamp};
    for (const TokenRange& item : roles_.items(open)) function.parameters.push_back(roles_.text(item.last));
    const std::string_view name = roles_.text(open - 1);
    if (!functions_.emplace(name, std::move(function)).second) several.insert(name);
  }
  for (const std::string_view name : several) functions_.erase(name);
}

std::vector<ClampedValue> ClampedValues::in(const TokenRange& range) const {
  std::vector<ClampedValue> found;
  const auto add = [&](ClampedValue value) {
    if (std::ranges::find(found, value) == found.end()) found.push_back(std::move(value));
  };
  const auto add_clamp = [&](const std::optional<Clamp>& clamp) {
    if (clamp) add(compared(text_of_range(clamp->index), text_of_range(clamp->limit), clamp->of_size));
  };
  if (range.last - range.first > kLongestClamp) return found;
  add_clamp(chosen_in(range));
  for (std::size_t at = range.first; at <= range.last; ++at) {
    if (auto called = called_at(at)) add(std::move(*called));
    add_clamp(clamp_at(at));
  }
  return found;
}

/// "min(k, n - 1)", and "(k < n ? k : n - 1)" in brackets.
std::optional<ClampedValues::Clamp> ClampedValues::clamp_at(std::size_t at) const {
  const auto is_short = [&](std::size_t open) {
    const std::size_t close = roles_.partner(open);
    return close != kNoToken && close > open + 1 && close - open <= kLongestClamp;
  };
  if ((roles_.is(at, "min") || roles_.is(at, "clamp")) && at + 1 < source_.tokens.size()) {
    const bool is_template = roles_.is(at + 1, "<") && roles_.partner(at + 1) != kNoToken;
    const std::size_t open = is_template ? roles_.partner(at + 1) + 1 : at + 1;
    if (!roles_.is(open, "(") || !is_short(open)) return std::nullopt;
    std::vector<TokenRange> items = roles_.items(open);
    if (roles_.is(at, "clamp") && items.size() == 3) items.erase(items.begin() + 1);
    return smaller_of(items);
  }
  if ((roles_.is(at, "(") || roles_.is(at, "[")) && is_short(at)) return chosen_in({at + 1, roles_.partner(at) - 1});
  return std::nullopt;
}

std::optional<ClampedValues::Clamp> ClampedValues::smaller_of(const std::vector<TokenRange>& items) const {
  if (items.size() != 2) return std::nullopt;
  for (const std::size_t which : {1U, 0U}) {
    const TokenRange limit = items[which], index = items[1 - which];
    if (is_one_less(limit)) return Clamp{index, {limit.first, limit.last - 2}, true};
    if (is_last_of_size(limit)) return Clamp{index, limit, false};
  }
  return std::nullopt;
}

/// "k < n ? k : n - 1" and its like.
std::optional<ClampedValues::Clamp> ClampedValues::chosen_in(TokenRange range) const {
  range = without_brackets(range);
  if (range.last - range.first > kLongestClamp) return std::nullopt;
  std::size_t sign = kNoToken, question = kNoToken, colon = kNoToken;
  for (std::size_t at = range.first; at <= range.last; ++at) {
    if (roles_.is(at, "?") && question != kNoToken) return std::nullopt;
    if (roles_.is(at, "?")) question = at;
    if (roles_.is(at, ":") && question != kNoToken && colon == kNoToken) colon = at;
    const bool is_round = roles_.is(at, "(") || roles_.is(at, "[");
    if (is_round && roles_.partner(at) != kNoToken && roles_.partner(at) < range.last) at = roles_.partner(at);
  }
  if (question == kNoToken || colon == kNoToken || question == range.first || colon == question + 1 ||
      colon == range.last)
    return std::nullopt;
  const TokenRange asked = without_brackets({range.first, question - 1});
  for (std::size_t at = asked.first + 1; at < asked.last; ++at) {
    const bool compares = roles_.is(at, "<") || roles_.is(at, "<=") || roles_.is(at, ">") || roles_.is(at, ">=");
    if (compares && sign != kNoToken) return std::nullopt;
    if (compares) sign = at;
  }
  if (sign == kNoToken) return std::nullopt;
  const TokenRange yes = without_brackets({question + 1, colon - 1}), no = without_brackets({colon + 1, range.last});
  const TokenRange left{asked.first, sign - 1}, right{sign + 1, asked.last};
  for (const bool turned : {false, true}) {
    const TokenRange index = turned ? right : left, limit = turned ? left : right;
    const std::string_view how = turned ? mirrored(roles_.text(sign)) : roles_.text(sign);
    const bool below = how == "<" || how == "<=";
    const TokenRange kept = below ? yes : no, other = below ? no : yes;
    if (!are_same(kept, index)) continue;
    const bool of_size = how == "<" || how == ">=";
    const bool is_last =
        of_size ? is_one_less(other) && are_same({other.first, other.last - 2}, limit) : are_same(other, limit);
    if (is_last) return Clamp{index, limit, of_size};
  }
  return std::nullopt;
}

/// A call of a function of the source that returns a clamp.
std::optional<ClampedValue> ClampedValues::called_at(std::size_t at) const {
  const auto function = roles_.is(at + 1, "(") ? functions_.find(roles_.text(at)) : functions_.end();
  if (function == functions_.end() || roles_.partner(at + 1) == kNoToken || roles_.partner(at + 1) - at > kLongestClamp)
    return std::nullopt;
  const std::vector<TokenRange> arguments = roles_.items(at + 1);
  const Clamp& clamp = function->second.clamp;
  const auto index = given(function->second, clamp.index, arguments);
  const auto limit = given(function->second, clamp.limit, arguments);
  if (!index || !limit) return std::nullopt;
  return compared(*index, *limit, clamp.of_size);
}

/// What the call gives for a parameter of the function; what has none in it is as it is.
std::optional<std::string> ClampedValues::given(const ClampFunction& function, const TokenRange& range,
                                                const std::vector<TokenRange>& arguments) const {
  const auto of_parameter = [&](std::size_t at) { return std::ranges::find(function.parameters, roles_.text(at)); };
  if (range.first == range.last) {
    const auto parameter = of_parameter(range.first);
    const auto which = static_cast<std::size_t>(parameter - function.parameters.begin());
    if (parameter != function.parameters.end())
      return which < arguments.size() ? std::optional(text_of_range(arguments[which])) : std::nullopt;
  }
  for (std::size_t at = range.first; at <= range.last; ++at)
    if (of_parameter(at) != function.parameters.end()) return std::nullopt;
  return text_of_range(range);
}

bool ClampedValues::is_one_less(const TokenRange& range) const {
  return range.last >= range.first + 2 && roles_.is(range.last, "1") && roles_.is(range.last - 1, "-");
}

/// "last", which is set to "n - 1".
bool ClampedValues::is_last_of_size(const TokenRange& range) const {
  if (range.first != range.last || !is_own_name(source_.tokens, range.first)) return false;
  const DeclaredVariable* const variable = variables_.meant_at(range.first);
  return variable != nullptr && variable->has_value() && is_one_less(variable->value);
}

bool ClampedValues::are_same(TokenRange one, TokenRange other) const {
  one = without_brackets(one);
  other = without_brackets(other);
  if (one.last - one.first != other.last - other.first) return false;
  for (std::size_t i = 0; i <= one.last - one.first; ++i)
    if (roles_.text(one.first + i) != roles_.text(other.first + i)) return false;
  return true;
}

TokenRange ClampedValues::without_brackets(TokenRange range) const {
  while (range.last > range.first + 1 && roles_.is(range.first, "(") && roles_.partner(range.first) == range.last)
    range = {range.first + 1, range.last - 1};
  return range;
}

/// In brackets where a comparison would take only a part of it.
std::string ClampedValues::text_of_range(const TokenRange& range) const {
  const auto binds_less = [&](std::size_t at) {
    constexpr std::string_view kSigns = "?:&|^<>=,";
    return roles_.has_kind(at, TokenKind::sign) && kSigns.find(roles_.text(at).front()) != std::string_view::npos &&
           !roles_.in_template(at) && !roles_.is(at, "::");
  };
  std::string text(text_of(source_, {range.first, range.last}));
  for (std::size_t at = range.first; at <= range.last; ++at)
    if (binds_less(at)) return "(" + text + ")";
  return text;
}

}  // namespace cudalabs::patch
