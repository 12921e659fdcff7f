// A program's text: comments, lines, names, bodies.
#include "text/code_text.h"

#include <string>

#include "catch.h"
#include "text/code_scan.h"

using namespace cudalabs;

namespace {

std::vector<std::string> names_of(std::string_view code) {
  std::vector<std::string> names;
  for_each_name(code, [&](std::size_t at, std::string_view name) {
    CHECK(code.substr(at, name.size()) == name);
    names.emplace_back(name);
  });
  return names;
}

}  // namespace

TEST_CASE("what a string says are no names") {
  CHECK(names_of("check(f(a), \"f of a\"); b") == std::vector<std::string>{"check", "f", "a", "b"});
  CHECK(names_of("p(\"\\\"x\", y) \"\" z") == std::vector<std::string>{"p", "y", "z"});
  CHECK(names_of("c == '\"' || d == '\\\"' || e") == std::vector<std::string>{"c", "d", "e"});
  // A string that is not closed ends with its line.
  CHECK(names_of("\"a b\nc") == std::vector<std::string>{"c"});
  CHECK(names_of("a \"") == std::vector<std::string>{"a"});
}

TEST_CASE("comments go, and their line ends stay") {
  CHECK(without_comments("a/* b\n c */d // e\nf") == "a \nd  \nf");
  CHECK(without_comments("a /* never closed\n") == "a  \n");
  CHECK(without_comments("a / b") == "a / b");
}

TEST_CASE("what looks like a comment in a literal is none") {
  CHECK(without_comments(R"(f("// no", '"', "/*"); // yes)") == R"(f("// no", '"', "/*");  )");
  CHECK(without_comments(R"(c == '\'' || c == '/' // yes)") == R"(c == '\'' || c == '/'  )");
  CHECK(without_comments(R"("a\"// no" // yes)") == R"("a\"// no"  )");
  CHECK(without_comments("R\"x(\" // no )\" )x\" // yes") == "R\"x(\" // no )\" )x\"  ");
  CHECK(without_comments("u8R\"(// no)\" // yes") == "u8R\"(// no)\"  ");
  CHECK(without_comments("L'\"' // yes") == "L'\"'  ");
}

TEST_CASE("a quote between digits begins no literal") {
  CHECK(without_comments("1'000 // yes") == "1'000  ");
  CHECK(without_comments("0x1'f // it's") == "0x1'f  ");
}

TEST_CASE("a literal without its end stops at the end of its line") {
  CHECK(without_comments("#error don't // yes\nint n; // yes\n") == "#error don't // yes\nint n;  \n");
  CHECK(without_comments("\"open\n// yes") == "\"open\n ");
}

TEST_CASE("lines have no ends") {
  CHECK(text_lines("a\n\nb") == std::vector<std::string_view>{"a", "", "b"});
  CHECK(text_lines("a\n") == std::vector<std::string_view>{"a"});
  CHECK(text_lines("").empty());
}

TEST_CASE("names are neither numbers nor members") {
  CHECK(names_of("x1 = p->y + q.z - 0x1f * w_2") == std::vector<std::string>{"x1", "p", "q", "w_2"});
  CHECK(names_of("p -> y, a > b") == std::vector<std::string>{"p", "a", "b"});
  CHECK(names_of("").empty());
}

TEST_CASE("one name is told from numbers, members and expressions") {
  for (const char* name : {"n", "_row2", "N"}) CHECK(is_identifier(name));
  for (const char* other : {"", "2n", "s.n", "n + 1", " n", "&n"}) CHECK_FALSE(is_identifier(other));
  CHECK(without_outer_spaces(" \ta b \n") == "a b");
  CHECK(without_outer_spaces("  ").empty());
}

TEST_CASE("words and spaces are found from either side") {
  CHECK(word_before("int  n", 5) == "int");
  CHECK(word_before("(n", 1).empty());
  CHECK(word_before("n", 0).empty());
  CHECK(end_of_word("block_1.x", 0) == 7);
  CHECK(past_spaces("  \t", 0) == 3);
  CHECK(before_spaces("a  b", 3) == 0);
  CHECK(before_spaces("  b", 2) == std::string_view::npos);
}

TEST_CASE("each place knows whether it lies in a body, and whose") {
  const std::string_view code =
      "namespace n {\nint g;\n__global__ void k() { { d; } }\nvoid h() { e; }\n}\nint f;\n__device__ int v; void c() { "
      "w; }";
  const std::vector<BodyPlace> places = body_places(code);
  const auto at = [&](std::string_view text) { return places[code.find(text)]; };
  CHECK_FALSE(at("g;").inside);
  CHECK(at("d;").inside);
  CHECK(at("d;").device);
  CHECK(at("e;").inside);
  CHECK_FALSE(at("e;").device);
  CHECK_FALSE(at("f;").inside);
  CHECK(at("w;").inside);
  CHECK_FALSE(at("w;").device);
}

TEST_CASE("a place is found by its line and column, or by the line's first letter") {
  const std::string_view code = "a;\n  bc;\n\nd;";
  CHECK(place_of_line(code, 1, 2) == 1);
  CHECK(place_of_line(code, 2, 4) == 6);
  CHECK(place_of_line(code, 2, 0) == 5);
  CHECK(place_of_line(code, 2, 99) == 5);
  CHECK(place_of_line(code, 3, 0) == 9);
  CHECK(place_of_line(code, 0, 1) == std::string_view::npos);
  CHECK(place_of_line(code, 5, 1) == std::string_view::npos);
}

TEST_CASE("assignments of all kinds begin so, and comparisons do not") {
  for (const char* text : {"= 1", "+= 1", "-=1", "*= 2", "/= 2", "%= 2", "&= m", "|= m", "^= m", "<<= 1", ">>= 1"})
    CHECK(begins_assignment(text));
  for (const char* text : {"== 1", "!= 1", "<= 1", ">= 1", "< 1", "<< 1", "++", "", "x = 1", " = 1"})
    CHECK_FALSE(begins_assignment(text));
}

TEST_CASE("a value ends at a comma, a semicolon or a bracket of what is around it") {
  const auto value = [](std::string_view code) { return std::string(value_at(code, 0)); };
  CHECK(value("1, b") == "1");
  CHECK(value("f(a, b) + c[i, j]; d") == "f(a, b) + c[i, j]");
  CHECK(value("i < n) x") == "i < n");
  CHECK(value("{1, 2}; x") == "{1, 2}");
  CHECK(value("a] = b") == "a");
  CHECK(value("").empty());
  CHECK(value(std::string(1000, '(')).size() == 400);
}
