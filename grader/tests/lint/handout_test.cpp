#include "lint/handout.h"

#include "catch.h"

using namespace cudalabs::lint;
using Names = std::vector<std::string>;

TEST_CASE("the points table is read row by row, and no other table is") {
  CHECK(points_table("| `x` | y |\n\n| Check | Points |\n|---|---|\n| `a` | x \\| y | 5 |\n| `b` | z | 2.5|\ntext\n"
                     "| `c` | 3 |\n") == std::set<std::string>{"a 5", "b 2.5"});
  CHECK(points_table("").empty());
}

TEST_CASE("links to files are found, pictures among them; web addresses and anchors are not files") {
  CHECK(linked_files("see [a](one.md) and ![b](../two.svg \"title\")\n[c](https://example.org/x) [d](#below) "
                     "[e](three.md#part) [f](unfinished") == Names{"one.md", "../two.svg", "three.md"});
}

TEST_CASE("sections are headings of the second level") {
  CHECK(sections("# Hints\n## Level 1\ntext\n### not\n## Level 2\n") == Names{"Level 1", "Level 2"});
}
