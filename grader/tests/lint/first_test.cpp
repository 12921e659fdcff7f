// What a wrong sample's screen must say first: how a sample says it, and what is taken for it.
#include "lint/first.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "catch.h"

using namespace cudalabs::lint;
using Json = nlohmann::json;

namespace {

constexpr const char* kScreen =
    "lab4: Tiled matrix product       40 of 100 points\n"
    "tiled_matmul.cu:99\n"
    "\n"
    "fix this first (finding 1 of 2)\n"
    "error[shared-race]: this read races with a write of the same shared memory by\n"
    "another thread of the block\n"
    "  --> some/folder.cu:7/tiled_matmul.cu:23:43, in `kernel`\n"
    "23 |     sum += tile_a[ty][k];\n"
    "20 |     tile_a[ty][tx] = 1;\n"
    "\n"
    "warning[memory-leak]: later\n"
    "  --> tiled_matmul.cu:30\n";

Json report(const Json& first) {
  return {{"first", first},
          {"checks", Json::array()},
          {"findings", {{{"id", "build-failed"}, {"line", 12}}, {{"id", "memory-leak"}, {"line", 30}}}}};
}

const Json kNothing = {{"finding", nullptr}, {"check", nullptr}};

}  // namespace

TEST_CASE("five ways to say what comes first") {
  CHECK(parse_first("// FIRST: result-mismatch") == First{.id = "result-mismatch"});
  CHECK(parse_first("// FIRST: check host_time") == First{.id = "host_time", .is_check = true});
  CHECK(parse_first("// FIRST: shared-race at `sum += a[k];  // wrong`") ==
        First{.id = "shared-race", .code = "sum += a[k];  // wrong"});
  CHECK(parse_first("// FIRST: invalid-launch beside `dim3 grid(n)`") ==
        First{.id = "invalid-launch", .code = "dim3 grid(n)", .shown = First::Shown::beside});
  CHECK(parse_first("// FIRST: result-mismatch showing `int i = t`") ==
        First{.id = "result-mismatch", .code = "int i = t", .shown = First::Shown::either});
  for (const char* line :
       {"// FIRST:", "// FIRST: ", "// FIRST: A race", "// FIRST: race at ``", "// FIRST: race at x",
        "// FIRST: race beside ``", "// FIRST: check race beside `x`", "// EXPECT: shared-race", "// FIRST: check "}) {
    CAPTURE(line);
    CHECK_FALSE(parse_first(line));
  }
}

TEST_CASE("code stands for its line, if there is one such line below the first comments") {
  const std::string text = "// FIRST: race at `x = 1;`\n// another\nint x;\nx = 1;\ny = 2;\ny = 2;\n";
  CHECK(line_of("x = 1;", text) == 4);
  CHECK(line_of("y = 2;", text) == 0);
  CHECK(line_of("z = 3;", text) == 0);
  CHECK(line_of("another", text) == 0);
}

TEST_CASE("the first finding of the screen counts, at its line") {
  CHECK(first_of(kScreen, report(kNothing)) == First{.id = "shared-race", .line = 23, .other = 20});
}

TEST_CASE("a line that is shown beside the one that is blamed is one that may be asked for") {
  const auto objection = [&](std::uint32_t line) {
    return objection_to_first({.id = "shared-race", .shown = First::Shown::beside, .line = line}, kScreen,
                              report(kNothing), false);
  };
  CHECK(objection(20).empty());
  CHECK(objection(23) == "shared-race at line 23, beside line 20");
}

TEST_CASE("a line that the front end decides the place of may be blamed, or stand beside") {
  const auto objection = [&](std::uint32_t line) {
    return objection_to_first({.id = "shared-race", .shown = First::Shown::either, .line = line}, kScreen,
                              report(kNothing), false);
  };
  CHECK(objection(20).empty());
  CHECK(objection(23).empty());
  CHECK(objection(22) == "shared-race at line 23, beside line 20");
}

TEST_CASE("where the screen shows no finding the report says what is first") {
  CHECK(first_of("no finding\n", report({{"finding", nullptr}, {"check", "host_time"}})) ==
        First{.id = "host_time", .is_check = true});
  CHECK(first_of("the compiler said\n", report({{"finding", 1}, {"check", nullptr}})) ==
        First{.id = "build-failed", .line = 12});
  CHECK(first_of("full marks\n", report(kNothing)) == First{});
}

TEST_CASE("a finding without a place has the line of no other") {
  CHECK(first_of("error[result-mismatch]: `c` is wrong\n   = help: look\n\nwarning[memory-leak]: x\n  --> a.cu:3\n",
                 report(kNothing)) == First{.id = "result-mismatch"});
}

TEST_CASE("another finding, another line or a check instead is an objection") {
  const std::string screen = "error[shared-race]: this\n  --> a.cu:23:43\n";
  const auto objection = [&](const First& expected) {
    return objection_to_first(expected, screen, report(kNothing), false);
  };
  CHECK(objection({.id = "shared-race", .code = "x", .line = 23}).empty());
  CHECK(objection({.id = "shared-race"}).empty());
  CHECK(objection({.id = "shared-race", .code = "x", .line = 22}) == "shared-race at line 23");
  CHECK_FALSE(objection({.id = "global-race"}).empty());
  CHECK_FALSE(objection({.id = "shared-race", .is_check = true}).empty());
}

TEST_CASE("only what does not compile may be longer than a screen") {
  Json json = report(kNothing);
  json["checks"].push_back({{"category", "build"}, {"status", "passed"}});
  json["checks"].push_back({{"category", "sync"}, {"status", "failed"}});
  CHECK_FALSE(may_be_long(json));
  json["checks"][0]["status"] = "failed";
  CHECK(may_be_long(json));
}

TEST_CASE("a statement begins behind the end of the one before it") {
  const std::string text =
      "int x;\n  if (a() &&  // what;\n\n      // then;\n      b()) {\n    c(1,\n      2);\n#define D\n  d();\n";
  const std::vector<std::uint32_t> begins{1, 2, 2, 2, 2, 6, 6, 8, 9};
  for (std::uint32_t line = 1; line <= begins.size(); ++line) {
    CAPTURE(line);
    CHECK(statement_of(line, text) == begins[line - 1]);
  }
}

TEST_CASE("where a compiler puts statements on one line, each of its lines will do, and no other") {
  First expected{.id = "shared-race", .line = 25, .statement = 23};
  const auto objection = [&](bool by_statement) {
    return objection_to_first(expected, kScreen, report(kNothing), by_statement);
  };
  CHECK(objection(true).empty());
  CHECK_FALSE(objection(false).empty());
  expected.statement = 24;
  CHECK_FALSE(objection(true).empty());
  expected.statement = 0;
  CHECK_FALSE(objection(true).empty());
  expected = {.id = "shared-race", .line = 22, .statement = 20};
  CHECK_FALSE(objection(true).empty());
}

TEST_CASE("where a semicolon is missing nvcc may name the next line") {
  const First expected{.id = "build-failed", .line = 11, .statement = 11};
  const Json failed = report({{"finding", 1}, {"check", nullptr}});
  CHECK(objection_to_first(expected, "the compiler said\n", failed, true).empty());
  CHECK_FALSE(objection_to_first(expected, "the compiler said\n", failed, false).empty());
}
