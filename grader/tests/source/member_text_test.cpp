// Member functions that move what an object holds.
#include "source/member_text.h"

#include "catch.h"
#include "tests/replaced.h"

namespace cudalabs::test::of_member_text {
namespace {

const std::string kClass = R"(class Event {
  ~Event() noexcept {
    if (handle_) cudaEventDestroy(handle_);
  }
  Event(Event&& o) noexcept : handle_{o.handle_}, on_(true) {}
  Event& operator=(const Event&) = delete;
  Event& operator=(Event&& o) noexcept {
    handle_ = std::exchange(o.handle_, nullptr);
    return *this;
  }
};
)";

bool is_overwritten(const std::string& move) {
  return overwritten_by_move(replaced(kClass, "handle_ = std::exchange(o.handle_, nullptr);", move), "handle_")
      .has_value();
}

}  // namespace

TEST_CASE("the head and the body of a member function are read") {
  const auto move = member_from(kClass, kClass.find("(Event&& o) noexcept :"));
  REQUIRE(move);
  CHECK(move->parameters == "Event&& o");
  CHECK(kClass.substr(move->end - 2, 2) == "{}");
  const auto deleted = member_from(kClass, kClass.find("(const Event&)"));
  REQUIRE(deleted);
  CHECK(deleted->deleted);
  CHECK_FALSE(member_from("void f(int);", 6));
  CHECK_FALSE(member_from("void f(int", 6));
  CHECK(destructor_of(kClass, "Event").freed.contains("handle_"));
  CHECK(destructor_of(kClass, "Stream").names.empty());
}

TEST_CASE("an assignment by a move that does not give back what it overwrites is found") {
  CHECK(overwritten_by_move(kClass, "handle_") == Setting{{"handle_"}, 8, 5});
  CHECK(is_overwritten("if (this != &o) {\n handle_ = o.handle_;\n o.handle_ = nullptr;\n }"));
}

TEST_CASE("an assignment that may give it back is not") {
  CHECK_FALSE(is_overwritten("if (handle_) cudaEventDestroy(handle_);\n handle_ = std::exchange(o.handle_, nullptr);"));
  CHECK_FALSE(is_overwritten("release();\n handle_ = o.handle_;"));
  CHECK_FALSE(is_overwritten("std::swap(handle_, o.handle_);"));
  CHECK_FALSE(is_overwritten("const auto old = handle_;\n handle_ = o.handle_;\n o.handle_ = old;"));
  CHECK_FALSE(overwritten_by_move(kClass, "other_"));
  CHECK_FALSE(overwritten_by_move(replaced(kClass, "cudaEventDestroy(handle_)", "forget(handle_)"), "handle_"));
}

}  // namespace cudalabs::test::of_member_text
