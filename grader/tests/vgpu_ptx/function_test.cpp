// Functions and what stands in them: headers, registers, scopes, labels, tables, source places; and the module around.
#include "parsing.h"

using namespace cudalabs::vgpu::ptx;

namespace {

Function only_function(const std::string& text) {
  Module module = parse_module(text);
  REQUIRE(module.functions.size() == 1);
  return std::move(module.functions[0]);
}

std::string name_of_register(const Function& function, const Operand& operand) {
  return function.registers[as<RegisterRef>(operand).index].name;
}

}  // namespace

TEST_CASE("a module says its version and target") {
  const Module module = parse("// head\n.version 8.10\n.target sm_75, debug\n.address_size 64\n");
  CHECK(module.version_major == 8);
  CHECK(module.version_minor == 10);
  CHECK(module.target == "sm_75");
  CHECK(module.files == std::vector<std::string>{""});
  const auto why = [](const char* text) { return refusal([&] { parse(text); }); };
  CHECK(why("") == "the text has no .version");
  CHECK(why(".version 7.0") == "the text has no .target");
  CHECK(why(".version 7 .target sm_70") == "expected a version such as 7.0, found `7`");
  CHECK(why(".version 7e1 .target sm_70") == "expected a version such as 7.0, found `7e1`");
  CHECK(why(".version 77777.0 .target sm_70") == "expected a version such as 7.0, found `77777.0`");
  CHECK(why(".version 7.0 .target") == "expected a target, found the end of the text");
  CHECK(why(".version 7.0 .target sm_70 .address_size 32") == "only 64-bit addresses are supported");
  CHECK(why(".version 7.0 .target sm_70 hello") == "expected a directive, found `hello`");
  CHECK(why(".version 7.0 .target sm_70 .bogus") == "unexpected `.bogus` at module scope");
  CHECK(why("\x7f"
            "ELF") == "unexpected character `?`");
}

TEST_CASE("kernels and functions have parameters and results") {
  const Function kernel = only_function(
      ".visible .entry k(\n.param .u64 .ptr .global .align 8 k_param_0, .param .align 8 .b8 k_param_1[40],\n"
      ".param .f32 k_param_2)\n.maxntid 16, 8, 2\n.minnctapersm 2 .pragma \"abi\"; \n.maxnreg 32 { ret; }");
  CHECK(kernel.is_entry);
  CHECK(kernel.name == "k");
  CHECK_FALSE(kernel.is_declaration);
  REQUIRE(kernel.parameters.size() == 3);
  CHECK(kernel.parameters[0].alignment == 8);
  CHECK(kernel.parameters[0].size == 8);
  CHECK(kernel.parameters[1].size == 40);
  CHECK(kernel.parameters[1].alignment == 8);
  CHECK(kernel.parameters[2].type == Type::f32);
  CHECK(kernel.parameters[2].space == Space::param);
  CHECK(kernel.max_threads == 256);
  CHECK(kernel.instructions.size() == 1);

  const Function function = only_function(
      ".visible .func  (.param .align 4 .b8 func_retval0[12]) g(.reg .b32 %a, .param .b64 b)"
      " .noreturn { mov.b32 %a, 1; ld.param.b64 %a, [b]; st.param.b32 [func_retval0+4], %a; }");
  CHECK_FALSE(function.is_entry);
  REQUIRE(function.results.size() == 1);
  CHECK(function.results[0].size == 12);
  CHECK(function.parameters[0].space == Space::reg);
  CHECK(name_of_register(function, function.instructions[0].operands[0]) == "%a");
  CHECK(std::get<SymbolRef>(as<Address>(function.instructions[2].operands[0]).base).name == "func_retval0");

  CHECK(only_function(".entry k .reqntid 32 { }").max_threads == 32);
  CHECK_FALSE(only_function(".entry k { }").max_threads);
  const Function clustered = only_function(".entry k .explicitcluster .reqnctapercluster 2, 3 .maxclusterrank 12 { }");
  CHECK(clustered.explicit_cluster);
  CHECK(clustered.required_cluster == std::array<std::uint32_t, 3>{2, 3, 1});
  CHECK(clustered.most_cluster_blocks == 12);
  CHECK_FALSE(clustered.blocks_are_clusters);
  CHECK(only_function(".entry k .blocksareclusters { }").blocks_are_clusters);
  const Function plain = only_function(".entry k { }");
  CHECK_FALSE(plain.explicit_cluster);
  CHECK_FALSE(plain.required_cluster);
  CHECK_FALSE(plain.most_cluster_blocks);
  CHECK(only_function(".extern .func  (.param .b32 func_retval0) vprintf\n(\n.param .b64 a,\n.param .b64 b\n)\n;")
            .is_declaration);
  CHECK(only_function(".func .attribute(.unified(0xAB, 0xCD)) u() .abi_preserve 8;").is_declaration);
}

