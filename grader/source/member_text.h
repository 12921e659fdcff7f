// Member functions of a source's classes, read as text.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string_view>

#include "source/setting_text.h"

namespace cudalabs {

/// A member function: its parameters, and where what stands behind them begins, and ends with its body or `= delete`.
struct MemberText {
  std::string_view parameters;
  std::size_t head = 0, end = 0;
  bool deleted = false;
};

/// Of the one whose parameters begin with the bracket at `open`; nothing where it is declared alone, or long to read.
/// `code` has no comments, here and below.
std::optional<MemberText> member_from(std::string_view code, std::size_t open);

/// Members that a destructor gives back to the runtime, and all names in it.
struct DestructorText {
  std::set<std::string_view> freed, names;
};

/// Of the type; empty where there is none with a body.
DestructorText destructor_of(std::string_view code, std::string_view type);

/// "handle_ = std::exchange(other.handle_, nullptr)" in "Event& operator=(Event&& other)", of a type whose destructor
/// gives that member back: the assignment, of a function that calls nothing which could give back what the member held
/// before. Nothing where several types have such a member.
std::optional<Setting> overwritten_by_move(std::string_view code, std::string_view member);

}  // namespace cudalabs
