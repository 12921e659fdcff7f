#include "lint/handout.h"

#include "catch.h"

using namespace cudalabs::lint;
using Names = std::vector<std::string>;

TEST_CASE("links to files are found, pictures among them; web addresses and anchors are not files") {
  CHECK(linked_files("see [a](one.md) and ![b](../two.svg \"title\")\n[c](https://example.org/x) [d](#below) "
                     "[e](three.md#part) [f](unfinished") == Names{"one.md", "../two.svg", "three.md"});
}

TEST_CASE("words are counted in the body alone") {
  CHECK(words_of_body("# One two\n\nthree  four,\n| not | this |\n\n    nor this\n\n- five\n") == 5);
  CHECK(words_of_body("one\n<details>\n<summary>More</summary>\nmuch more\n</details>\ntwo\n") == 2);
  CHECK(words_of_body("") == 0);
}

TEST_CASE("the checks that hints are for stand in headings of the third level") {
  CHECK(hinted_checks("## Level 1\n### `a`, `b`\nsee `c`\n### `d`\n#### `e`\n### `unfinished") == Names{"a", "b", "d"});
}

TEST_CASE("sections are headings of the second level") {
  CHECK(sections("# Hints\n## Level 1\ntext\n### not\n## Level 2\n") == Names{"Level 1", "Level 2"});
}
