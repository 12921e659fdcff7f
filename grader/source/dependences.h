// Which names of a function the values of others are computed from. Read as text.
#pragma once

#include <map>
#include <set>
#include <string_view>

namespace cudalabs {

/// Of the body of one function. A name depends on what any assignment to it has on its right side, wherever that
/// stands; members, and what is stored in elements, are left out.
class Dependences {
 public:
  /// `body` has no comments, and must outlive it.
  explicit Dependences(std::string_view body);

  /// The names in the expression, and all that these depend on.
  std::set<std::string_view> all_of(std::string_view expression) const;
  /// Likewise, of all that the body gives the function of that name in its calls.
  std::set<std::string_view> all_given_to(std::string_view function) const;

 private:
  void add(std::string_view expression, std::set<std::string_view>& names) const;

  std::string_view body_;
  std::map<std::string_view, std::set<std::string_view>> direct_;
};

}  // namespace cudalabs
