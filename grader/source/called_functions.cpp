// Each body is read once: a text may be made of many that name each other.
#include "source/called_functions.h"

#include <map>
#include <utility>

#include "text/code_scan.h"

namespace cudalabs {

std::vector<FunctionBody> functions_reached_from(std::string_view code, std::string_view name) {
  std::vector<FunctionBody> all = function_bodies(code);
  std::map<std::string_view, std::vector<std::size_t>> unread;  // by name, what was not come to yet
  for (std::size_t i = 0; i < all.size(); ++i) unread[all[i].name].push_back(i);
  std::vector<bool> reached(all.size());
  std::vector<std::size_t> open;
  const auto come_to = [&](std::string_view called) {
    const auto found = unread.find(called);
    if (found == unread.end()) return;
    for (const std::size_t i : found->second) {
      reached[i] = true;
      open.push_back(i);
    }
    unread.erase(found);
  };
  come_to(name);
  while (!open.empty()) {
    const FunctionBody& body = all[open.back()];
    open.pop_back();
    for_each_name(code.substr(body.begin, body.end - body.begin),
                  [&](std::size_t, std::string_view called) { come_to(called); });
  }
  std::vector<FunctionBody> found;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (reached[i]) found.push_back(std::move(all[i]));
  return found;
}

}  // namespace cudalabs