TEST_CASE("malformed functions are refused") {
  CHECK(module_refusal(".func f() .noreturn .fast { }") == "unexpected `.fast` before a function's body");
  CHECK(module_refusal(".func f() x { }") == "expected the function's body, found `x`");
  CHECK(module_refusal(".func (.param .b32 r f() { }") == "expected `)`, found `f`");
  CHECK(module_refusal(".func f(.global .b32 a) { }") == "expected `.param` or `.reg`, found `.global`");
  CHECK(module_refusal(".func f(.param .b32 a = 3) { }") != "accepted");
  CHECK(module_refusal(".func f(.param .b32 a, .param .b32 a) { }") == "`a` is declared twice");
  CHECK(module_refusal(".entry f() { ret;") == "expected an instruction, found the end of the text");
  CHECK(module_refusal(".entry f() { } }") == "expected a directive, found `}`");
  CHECK(module_refusal(".entry f() { } .entry f() { }") == "`f` is declared twice");
  CHECK(module_refusal(".entry f(); .func f() { }") == "`f` is declared twice");
  CHECK(module_refusal(".entry f() .maxntid 1, 2, 3, 4 { }") == "more than three dimensions");
  CHECK(module_refusal(".entry f() .maxntid 65536, 65536 { }") == "the number of threads is out of range");
  CHECK(module_refusal(".entry _() { }") == "`_` is a name of the language");
  CHECK(module_refusal(".entry f() { .bogus 3; }") == "unexpected `.bogus` in a function");
  CHECK(module_refusal(".entry f() { 3; }") == "expected an instruction, found `3`");
  CHECK(module_refusal(".func .attribute(f() { }") == "`(` without `)`");
}

TEST_CASE("a declaration is replaced by its definition, in its place") {
  const Module module = parse_module(
      ".func first(.param .b32 a); .entry second() { call first, (1); } .func first(.param .b32 a) { ret; } .func "
      "first(.param "
      ".b32 a); .func third() { }");
  REQUIRE(module.functions.size() == 3);
  CHECK(module.functions[0].name == "first");
  CHECK_FALSE(module.functions[0].is_declaration);
  CHECK(module.functions[0].instructions.size() == 1);
  CHECK(module.functions[2].name == "third");
}

TEST_CASE("an alias names a function that is declared") {
  const Module module = parse_module(".func f() { } .func g(); .alias g, f;");
  CHECK(module.aliases.at("g") == "f");
  CHECK(module_refusal(".func f() { } .alias g, f;") == "`g` is not a declared function");
  CHECK(module_refusal(".func g(); .alias g, f;") == "`f` is not a declared function");
  CHECK(module_refusal(".func f() { } .func g(); .alias g, f; .alias g, f;") == "`g` is an alias already");
}

