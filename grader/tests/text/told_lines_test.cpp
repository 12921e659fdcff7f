// More words for a text that was written before.
#include "text/told_lines.h"

#include <string>

#include "catch.h"

namespace cudalabs {
namespace {

constexpr const char* kNote = "in case `a`\nlaunch: <<<1, 2>>>\nline 4 stores to `c`";

template <typename Change>
std::string changed(const Change& change, std::string text = kNote) {
  change(text);
  return text;
}

}  // namespace

TEST_CASE("lines are put in, taken out, and made longer") {
  CHECK(changed([](std::string& text) { insert_second_line(text, "new"); }, "one\ntwo") == "one\nnew\ntwo");
  CHECK(changed([](std::string& text) { insert_second_line(text, "new"); }, "one") == "one\nnew");
  CHECK(changed([](std::string& text) { insert_second_line(text, "new"); }, "") == "\nnew");
  CHECK(changed([](std::string& text) { add_to_first_line(text, ", too"); }, "one\ntwo") == "one, too\ntwo");
  CHECK(changed([](std::string& text) { add_to_first_line(text, "all"); }, "") == "all");
  CHECK(changed([](std::string& text) { add_to_line(text, "launch: ", ", with `n` = 3"); }) ==
        "in case `a`\nlaunch: <<<1, 2>>>, with `n` = 3\nline 4 stores to `c`");
  CHECK(changed([](std::string& text) { add_to_line(text, "copy: ", "!"); }) == kNote);
  CHECK(changed([](std::string& text) { erase_line(text, "launch: "); }) == "in case `a`\nline 4 stores to `c`");
  CHECK(changed([](std::string& text) { erase_line(text, "line 4 "); }) == "in case `a`\nlaunch: <<<1, 2>>>");
  CHECK(changed([](std::string& text) { erase_line(text, "in case"); }) == kNote);  // the first one stays
  CHECK(changed([](std::string& text) { erase_line(text, "stores"); }) == kNote);
}

TEST_CASE("words get others in their place where the text has them, and there alone") {
  std::string text = "put one here, and one there";
  CHECK(replace_first(text, "one", "two"));
  CHECK(text == "put two here, and one there");
  CHECK(replace_begin(text, "put ", "set "));
  CHECK_FALSE(replace_begin(text, "two", "three"));
  CHECK(replace_end(text, " there", ""));
  CHECK_FALSE(replace_end(text, "here", ""));
  CHECK(text == "set two here, and one");
  CHECK(replace_rest(text, ", and", "; that is all"));
  CHECK_FALSE(replace_rest(text, ", and", "no more"));
  CHECK(text == "set two here; that is all");
  CHECK(erase_through(text, "; "));
  CHECK_FALSE(erase_through(text, "set"));
  CHECK(text == "that is all");
  CHECK_FALSE(replace_first(text, "none", "some"));
  CHECK(text == "that is all");
}

}  // namespace cudalabs
