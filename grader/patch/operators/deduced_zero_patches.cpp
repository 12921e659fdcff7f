#include "patch/operators/deduced_zero_patches.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "patch/add_patch.h"
#include "patch/patched_source.h"
#include "patch/token_roles.h"

namespace cudalabs::patch {
namespace {

/// Those parameters, by their places from 0, whose type is one of the template's: of "T f(int n, T init)", the second.
using DeducedPlaces = std::map<std::string_view, std::vector<std::size_t>>;

/// "T" and "U" of "template <typename T, int N, class U>".
std::vector<std::string_view> types_of_template(const TokenRoles& roles, std::size_t open) {
  std::vector<std::string_view> types;
  for (std::size_t at = open; at < roles.partner(open); ++at) {
    if (roles.is(at, "typename") || roles.is(at, "class")) types.push_back(roles.text(at + 1));
  }
  return types;
}

/// The angle bracket of the template whose function has its parameters at `open`; kNoToken: it is none.
std::size_t template_before(const TokenRoles& roles, std::size_t open) {
  constexpr std::size_t kLongestHead = 60;
  for (std::size_t at = open; at > 0 && open - at < kLongestHead; --at) {
    if (roles.is(at, ";") || roles.is(at, "}") || roles.is(at, "{")) return kNoToken;
    if (roles.is(at - 1, "template") && roles.is(at, "<") && roles.in_template(at)) return at;
  }
  return kNoToken;
}

DeducedPlaces deduced_places(const TokenRoles& roles, std::size_t count) {
  DeducedPlaces places{{"accumulate", {2}}, {"inner_product", {3}}, {"reduce", {2}}, {"transform_reduce", {2, 3}}};
  for (std::size_t body = 0; body < count; ++body) {
    const std::size_t open = roles.parameters_of(body);
    if (open == kNoToken || open == 0 || roles.body_of(body) != body) continue;
    const std::size_t head = template_before(roles, open);
    if (head == kNoToken) continue;
    const std::vector<std::string_view> types = types_of_template(roles, head);
    std::vector<std::size_t> found;
    const std::vector<TokenRange> items = roles.items(open);
    for (std::size_t which = 0; which < items.size(); ++which) {
      const std::size_t type = roles.is(items[which].first, "const") ? items[which].first + 1 : items[which].first;
      const bool is_value = !roles.is(type + 1, "*") && !roles.is(type + 1, "const");
      if (is_value && std::ranges::find(types, roles.text(type)) != types.end()) found.push_back(which);
    }
    places[roles.text(open - 1)] = std::move(found);
  }
  return places;
}

}  // namespace

void add_deduced_zeros(const PatchedSource& source, std::vector<Patch>& patches) {
  const TokenRoles& roles = source.roles;
  const DeducedPlaces places = deduced_places(roles, source.tokens.size());
  for (std::size_t at = 1; at < source.tokens.size(); ++at) {
    if (!roles.is(at, "(") || !roles.in_body(at)) continue;
    const bool is_template = roles.in_template(at - 1) && roles.partner(at - 1) != kNoToken;
    const std::size_t callee = is_template ? roles.partner(at - 1) - 1 : at - 1;
    const auto found = places.find(roles.text(callee));
    if (found == places.end()) continue;
    const std::vector<TokenRange> items = roles.items(at);
    for (const std::size_t which : found->second) {
      const bool is_zero =
          which < items.size() && items[which].first == items[which].last && roles.is(items[which].first, "0");
      if (!is_zero) continue;
      add_replacement(source, PatchKind::number, source.tokens[items[which].first], "0.0f", patches);
    }
  }
}

}  // namespace cudalabs::patch
