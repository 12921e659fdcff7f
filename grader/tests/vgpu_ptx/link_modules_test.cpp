// Names of several modules become those of one: which are shared, which are kept apart, and what contradicts.
#include "vgpu/ptx/link_modules.h"

#include <algorithm>
#include <string>
#include <vector>

#include "catch.h"

using namespace cudalabs::vgpu::ptx;

namespace {

const std::string kHead = ".version 9.0\n.target sm_80\n.address_size 64\n";  // three lines

struct Linked {
  Module module;
  VariableTypes types;

  const Variable& variable(const std::string& name) const {
    const auto found = std::ranges::find(module.variables, name, &Variable::name);
    REQUIRE(found != module.variables.end());
    return *found;
  }
  const Function& function(const std::string& name) const {
    const auto found = std::ranges::find(module.functions, name, &Function::name);
    REQUIRE(found != module.functions.end());
    return *found;
  }
  bool has(const std::string& name) const {
    return std::ranges::find(module.variables, name, &Variable::name) != module.variables.end() ||
           std::ranges::find(module.functions, name, &Function::name) != module.functions.end();
  }
  /// What the function's first call calls.
  std::string callee(const std::string& name) const {
    for (const Instruction& instruction : function(name).instructions) {
      if (instruction.code == Opcode::call) return std::get<SymbolRef>(instruction.operands.at(1).value).name;
    }
    return "nothing";
  }
  /// The symbol in the address of its first load.
  std::string loads(const std::string& name) const {
    for (const Instruction& instruction : function(name).instructions) {
      if (instruction.code != Opcode::ld) continue;
      return std::get<SymbolRef>(std::get<Address>(instruction.operands.at(1).value).base).name;
    }
    return "nothing";
  }
};

Linked link(std::vector<std::string> texts) {
  for (std::string& text : texts) text = kHead + text;
  std::vector<TypedModule> parts;
  for (const std::string& text : texts) parts.push_back({parse(text), variable_types(debug_entries(text))});
  TypedModule linked = link_modules(std::move(parts), texts);
  return {std::move(linked.module), std::move(linked.types)};
}

std::string contradiction(const std::vector<std::string>& texts) {
  try {
    link(texts);
  } catch (const LinkError& error) {
    return error.what();
  }
  return "none";
}

std::string function(const std::string& head, const std::string& body) {
  return head + "\n{\n  .reg .b32 %r<9>;\n  .reg .b64 %rd<9>;\n" + body + "\n  ret;\n}\n";
}

std::string calling(const std::string& head, const std::string& callee) {
  return function(head, "  call.uni " + callee + ", ();");
}

std::string loading(const std::string& head, const std::string& variable) {
  return function(head, "  ld.global.u32 %r1, [" + variable + "];");
}

}  // namespace

TEST_CASE("one module stays as it is") {
  const Linked linked = link({".file 3 \"a.cu\"\n.global .u32 own = 7;\n" + loading(".visible .entry k()", "own")});
  CHECK(linked.module.files.size() == 4);
  CHECK(linked.loads("k") == "own");
  CHECK(linked.function("k").ptx_line == 6);
}

TEST_CASE("declarations get the definition of another module, before and after them") {
  const std::string uses = ".extern .global .u32 shared_one;\n.extern .func helper();\n" +
                           loading(".visible .entry loads()", "shared_one") +
                           calling(".visible .entry calls()", "helper");
  const std::string defines = ".visible .global .u32 shared_one = 7;\n" + function(".visible .func helper()", "");
  for (const auto& texts : {std::vector{uses, defines}, std::vector{defines, uses}}) {
    const Linked linked = link(texts);
    CHECK(linked.module.variables.size() == 1);
    CHECK_FALSE(linked.variable("shared_one").is_extern);
    CHECK(linked.variable("shared_one").initial == std::vector<std::uint8_t>{7, 0, 0, 0});
    CHECK(linked.module.functions.size() == 3);
    CHECK_FALSE(linked.function("helper").is_declaration);
  }
}

TEST_CASE("what no module defines stays a declaration") {
  const Linked linked =
      link({".extern .global .u32 missing;\n.extern .func nowhere();\n", ".extern .func nowhere();\n"});
  CHECK(linked.variable("missing").is_extern);
  CHECK(linked.function("nowhere").is_declaration);
  CHECK(linked.module.functions.size() == 1);
}

