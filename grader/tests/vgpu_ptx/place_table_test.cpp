// Which of the places of inlined code is shown.
#include "vgpu/ptx/place_table.h"

#include <string>
#include <vector>

#include "catch.h"
#include "parsing.h"

using namespace cudalabs::vgpu::ptx;

namespace {

/// Shown of the instructions `trap`, "file:line". File 1 is the program's, 2 its header, 3 and 4 a library's.
std::vector<std::string> shown_of(const std::string& body) {
  const Module module = parse_module(".func f() {\n" + body +
                                     "}\n.file 1 \"a.cu\"\n.file 2 \"mine.h\"\n.file 3 \"/usr/include/b.h\"\n"
                                     ".file 4 \"/usr/include/c.h\"\n");
  std::vector<std::string> places;
  for (const Instruction& instruction : module.functions[0].instructions)
    places.push_back(std::to_string(instruction.location.file) + ":" + std::to_string(instruction.location.line));
  return places;
}

using Shown = std::vector<std::string>;

}  // namespace

TEST_CASE("inlined code of the program's own files is shown where it stands") {
  CHECK(shown_of(".loc 1 20 3, function_name x, inlined_at 1 40 5\ntrap;\n"
                 ".loc 2 7 1, function_name y, inlined_at 1 20 3\ntrap;\n") == Shown{"1:20", "2:7"});
}

TEST_CASE("inlined code of a library is shown at the innermost call out of the program's own files") {
  CHECK(shown_of(".loc 1 40 5\n.loc 2 7 1, function_name y, inlined_at 1 40 5\n"
                 ".loc 3 9 1, function_name z, inlined_at 2 7 1\ntrap;\n"
                 ".loc 4 2 1, function_name w, inlined_at 3 9 1\ntrap;\n"
                 ".loc 3 8 1, function_name z, inlined_at 1 50 1\ntrap;\n") == Shown{"2:7", "2:7", "1:50"});
}

TEST_CASE("the program's code that a library calls is shown where it stands") {
  CHECK(shown_of(".loc 1 40 5\n.loc 3 9 1, function_name y, inlined_at 1 40 5\n"
                 ".loc 1 40 30, function_name lambda, inlined_at 3 9 1\ntrap;\n") == Shown{"1:40"});
}

TEST_CASE("of libraries alone the innermost place in the outermost's file is shown") {
  CHECK(shown_of(".loc 3 4 5\ntrap;\n.loc 3 9 1, function_name y, inlined_at 3 4 5\n"
                 ".loc 4 2 1, function_name z, inlined_at 3 9 1\ntrap;\n") == Shown{"3:4", "3:9"});
}

TEST_CASE("a function that calls itself has its callers") {
  CHECK(shown_of(".loc 1 6 1\n.loc 3 9 1, function_name x, inlined_at 1 6 1\n"
                 ".loc 3 9 1, function_name y, inlined_at 3 9 1\ntrap;\n"
                 ".loc 3 9 1, function_name z, inlined_at 3 9 1\ntrap;\n"
                 ".loc 3 9 1, function_name z, inlined_at 3 9 1\ntrap;\n") == Shown{"1:6", "1:6", "1:6"});
}

TEST_CASE("code of two calls that is mixed keeps the callers of its functions") {
  // Two instances of a template, from lines 6 and 7, call others of their own at one place of the library.
  CHECK(shown_of(".loc 1 6 1\n.loc 3 9 1, function_name first, inlined_at 1 6 1\n"
                 ".loc 4 2 1, function_name of_first, inlined_at 3 9 1\ntrap;\n"
                 ".loc 1 7 1\n.loc 3 9 1, function_name second, inlined_at 1 7 1\n"
                 ".loc 4 2 1, function_name of_second, inlined_at 3 9 1\ntrap;\n"
                 ".loc 4 3 1, function_name of_first, inlined_at 3 9 1\ntrap;\n"
                 ".loc 4 3 1, function_name of_second, inlined_at 3 9 1\ntrap;\n") ==
        Shown{"1:6", "1:7", "1:6", "1:7"});
}

TEST_CASE("a function that is called again at one place of a header has the caller that stands before it") {
  CHECK(shown_of(".loc 1 6 1\n.loc 3 9 1, function_name x, inlined_at 1 6 1\n"
                 ".loc 4 2 1, function_name y, inlined_at 3 9 1\ntrap;\n"
                 ".loc 1 7 1\n.loc 3 9 1, function_name x, inlined_at 1 7 1\n"
                 ".loc 4 2 1, function_name y, inlined_at 3 9 1\ntrap;\n"
                 ".loc 4 3 1, function_name y, inlined_at 3 9 1\ntrap;\n") == Shown{"1:6", "1:7", "1:7"});
}

TEST_CASE("instructions know the calls that they were inlined through") {
  const Module module = parse_module(
      ".func f() {\n.loc 1 6 1\ntrap;\n.loc 2 9 1, function_name x, inlined_at 1 6 1\ntrap;\n"
      ".loc 3 2 1, function_name y, inlined_at 2 9 1\ntrap;\n}\n"
      ".file 1 \"a.cu\"\n.file 2 \"mine.h\"\n.file 3 \"/usr/include/b.h\"\n");
  const auto calls = [&](std::size_t i) {
    std::vector<std::uint32_t> lines;
    for (std::uint32_t call = module.functions[0].instructions[i].call; call != 0; call = module.calls[call].caller)
      lines.push_back(module.calls[call].at.line);
    return lines;
  };
  CHECK(calls(0).empty());
  CHECK(calls(1) == std::vector<std::uint32_t>{6});
  CHECK(calls(2) == std::vector<std::uint32_t>{9, 6});
}

TEST_CASE("calls are those of one function") {
  const Module module = parse_module(
      ".func f() {\n.loc 1 6 1\n.loc 2 9 1, function_name x, inlined_at 1 6 1\n"
      ".loc 2 2 1, function_name y, inlined_at 2 9 1\ntrap;\n}\n"
      ".func g() {\n.loc 2 2 1, function_name y, inlined_at 2 9 1\ntrap;\n}\n"
      ".file 1 \"a.cu\"\n.file 2 \"/usr/include/b.h\"\n");
  CHECK(module.functions[0].instructions[0].location.line == 6);
  CHECK(module.functions[1].instructions[0].location.line == 2);
}
