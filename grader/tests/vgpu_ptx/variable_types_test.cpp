// What variables are made of, out of debug information.
#include "vgpu/ptx/variable_types.h"

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>

#include "catch.h"
#include "tree/tree_paths.h"

using namespace cudalabs::vgpu::ptx;

namespace {

std::string data(const std::string& name) {
  std::ifstream file(cudalabs::source_path("grader/tests/vgpu_ptx/data/" + name), std::ios::binary);
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), {}};
}

VariableTypes types_of(const std::string& ptx) {
  return variable_types(debug_entries(ptx));
}

/// The path of an access of `bytes` bytes.
std::string path(const VariableTypes& types, const std::string& symbol, std::uint64_t offset, std::uint64_t bytes = 4) {
  const auto type = types.find(symbol);
  if (type == types.end()) return "unknown";
  const Element element = element_at(*type->second, offset, bytes);
  return element.path + (element.into == 0 ? "" : "+" + std::to_string(element.into));
}

}  // namespace

TEST_CASE("elements of arrays and records have the names of the source") {
  const VariableTypes types = types_of(data(GENERATE("arrays.nvcc.ptx", "arrays.clang16.ptx")));
  CHECK(path(types, "_ZZ6kernelPfiE4tile", 0) == "[0][0]");
  CHECK(path(types, "_ZZ6kernelPfiE4tile", 68) == "[1][0]");
  CHECK(path(types, "_ZZ6kernelPfiE4tile", 4 * 17 * 16 - 4) == "[15][16]");
  CHECK(path(types, "_ZZ6kernelPfiE4rows", 4 * 13) == "[2][3]");  // an array of a type that is an array
  CHECK(path(types, "_ZZ6kernelPfiE4cube", 12 + 4 + 3, 1) == "[1][1][3]");
  CHECK(path(types, "table", 4 * 37) == "[4][5]");
  CHECK(path(types, "weights", 6, 2) == "[3]");
  CHECK(path(types, "weights", 7, 2) == "[3]+1");
  CHECK(path(types, "unknown", 0) == "unknown");
}

TEST_CASE("members are named, also those of records without a name") {
  const VariableTypes types = types_of(data(GENERATE("arrays.nvcc.ptx", "arrays.clang16.ptx")));
  const std::string s = "_ZZ6kernelPfiE1s";
  CHECK(path(types, s, 0) == ".count");
  CHECK(path(types, s, 4 + 4 * 6) == ".tile[1][2]");
  CHECK(path(types, s, 56 + 24, 8) == ".ends[1].y");
  CHECK(path(types, s, 56 + 32 + 4) == ".bits[1]");  // of a union the first
  CHECK(path(types, s, 56 + 40, 8) == ".next");
  CHECK(path(types, "tiles", 104 + 4) == "[1].tile[0][0]");
  CHECK(path(types, "_ZZ6kernelPfiE5quads", 16 * 4 + 8) == "[1][1].z");
  CHECK(path(types, "_ZZ6kernelPfiE5quads", 16 * 4, 16) == "[1][1]");  // all of a record
}

TEST_CASE("behind the end the outermost subscript goes on") {
  const VariableTypes types = types_of(data(GENERATE("arrays.nvcc.ptx", "arrays.clang16.ptx")));
  CHECK(path(types, "_ZZ6kernelPfiE4tile", 4 * 17 * 16) == "[16][0]");
  CHECK(path(types, "_ZZ6kernelPfiE4tile", 4 * 17 * 20 + 8) == "[20][2]");
}

TEST_CASE("of an array whose size the launch gives nvcc says the elements") {
  CHECK(path(types_of(data("arrays.nvcc.ptx")), "dynamic", 4 * 1000) == "[1000]");
  CHECK(path(types_of(data("arrays.clang16.ptx")), "dynamic", 0) == "unknown");
}

TEST_CASE("without debug information nothing is known") {
  CHECK(types_of("").empty());
  CHECK(types_of(data("tour.clang14-fast.ptx")).empty());
}

TEST_CASE("debug information that is cut, or changed at any place, does no harm") {
  const std::string text = data("arrays.clang16.ptx");
  const std::size_t begin = text.find(".section");
  REQUIRE(begin != std::string::npos);
  for (std::size_t at = begin; at < text.size(); at += 61) {
    types_of(text.substr(0, at));
    types_of(text.substr(0, at) + "}");
  }
  for (std::size_t at = text.find(".b8", begin); at != std::string::npos; at = text.find(".b8", at + 23)) {
    for (const char* value : {".b8 0,", ".b8 255,", ".b8 3,"}) {
      std::string changed = text;
      const auto types = types_of(changed.replace(at, 3, value));
      for (const auto& [name, type] : types) element_at(*type, 1'000'000'007, 4);
    }
  }
}

TEST_CASE("types that contain themselves, or are larger than any memory, are none") {
  const std::string head =
      ".section .debug_abbrev { .b8 1,17,1,0,0, 2,52,0,2,10,73,19,0,0, 3,1,1,73,19,0,0, "
      "4,33,0,55,6,0,0, 5,36,0,11,11,0,0, 0 }\n";
  // Entries: 11 the unit, 12 a variable, 27 an array of the type at `element` with `extents` dimensions.
  const auto types_with = [&](int element, const std::string& extents) {
    return types_of(head + ".section .debug_info { .b32 200 .b8 2,0 .b32 .debug_abbrev .b8 8, 1, 2, 9, 3 .b64 v " +
                    ".b32 27 .b8 3 .b32 " + std::to_string(element) + extents + " .b8 0, 5, 4, 0 }\n");
  };
  const std::string three = " .b8 4 .b32 3";
  CHECK(path(types_with(27 + 5 + 5 + 1, three), "v", 8) == "[2]");
  CHECK(types_with(27, three).empty());  // of itself
  CHECK(types_with(27 + 5 + 5 + 1 + 1000, three).empty());
  const std::string many = " .b8 4 .b32 4294967295";
  CHECK(types_with(27 + 5 + 2 * 5 + 1, many + many).empty());
  std::string deep;
  for (int i = 0; i < 20; ++i) deep += " .b8 4 .b32 1";
  CHECK(types_with(27 + 5 + 20 * 5 + 1, deep).empty());
}