TEST_CASE("equal names that each module has for itself are kept apart") {
  const auto text = [](const std::string& kernel, const std::string& value) {
    return ".global .align 1 .b8 $str[1] = {" + value + "};\n.global .u64 table = helper;\n" +
           loading(".func helper()", "$str") + calling(".visible .entry " + kernel + "()", "helper");
  };
  // `table` refers to a function that is declared behind it, which needs its declaration.
  const Linked linked = link({".func helper();\n" + text("one", "1"), ".func helper();\n" + text("two", "2")});
  CHECK(linked.module.variables.size() == 4);
  CHECK(linked.module.functions.size() == 4);
  const std::string other = linked.callee("two");
  CHECK(linked.callee("one") == "helper");
  CHECK(other != "helper");
  CHECK(name_in_text(other) == "helper");
  CHECK(linked.variable(linked.loads("helper")).initial[0] == 1);
  CHECK(linked.variable(linked.loads(other)).initial[0] == 2);
  CHECK(linked.variable("table").relocations.at(0).symbol == "helper");
  const auto table = std::ranges::find_if(linked.module.variables, [](const Variable& variable) {
    return name_in_text(variable.name) == "table" && variable.name != "table";
  });
  REQUIRE(table != linked.module.variables.end());
  CHECK(table->relocations.at(0).symbol == other);
}

TEST_CASE("a module's own name gives way to one that modules share, wherever it stands") {
  const std::string own = loading(".func f()", "v") + calling(".visible .entry of_own()", "f");
  const std::string common = loading(".visible .func f()", "v") + calling(".visible .entry of_common()", "f");
  const std::string own_text = ".global .u32 v = 1;\n" + own, common_text = ".visible .global .u32 v = 2;\n" + common;
  for (const auto& texts : {std::vector{own_text, common_text}, std::vector{common_text, own_text}}) {
    const Linked linked = link(texts);
    CHECK(linked.callee("of_common") == "f");
    CHECK(linked.loads("f") == "v");
    CHECK(linked.variable("v").initial[0] == 2);
    CHECK(linked.callee("of_own") != "f");
    CHECK(linked.variable(linked.loads(linked.callee("of_own"))).initial[0] == 1);
  }
  // A name that is only declared elsewhere counts as shared, too: it may be a builtin function.
  const Linked linked = link({function(".func g()", "") + calling(".visible .entry k()", "g"),
                              ".extern .func g();\n" + calling(".visible .entry l()", "g")});
  CHECK(linked.callee("k") != "g");
  CHECK(linked.callee("l") == "g");
  CHECK(linked.function("g").is_declaration);
}

TEST_CASE("names inside a function hide those of its module") {
  const std::string first = ".global .u32 x = 1;\n";
  const std::string second = function(".visible .entry k()", "  .local .u32 x;\n  ld.local.u32 %r1, [x];") +
                             ".global .u32 x = 2;\n" + loading(".visible .entry l()", "x");
  const Linked linked = link({first, second});
  CHECK(linked.loads("k") == "x");
  CHECK(linked.variable(linked.loads("l")).initial[0] == 2);
}

TEST_CASE("of weak definitions the first counts, and a visible one before them") {
  const auto weak = [](const std::string& value) {
    return ".weak .global .u32 v = " + value + ";\n" + function(".weak .func f()", "  mov.u32 %r1, " + value + ";") +
           loading(".weak .entry k()", "v");
  };
  const auto constant = [](const Linked& linked) {
    return std::get<IntegerImmediate>(linked.function("f").instructions.at(0).operands.at(1).value).bits;
  };
  const Linked first = link({weak("1"), weak("2")});
  CHECK(first.module.variables.size() == 1);
  CHECK(first.module.functions.size() == 2);
  CHECK(first.variable("v").initial[0] == 1);
  CHECK(constant(first) == 1);
  const std::string visible = ".visible .global .u32 v = 3;\n" + function(".visible .func f()", "  mov.u32 %r1, 3;");
  for (const auto& texts : {std::vector{weak("1"), visible}, std::vector{visible, weak("1")}}) {
    const Linked linked = link(texts);
    CHECK(linked.variable("v").initial[0] == 3);
    CHECK(constant(linked) == 3);
  }
}

TEST_CASE("definitions that contradict each other are named") {
  CHECK(contradiction({".visible .global .u32 v;\n", ".visible .global .u32 v;\n"}) ==
        "`v` is defined in the device code of two files");
  const std::string f = function(".visible .func f()", "");
  CHECK(contradiction({f, f}) == "`f` is defined in the device code of two files");
  CHECK(contradiction({f, function(".visible .entry f()", "")}).find("kernel") != std::string::npos);
  CHECK(contradiction({f, ".visible .global .u32 f;\n"}).find("variable") != std::string::npos);
  CHECK(contradiction({".visible .global .u32 f;\n", f}).find("variable") != std::string::npos);
}

