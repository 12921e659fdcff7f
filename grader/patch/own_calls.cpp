#include "patch/own_calls.h"

#include <algorithm>
#include <set>

#include "source/function_text.h"

#include "patch/patched_source.h"

namespace cudalabs::patch {

OwnCalls::OwnCalls(const PatchedSource& source) : source_(source), roles_(source.roles) {
  std::set<std::string> several;
  for (const FunctionBody& function : function_bodies(source.code)) {
    std::vector<std::string> names;
    for (const std::string& parameter : function.parameters) names.push_back(parameter_name(parameter));
    if (!parameters_.emplace(function.name, std::move(names)).second) several.insert(function.name);
  }
  for (const std::string& name : several) parameters_.erase(name);
}

std::optional<ArgumentFor> OwnCalls::argument_for(const TokenRange& tokens, std::size_t open) const {
  if (open == kNoToken || !roles_.is(open, "(")) return std::nullopt;
  const std::size_t called = called_before(open);
  const auto own = called == kNoToken ? parameters_.end() : parameters_.find(source_.tokens[called].text);
  if (own == parameters_.end()) return std::nullopt;
  if (last_open_ != open) arguments_ = roles_.items(open);
  last_open_ = open;
  const auto argument = std::ranges::lower_bound(arguments_, tokens.first, {}, &TokenRange::first);
  if (argument == arguments_.end() || *argument != tokens) return std::nullopt;
  const auto number = static_cast<std::size_t>(argument - arguments_.begin());
  if (arguments_.size() > own->second.size() || own->second[number].empty()) return std::nullopt;
  return ArgumentFor{own->first, own->second[number]};
}

/// The name before "(", "<T>(" and "<<<grid, block>>>(".
std::size_t OwnCalls::called_before(std::size_t open) const {
  std::size_t at = open;
  for (const std::string_view bracket : {">>>", ">"}) {
    if (at == 0 || !roles_.is(at - 1, bracket)) continue;
    at = roles_.partner(at - 1);
    if (at == kNoToken) return kNoToken;
  }
  return at > 0 && roles_.has_kind(at - 1, TokenKind::name) ? at - 1 : kNoToken;
}

}  // namespace cudalabs::patch