TEST_CASE("registers of a range exist when they are mentioned") {
  const Function function = only_function(
      ".func f() { .reg .b32 %r<4000000000>; .reg .f32 %f1<3>, %f, %x<2>; .reg .v2 .f32 %v<2>; mov.b32 %r3999999999, "
      "%r0;"
      " mov.f32 %f12, %f; mov.b32 %r0, %r3999999999; mov.f32 %f, %v1.y; }");
  REQUIRE(function.registers.size() == 5);
  CHECK(function.registers[0].name == "%f");
  CHECK(function.registers[0].type == Type::f32);
  CHECK(function.registers[1].name == "%r3999999999");
  CHECK(function.registers[1].type == Type::b32);
  CHECK(function.registers[2].name == "%r0");
  CHECK(function.registers[3].name == "%f12");  // number 2 of %f1<3>
  CHECK(function.registers[4].vector_size == 2);
  CHECK(as<RegisterRef>(function.instructions[2].operands[0]).index == 2);

  const auto why = [](const std::string& body) { return module_refusal(".func f() { " + body + " }"); };
  CHECK(why(".reg .b32 %r<4>; mov.b32 %r4, 1;") == "`%r4` is not a declared register");
  CHECK(why(".reg .b32 %r<4>; mov.b32 %r, 1;") == "`%r` is not a declared register");
  CHECK(why(".reg .b32 %r<4>; .reg .b64 %r<8>;") == "registers `%r<...>` are declared twice");
  CHECK(why(".reg .b32 a; .reg .b32 a;") == "`a` is declared twice");
  CHECK(why(".reg .b32 %r<x>;") == "expected a number of registers, found `x`");
  CHECK(why(".reg .b32 %r<4;") == "expected `>`, found `;`");
  CHECK(why(".reg .b32 %tid;") == "`%tid` is a name of the language");
  CHECK(why(".reg .v2 .pred %p;") == "a predicate must be a register");
  CHECK(why(".reg .b32 %r<18446744073709551616>;") == "the number `18446744073709551616` does not fit 64 bits");
}

TEST_CASE("a range does not swallow a special register") {
  const Function function = only_function(".func f() { .reg .b64 %clock<100>; mov.u64 %clock1, %clock64; }");
  CHECK(as<SpecialRegister>(function.instructions[0].operands[1]).name == "%clock64");
  CHECK(name_of_register(function, function.instructions[0].operands[0]) == "%clock1");
}

TEST_CASE("scoped names are made unique and seen only in their scope") {
  const Function function = only_function(
      ".func f() { .reg .b32 %r<3>;\n"
      "{ .reg .b32 t; .param .b32 p; st.param.b32 [p+0], %r1; mov.b32 t, 1; }\n"
      "{ .reg .b64 t; .param .b64 p; st.param.b64 [p+0], t; { .reg .pred t; @t ret; } mov.b64 t, 2; }\n }");
  REQUIRE(function.variables.size() == 2);
  CHECK(function.variables[0].name == "p");
  CHECK(function.variables[1].name.starts_with("p@"));
  CHECK(function.variables[1].type == Type::b64);
  const auto base = [&](std::size_t i) {
    return std::get<SymbolRef>(as<Address>(function.instructions[i].operands[0]).base).name;
  };
  CHECK(base(0) == "p");
  CHECK(base(2) == function.variables[1].name);
  CHECK(function.registers[as<RegisterRef>(function.instructions[1].operands[0]).index].type == Type::b32);
  CHECK(function.registers[as<RegisterRef>(function.instructions[2].operands[1]).index].type == Type::b64);
  CHECK(function.registers[function.instructions[3].guard->predicate].type == Type::pred);
  CHECK(function.registers[as<RegisterRef>(function.instructions[4].operands[0]).index].type == Type::b64);

  CHECK(body_refusal("{ .reg .b32 inner; } mov.b32 inner, 1;") == "`inner` is not declared");
  CHECK(body_refusal("{ .param .b32 q; } st.param.b32 [q], 1;") == "`q` is not declared");
  CHECK(body_refusal("{ .param .b32 q; .param .b32 q; }") == "`q` is declared twice");
}