TEST_CASE("memory whose size the launch gives is one for all modules") {
  const std::string narrow = ".extern .shared .align 4 .b8 tile[];\n", wide = ".extern .shared .align 16 .b8 tile[];\n";
  const Linked linked = link({narrow, wide});
  CHECK(linked.module.variables.size() == 1);
  CHECK(linked.variable("tile").alignment == 16);
  CHECK(linked.variable("tile").size == 0);
}

TEST_CASE("shared variables inside of functions with equal names are kept apart") {
  const auto text = [](const std::string& name) {
    return function(".visible .func " + name + "()", "  .shared .u32 tile;\n  ld.shared.u32 %r1, [tile];");
  };
  const Linked linked = link({text("f"), text("g")});
  const std::string other = linked.loads("g");
  CHECK(linked.loads("f") == "tile");
  CHECK(other != "tile");
  CHECK(linked.function("g").variables.at(0).name == other);
}

TEST_CASE("source files and lines of the text stay those of the module") {
  const std::string first =
      ".file 1 \"a.cu\"\n.file 2 \"both.h\"\n" +
      function(".visible .entry k()", "  .loc 1 5 1\n  mov.u32 %r1, 1;\n  .loc 2 6 1\n  mov.u32 %r1, 2;");
  const std::string second =
      ".file 1 \"both.h\"\n.file 2 \"b.cu\"\n" +
      function(".visible .entry l()", "  .loc 2 7 1\n  mov.u32 %r1, 1;\n  .loc 1 8 1\n  mov.u32 %r1, 2;");
  const Linked linked = link({first, second});
  const auto place = [&](const std::string& name, std::size_t at) {
    const Location location = linked.function(name).instructions.at(at).location;
    return linked.module.files.at(location.file) + ":" + std::to_string(location.line);
  };
  CHECK(place("k", 0) == "a.cu:5");
  CHECK(place("k", 1) == "both.h:6");
  CHECK(place("l", 0) == "b.cu:7");
  CHECK(place("l", 1) == "both.h:8");
  CHECK(linked.module.files.size() == 4);
  const std::vector<std::string> texts{kHead + first, kHead + second};
  CHECK(first_lines(texts) == std::vector<std::uint32_t>{1, 17});
  CHECK(linked.function("l").ptx_line == linked.function("k").ptx_line + 16);
  CHECK(refusal_of(texts, 11, "bad", Defect::not_executed).where == cudalabs::SourcePlace{"a.cu", 5, 1});
  CHECK(refusal_of(texts, 16 + 11, "bad", Defect::not_executed).where == cudalabs::SourcePlace{"b.cu", 7, 1});
  CHECK_FALSE(refusal_of(texts, 0, "bad", Defect::not_executed).where.known());
}

TEST_CASE("what is inlined keeps its calls, and their files") {
  const auto text = [](const std::string& file, const std::string& kernel) {
    return ".file 1 \"" + file + "\"\n.file 2 \"both.h\"\n" +
           function(".visible .entry " + kernel + "()",
                    "  .loc 1 5 1\n  .loc 2 6 1, function_name x, inlined_at 1 5 1\n"
                    "  .loc 2 7 1, function_name y, inlined_at 2 6 1\n  mov.u32 %r1, 1;");
  };
  const Linked linked = link({text("a.cu", "k"), text("b.cu", "l")});
  const auto calls = [&](const std::string& name) {
    std::vector<std::string> places;
    const auto& all = linked.module.calls;
    for (std::uint32_t call = linked.function(name).instructions.at(0).call; call != 0; call = all.at(call).caller)
      places.push_back(linked.module.files.at(all.at(call).at.file) + ":" + std::to_string(all.at(call).at.line));
    return places;
  };
  CHECK(calls("k") == std::vector<std::string>{"both.h:6", "a.cu:5"});
  CHECK(calls("l") == std::vector<std::string>{"both.h:6", "b.cu:5"});
}

TEST_CASE("aliases stand for the functions of their modules") {
  const auto text = [](const std::string& alias, const std::string& kernel) {
    return function(".func target()", "") + ".visible .func " + alias + "();\n.alias " + alias + ", target;\n" +
           calling(".visible .entry " + kernel + "()", alias);
  };
  const Linked linked = link({text("one", "k"), text("two", "l")});
  CHECK(linked.module.aliases.at("one") == "target");
  CHECK(linked.module.aliases.at("two") != "target");
  CHECK(linked.has(linked.module.aliases.at("two")));
}
