// PTX as compilers write it: it parses, prints back to the same module, and holds what its source says.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "parsing.h"
#include "print.h"
#include "tree/tree_paths.h"

using namespace cudalabs::vgpu::ptx;

namespace {

std::string read(const std::string& name) {
  std::ifstream file(cudalabs::source_path("grader/tests/vgpu_ptx/data/" + name), std::ios::binary);
  REQUIRE(file);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> golden_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(cudalabs::source_path("grader/tests/vgpu_ptx/data"))) {
    if (entry.path().extension() == ".ptx") names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

const Function& find(const Module& module, std::string_view part) {
  for (const Function& function : module.functions) {
    if (function.name.find(part) != std::string::npos && !function.is_declaration) return function;
  }
  FAIL("no function " << part);
  throw std::logic_error("unreachable");
}

const Variable& find_variable(const std::vector<Variable>& variables, std::string_view part) {
  for (const Variable& variable : variables) {
    if (variable.name.find(part) != std::string::npos) return variable;
  }
  FAIL("no variable " << part);
  throw std::logic_error("unreachable");
}

std::size_t count(const Function& function, std::string_view opcode) {
  return static_cast<std::size_t>(std::count_if(function.instructions.begin(), function.instructions.end(),
                                                [&](const Instruction& i) { return i.opcode == opcode; }));
}

}  // namespace

TEST_CASE("printing a module and parsing it again changes nothing") {
  REQUIRE(golden_names().size() >= 6);
  for (const std::string& name : golden_names()) {
    INFO(name);
    const std::string once = print(parse(read(name)));
    const std::string twice = print(parse(once));
    CHECK(once == twice);
  }
}

TEST_CASE("the compilers' PTX holds what its source says") {
  for (const std::string& name : golden_names()) {
    if (!name.starts_with("tour.")) continue;
    INFO(name);
    const Module module = parse(read(name));

    const Function& tiled = find(module, "tiled");
    CHECK(tiled.is_entry);
    REQUIRE(tiled.parameters.size() == 3);
    CHECK(tiled.max_threads == 256);
    CHECK(count(tiled, "bar") + count(tiled, "barrier") >= 2);
    // Kernel-scope variables are declared in the kernel or, by nvcc -O3, in front of it.
    std::vector<Variable> variables = module.variables;
    variables.insert(variables.end(), tiled.variables.begin(), tiled.variables.end());
    CHECK(find_variable(variables, "4tile").size == 16 * 17 * 4);

    const Function& calls = find(module, "calls");
    CHECK(calls.parameters[0].size == 40);  // the structure by value
    CHECK(count(calls, "call") >= 1);
    CHECK(!calls.call_prototypes.empty());
    if (!name.ends_with("fast.ptx")) CHECK(count(find(module, "factorial"), "call") == 1);

    const Variable& weights = find_variable(module.variables, "weights");
    CHECK(weights.space == Space::constant);
    CHECK(weights.initial.size() == 32);
    CHECK(weights.initial[2] == 0x80);  // 1.0f
    const Variable& table = find_variable(module.variables, "table");
    CHECK(table.relocations.size() == 3);
    CHECK(find_variable(module.variables, "pool").size == 0);

    std::size_t located = 0;
    for (const Function& function : module.functions) {
      for (const Instruction& instruction : function.instructions) {
        const Location at = instruction.location;
        REQUIRE(at.file < module.files.size());
        located += at.line != 0 && module.files[at.file].ends_with("tour.cu");
      }
    }
    CHECK(located > 100);
  }
}

TEST_CASE("every form that is written by hand parses") {
  const Module module = parse(read("forms.ptx"));
  CHECK(module.target == "sm_90a");
  CHECK(module.files == std::vector<std::string>{"", "folder/forms.cu", "/other/forms.h"});
  CHECK(module.functions.size() == 6);
  const Function& forms = find(module, "forms");
  CHECK(forms.max_threads == 256);
  CHECK(forms.instructions.back().opcode == "exit");
  const std::string printed = print(module);
  CHECK(printed.find("vadd4.u32.s32.u32.sat %r1.b20, %r2.b7654, %r3, %r4;") != std::string::npos);
  CHECK(printed.find("vmad.s32.u32.u32.shr7 %r1, -%r2.h1, %r3.b0, -%r4;") != std::string::npos);
  CHECK(forms.variables.size() == 6);
  CHECK(forms.call_prototypes.size() == 1);
  CHECK(find_variable(module.variables, "managed").is_managed);
  CHECK(find_variable(module.variables, "packed").relocations.size() == 1);
  CHECK(find_variable(module.variables, "computed").initial == std::vector<std::uint8_t>{72, 0, 0, 0});
  CHECK(find_variable(module.variables, "partial").initial.size() == 65536);
}

TEST_CASE("every line of the source that holds a barrier is found at one") {
  // Line numbers of __syncthreads() in tour.cu.
  std::vector<std::uint32_t> expected;
  std::istringstream source(read("tour.cu"));
  std::string line;
  for (std::uint32_t number = 1; std::getline(source, line); ++number) {
    if (line.find("__syncthreads();") != std::string::npos) expected.push_back(number);
  }
  REQUIRE(expected.size() >= 2);
  for (const char* name : {"tour.clang14-checked.ptx", "tour.clang16-debug.ptx"}) {
    INFO(name);
    const Module module = parse(read(name));
    std::vector<std::uint32_t> found;
    for (const Function& function : module.functions) {
      for (const Instruction& instruction : function.instructions) {
        if (instruction.opcode == "bar" || instruction.opcode == "barrier") found.push_back(instruction.location.line);
      }
    }
    std::sort(found.begin(), found.end());
    CHECK(found == expected);
  }
}