TEST_CASE("a register and a variable of two scopes do not share a name") {
  const Function function = only_function(".func f() { { .param .b32 p; } { .reg .b64 p; mov.b64 p, 1; } }");
  CHECK(function.variables[0].name == "p");
  CHECK(function.registers[0].name.starts_with("p@"));
}

TEST_CASE("a variable of the body that hides one of the module gets its own name") {
  const Module module = parse_module(".global .b32 x; .func f() { .reg .b32 r; .shared .b32 x; ld.b32 r, [x]; }");
  const Function& function = module.functions[0];
  CHECK(function.variables[0].name.starts_with("x@"));
  CHECK(std::get<SymbolRef>(as<Address>(function.instructions[0].operands[1]).base).name == function.variables[0].name);
}

TEST_CASE("labels are found forwards and backwards, innermost first") {
  const Function function = parse_body(
      "top: bra.uni end;\n"
      "{ @%p1 bra DONE; mov.u32 %r1, 1; DONE: mov.u32 %r2, 2; }\n"
      "{ @%p2 bra DONE; bra top; DONE: }\n"
      "end:");
  const auto target = [&](std::size_t i) {
    return function.labels.at(as<LabelRef>(function.instructions[i].operands[0]).name);
  };
  CHECK(target(0) == 6);  // one past the last instruction
  CHECK(target(1) == 3);
  CHECK(target(4) == 6);
  CHECK(target(5) == 0);
  CHECK(function.labels.size() == 4);
  CHECK(body_refusal("bra nowhere;") == "label `nowhere` is not declared in this function");
  CHECK(body_refusal("{ L: } bra L;") == "label `L` is not declared in this function");
  CHECK(body_refusal("L: L:") == "label `L` is declared twice");
  CHECK(body_refusal("bra %r1;") == "label `%r1` is not declared in this function");
  CHECK(body_refusal("bra 5;") == "expected a label, found `5`");
  CHECK(body_refusal("bra;") == "expected a label, found `;`");
}

TEST_CASE("brx.idx goes through a table of labels") {
  const Function function =
      parse_body("$L_brx_0: .branchtargets\n\tA,\n\tB,\n\tA;\n brx.idx.uni %r1, $L_brx_0; A: mov.u32 %r1, 1; B: ret;");
  REQUIRE(function.instructions.size() == 3);
  CHECK(function.instructions[0].suffixes == std::vector<std::string>{"idx", "uni"});
  const auto& targets = function.branch_targets.at(as<LabelRef>(function.instructions[0].operands[1]).name);
  REQUIRE(targets.size() == 3);
  CHECK(function.labels.at(targets[0]) == 1);
  CHECK(function.labels.at(targets[1]) == 2);
  CHECK(targets[2] == targets[0]);
  CHECK(body_refusal("t: .branchtargets X; ") == "label `X` is not declared in this function");
  CHECK(body_refusal("brx.idx %r1, A; A:") == "`A` is not a .branchtargets table");
  CHECK(body_refusal("bra t; t: .branchtargets A; A:") == "`t` is not a label of an instruction");
  CHECK(body_refusal("u: .branchtargets t; t: .branchtargets A; A:") == "`t` is not a label of an instruction");
  CHECK(body_refusal("t: .branchtargets ;") == "expected a label, found `;`");
}

TEST_CASE("instructions carry the place of the last .loc") {
  const Module module = parse_module(
      ".file 2 \"b.cu\", 1700000000, 512\n.func f() { trap;\n.loc 1 7 3\ntrap; trap;\n"
      ".loc\t3 9 1, function_name $L__info_string0+4, inlined_at 1 8 5\ntrap;\n.loc 1 0 0\ntrap; }\n"
      ".func g() { trap; }\n.file 1 \"dir\" \"a.cu\"\n.file 3 \"/x\" \"/usr/include/c\\303\\244.h\"");
  CHECK(module.files == std::vector<std::string>{"", "dir/a.cu", "b.cu", "/usr/include/c\xC3\xA4.h"});
  const auto place = [&](std::size_t i) {
    const Location at = module.functions[0].instructions[i].location;
    return std::to_string(at.file) + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
  };
  CHECK(place(0) == "0:0:0");
  CHECK(place(1) == "1:7:3");
  CHECK(place(2) == "1:7:3");
  CHECK(place(3) == "1:8:5");  // inlined out of a library: the call
  CHECK(place(4) == "1:0:0");
  CHECK(module.functions[1].instructions[0].location.line == 0);  // another function's .loc does not reach it
}

