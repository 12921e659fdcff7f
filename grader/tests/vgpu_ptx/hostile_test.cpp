// Text made to crash or to exhaust: every damage to good text is accepted or refused with a line, and work stays
// linear.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "parsing.h"
#include "tree/tree_paths.h"

using namespace cudalabs::vgpu::ptx;

namespace {

std::string repeated(const std::string& piece, std::size_t times) {
  std::string text;
  text.reserve(piece.size() * times);
  for (std::size_t i = 0; i < times; ++i) text += piece;
  return text;
}

std::vector<std::string> golden_texts() {
  std::vector<std::string> texts;
  for (const auto& entry : std::filesystem::directory_iterator(cudalabs::source_path("grader/tests/vgpu_ptx/data"))) {
    if (entry.path().extension() != ".ptx") continue;
    std::ostringstream text;
    text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    texts.push_back(text.str());
  }
  std::sort(texts.begin(), texts.end());
  return texts;
}

// Parses; true when it was accepted. A refusal must name a line of the text.
bool survives(const std::string& text) {
  try {
    parse(text);
    return true;
  } catch (const ParseError& error) {
    const auto lines = static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    if (error.line() < 1 || error.line() > lines) FAIL("line " << error.line() << " of " << lines);
    return false;
  }
}

}  // namespace

TEST_CASE("nesting is bounded") {
  CHECK(body_refusal(std::string(100000, '{')) == "scopes nested too deeply");
  CHECK(parse_body(repeated("{ ", 60) + "ret;" + repeated(" }", 60)).instructions.size() == 1);
  CHECK(module_refusal(".global .u32 a[2][2] = " + std::string(100000, '{')) ==
        "a list in braces does not fit the dimensions");
  CHECK(body_refusal("mov.u32 %r1, " + std::string(100000, '(')) == "constant expression nested too deeply");
}

TEST_CASE("many names, labels and scopes are read") {
  // Anything quadratic in here takes minutes and meets the test's time limit.
  constexpr std::size_t kCount = 100000;
  std::string body = ".reg .b32 %r<1000000>; .reg .pred p;\n";
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::string n = std::to_string(i);
    body +=
        "{ .reg .b32 t; .param .b32 q; st.param.b32 [q], %r" + n + "; @p bra L; L: bra M" + n + "; }\nM" + n + ":\n";
  }
  const Module module = parse_module(".func f() {" + body + "}");
  CHECK(module.functions[0].instructions.size() == 3 * kCount);
  CHECK(module.functions[0].labels.size() == 2 * kCount);
  CHECK(module.functions[0].variables.size() == kCount);
  CHECK(module.functions[0].registers.size() == 2 * kCount + 1);
}

TEST_CASE("long tokens and long lists are read") {
  CHECK(parse_body(std::string(100000, 'x') + ":").labels.size() == 1);
  CHECK(parse_one("mov.b32 {" + repeated("%r1,", 100000) + "%r1}, 0;").operands.size() == 2);
  CHECK(parse_one("nop" + repeated(".x", 100000) + ";").suffixes.size() == 100000);
  CHECK(parse_module(".global .b8 a[100000] = {" + repeated("1,", 99999) + "1};").variables[0].initial.size() ==
        100000);
  CHECK(parse_module("/*" + std::string(1000000, '*') + "*/").functions.empty());
}

TEST_CASE("every cut of a good text is accepted or refused") {
  for (const std::string& text : golden_texts()) {
    const std::size_t step = std::max<std::size_t>(1, text.size() / 400);
    std::size_t refused = 0;
    for (std::size_t length = 0; length < text.size(); length += step) refused += !survives(text.substr(0, length));
    CHECK(refused > 0);
  }
}

TEST_CASE("every damage to a good text is accepted or refused") {
  std::mt19937 random(20240611);
  const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
  const std::string symbols = "{}[]()<>;:,.@!%+-_\"/*\\=|0x$\n";
  std::size_t refused = 0;
  for (const std::string& text : golden_texts()) {
    for (int round = 0; round < 150; ++round) {
      std::string damaged = text;
      for (std::size_t edits = 1 + below(4); edits > 0; --edits) {
        const std::size_t at = below(damaged.size());
        switch (below(4)) {
          case 0:
            damaged[at] = symbols[below(symbols.size())];
            break;
          case 1:
            damaged.erase(at, 1 + below(20));
            break;
          case 2:
            damaged.insert(at, 1, symbols[below(symbols.size())]);
            break;
          default:
            damaged.insert(at, text.substr(below(text.size()), below(40)));
            break;
        }
      }
      refused += !survives(damaged);
    }
  }
  CHECK(refused > 100);
}