TEST_CASE("malformed places are refused") {
  CHECK(module_refusal(".func f() { .loc 1 2 3 ret; }") == "no .file has the number 1");
  CHECK(module_refusal(".file 1 \"a\" .func f() { .loc 1 2 3, inlined_at 5 6 7 ret; }") == "no .file has the number 5");
  CHECK(module_refusal(".func f() { .loc 1 2 ret; }") == "expected the column, found `ret`");
  CHECK(module_refusal(".func f() { .loc 1 2 3, elsewhere ret; }") == "unexpected `elsewhere` in .loc");
  CHECK(module_refusal(".func f() { .loc 1 4294967296 3 ret; }") == "the line is out of range");
  CHECK(module_refusal(".func f() { .loc 65536 1 1 ret; }") == "the file's number is out of range");
  CHECK(module_refusal(".file 4000000000 \"a\"") == "the file's number is out of range (at most 65535)");
  CHECK(module_refusal(".file 1 a") == "expected a file's name, found `a`");
  CHECK(module_refusal(".file 1 \"a\", 2") == "expected `,`, found the end of the text");
}

TEST_CASE("debug sections and pragmas are passed over") {
  const Module module = parse_module(
      ".pragma \"nounroll\";\n.section .debug_abbrev\n{\n.b8 1,2\n.b32 .debug_info+131\n}\n.section .debug_loc { }\n"
      ".section .debug_str {\n$L__info_string0:\n.b8 95,90,0 // }\n}\n.func f() { .pragma \"a\", \"b\"; ; ret; }");
  CHECK(module.functions.size() == 1);
  CHECK(module_refusal(".section .debug_info { .b8 1") == "section without an end");
  CHECK(module_refusal(".section .debug_info .b8 1") == "expected `{`, found `.b8`");
  CHECK(module_refusal(".section { }") == "expected a section's name, found `{`");
  CHECK(module_refusal(".pragma nounroll;") == "expected a pragma in quotes, found `nounroll`");
}

TEST_CASE("variables in a body belong to the function") {
  const Function function = parse_body(
      ".local .align 16 .b8 __local_depot0[48]; .extern .shared .align 4 .b8 pool[]; .shared .f32 s[4][5];"
      " .global .u32 counter = 7; .const .u64 where = counter;");
  REQUIRE(function.variables.size() == 6);  // with the tile of parse_body
  CHECK(function.variables[1].space == Space::local);
  CHECK(function.variables[1].size == 48);
  CHECK(function.variables[2].is_extern);
  CHECK(function.variables[3].size == 80);
  CHECK(function.variables[4].initial.size() == 4);
  CHECK(function.variables[5].relocations.at(0).symbol == "counter");
  CHECK(body_refusal(".const .u64 where = stranger;") == "`stranger` is not declared");
  CHECK(body_refusal(".extern .loc 1 1 1;") == "unexpected `.loc` after `.extern`");
}

TEST_CASE("errors carry the line of the text") {
  std::uint32_t line = 0;
  refusal([] { parse(".version 7.0\n.target sm_70\n.func f()\n{\n/* a\nb */ mov.b32\n%r1, 2;\n}"); }, &line);
  CHECK(line == 7);
  refusal([] { parse(".version 7.0\n.target sm_70\n.func f()\n{\nbra\nL;\n}\n"); }, &line);
  CHECK(line == 6);
  refusal([] { parse(".version 7.0\n.target sm_70\n.func f()\n{\ncall g;\n}\n\n"); }, &line);
  CHECK(line == 5);
}
