// Every form of operand and of call, and what each becomes.
#include "parsing.h"

using namespace cudalabs::vgpu::ptx;

TEST_CASE("an instruction is its opcode, suffixes and operands") {
  const Function function = parse_body("\n@!%p2 ld.global.nc.L2::128B.v2.f32 {%f1, _},\n [%rd3+-8];");
  REQUIRE(function.instructions.size() == 1);
  const Instruction& load = function.instructions[0];
  CHECK(load.opcode == "ld");
  CHECK(load.suffixes == std::vector<std::string>{"global", "nc", "L2::128B", "v2", "f32"});
  CHECK(load.ptx_line == 4);
  REQUIRE(load.guard);
  CHECK(load.guard->negated);
  CHECK(function.registers[load.guard->predicate].name == "%p2");
  REQUIRE(load.operands.size() == 2);
  const VectorOperand& vector = as<VectorOperand>(load.operands[0]);
  REQUIRE(vector.elements.size() == 2);
  CHECK(function.registers[as<RegisterRef>(vector.elements[0]).index].name == "%f1");
  as<Discard>(vector.elements[1]);
  const Address& address = as<Address>(load.operands[1]);
  CHECK(function.registers[std::get<RegisterRef>(address.base).index].name == "%rd3");
  CHECK(address.offset == -8);
}

TEST_CASE("immediates are integers or floats with their bits") {
  CHECK(as<IntegerImmediate>(parse_one("mov.u32 %r1, 4294967295U;").operands[1]).bits == 0xFFFFFFFF);
  CHECK(as<IntegerImmediate>(parse_one("mov.s32 %r1, -1;").operands[1]).bits == ~std::uint64_t{0});
  CHECK(as<IntegerImmediate>(parse_one("add.s32 %r1, %r2, (1+2)*WARP_SZ;").operands[2]).bits == 96);
  CHECK(as<IntegerImmediate>(parse_one("mov.u32 %r1, WARP_SZ;").operands[1]).bits == 32);
  CHECK(as<IntegerImmediate>(parse_one("mov.u32 %r1, !0;").operands[1]).bits == 1);
  CHECK(as<IntegerImmediate>(parse_one("mov.u32 %r1, ~1;").operands[1]).bits == ~std::uint64_t{1});
  const FloatImmediate one = as<FloatImmediate>(parse_one("mov.f32 %f1, 0f3F800000;").operands[1]);
  CHECK(one.single);
  CHECK(one.value == 1.0);
  const FloatImmediate minus = as<FloatImmediate>(parse_one("mov.f32 %f1, -0f3F800000;").operands[1]);
  CHECK(minus.bits == 0xBF800000);
  CHECK(minus.value == -1.0);
  CHECK(as<FloatImmediate>(parse_one("mov.f32 %f1, -2.5;").operands[1]).value == -2.5);
}

TEST_CASE("operands of video instructions name their parts, and may be negative in a product") {
  const Instruction add = parse_one("vadd4.u32.u32.u32 %r1.b20, %r2.b7654, %r3, %r4;");
  CHECK(add.operands[0].selector.count == 2);
  CHECK_FALSE(add.operands[0].selector.half_words);
  CHECK(add.operands[0].selector.parts[0] == 2);
  CHECK(add.operands[0].selector.parts[1] == 0);
  CHECK(add.operands[1].selector.count == 4);
  CHECK(add.operands[2].selector.count == 0);
  const Instruction product = parse_one("vmad.s32.u32.u32 %r1, -%r2.h1, %r3, 5;");
  CHECK(product.operands[1].negated);
  CHECK(product.operands[1].selector.half_words);
  CHECK_FALSE(product.operands[2].negated);
  CHECK(body_refusal("vadd.u32.u32.u32 %r1, %r2.b8, %r3;") == "`%r2` has no part `.b8`");
  CHECK(body_refusal("vadd.u32.u32.u32 %r1, -%r2, %r3;") == "expected an integer, found `%r2`");
}

TEST_CASE("only a predicate is negated by an exclamation mark") {
  const Instruction compare = parse_one("setp.eq.and.s32 %p1, %r1, 0, !%p2;");
  CHECK(compare.operands[3].negated);
  CHECK(body_refusal("mov.b32 %r1, !%r2;") == "`%r2` is not a predicate: only a predicate can stand after `!`");
  CHECK(body_refusal("mov.b32 %r1, !nowhere;") == "`nowhere` is not a declared register");
}

TEST_CASE("special registers have components only where they are vectors") {
  const SpecialRegister tid = as<SpecialRegister>(parse_one("mov.u32 %r1, %tid.y;").operands[1]);
  CHECK(tid.name == "%tid");
  CHECK(tid.component == 'y');
  for (const char* name : {"%laneid", "%warpid", "%nwarpid", "%smid", "%nsmid", "%gridid", "%lanemask_lt", "%clock",
                           "%clock_hi", "%clock64", "%globaltimer", "%globaltimer_lo", "%dynamic_smem_size",
                           "%total_smem_size", "%envreg31", "%pm7", "%pm0_64", "%tid", "%cluster_ctarank"}) {
    INFO(name);
    const Instruction move = parse_one("mov.u32 %r1, " + std::string(name) + ";");
    CHECK(as<SpecialRegister>(move.operands[1]).name == name);
    CHECK(as<SpecialRegister>(move.operands[1]).component == 0);
  }
  CHECK(body_refusal("mov.u32 %r1, %laneid.x;") == "`%laneid` has no component `.x`");
  CHECK(body_refusal("mov.u32 %r1, %tid.q;") == "`%tid` has no component `.q`");
  CHECK(body_refusal("mov.u32 %r1, %envreg32;") == "`%envreg32` is not a declared register");
  CHECK(body_refusal("mov.u32 %r1, %pm8;") == "`%pm8` is not a declared register");
}

TEST_CASE("vector registers have components by position or colour") {
  const Instruction move = parse_one("mov.f32 %v.w, %v.r;");
  CHECK(move.operands[0].component == 'w');
  CHECK(move.operands[1].component == 'x');
  CHECK_FALSE(parse_one("mov.v4.f32 %v, {%f1,%f2,%f3,%f4};").operands[0].component);
  CHECK(body_refusal("mov.f32 %f1.x, %f2;") == "`%f1` has no component `.x`");
  CHECK(body_refusal("mov.f32 %v.xy, %f2;") == "`%v` has no component `.xy`");
}

TEST_CASE("predicates come negated and in pairs") {
  const Function function = parse_body(
      "setp.lt.and.s32 %p1|%p2, %r1, %r2, !%p3; setp.eq.s32 %p1|_, %r1, 0;"
      "setp.eq.s32 _|%p4, %r1, 0; shfl.sync.down.b32 %r5|%p1, %r6, 1, 31, -1;"
      "elect.sync _|%p5, -1;");
  const auto name = [&](std::uint32_t index) { return function.registers[index].name; };
  const auto& code = function.instructions;
  CHECK(name(as<PredicatePair>(code[0].operands[0]).first) == "%p1");
  CHECK(name(*as<PredicatePair>(code[0].operands[0]).second) == "%p2");
  CHECK(code[0].operands[3].negated);
  CHECK(name(as<RegisterRef>(code[0].operands[3]).index) == "%p3");
  CHECK_FALSE(as<PredicatePair>(code[1].operands[0]).second);
  const PredicatePair discarded = as<PredicatePair>(code[2].operands[0]);
  CHECK(name(discarded.first) == "_");
  CHECK(function.registers[discarded.first].type == Type::pred);
  CHECK(name(*discarded.second) == "%p4");
  CHECK(name(as<PredicatePair>(code[3].operands[0]).first) == "%r5");
  const PredicatePair elected = as<PredicatePair>(code[4].operands[0]);
  CHECK(function.registers[elected.first].type == Type::b32);
  CHECK(elected.first != discarded.first);
  CHECK(body_refusal("setp.eq.s32 %p1|7, %r1, 0;") == "expected a predicate, found `7`");
  CHECK(body_refusal("add.s32 %r1, %r2, !7.5;") != "accepted");
}

TEST_CASE("guards must be predicates") {
  CHECK(body_refusal("@%r1 bra L; L:") == "the guard `%r1` is not a predicate");
  CHECK(body_refusal("@%q1 ret;") == "`%q1` is not a declared register");
  CHECK(body_refusal("@7 ret;") == "expected a predicate, found `7`");
  CHECK(body_refusal("@%p1 { ret; }") == "expected an instruction, found `{`");
}

TEST_CASE("addresses have a register, a symbol or nothing as their base") {
  const auto address = [](const std::string& text) {
    return as<Address>(parse_one("ld.b32 %r1, " + text + ";").operands[1]);
  };
  CHECK(std::get<SymbolRef>(address("[tile+12]").base).name == "tile");
  CHECK(address("[tile+12]").offset == 12);
  CHECK(std::get<SymbolRef>(address("[word]").base).name == "word");
  CHECK(std::holds_alternative<std::monostate>(address("[0x40]").base));
  CHECK(address("[0x40]").offset == 64);
  CHECK(address("[-1]").offset == -1);
  CHECK(body_refusal("ld.b32 %r1, [];") == "expected an address, found `]`");
  CHECK(body_refusal("ld.b32 %r1, [%rd1;") == "expected `]`, found `;`");
  CHECK(body_refusal("ld.b32 %r1, [%rd1+%r2];") == "expected an integer, found `%r2`");
  CHECK(body_refusal("ld.b32 %r1, [%rd99];") == "`%rd99` is not a declared register");
  CHECK(body_refusal("ld.b32 %r1, [nothing];") == "`nothing` is not declared");
}

TEST_CASE("a texture's coordinates follow its address") {
  const Instruction fetch = parse_one("tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5,%f6}];");
  REQUIRE(fetch.operands.size() == 3);
  as<Address>(fetch.operands[1]);
  CHECK(as<VectorOperand>(fetch.operands[2]).elements.size() == 2);
  CHECK(body_refusal("tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, [%rd2]];") == "expected a coordinate, found `[`");
}

TEST_CASE("symbols are values with an offset") {
  const SymbolRef reference = as<SymbolRef>(parse_one("mov.u64 %rd1, word+8;").operands[1]);
  CHECK(reference.name == "word");
  CHECK(reference.offset == 8);
  CHECK(as<SymbolRef>(parse_one("mov.u64 %rd1, callee;").operands[1]).name == "callee");
  CHECK(as<SymbolRef>(parse_one("mov.u64 %rd1, tile-4;").operands[1]).offset == -4);
  CHECK(body_refusal("mov.u64 %rd1, unknown;") == "`unknown` is not declared");
}

TEST_CASE("a call has results, target and arguments, whatever is left out") {
  const auto call = [](const std::string& text) { return parse_body(text).instructions.at(0).operands; };
  auto operands = call("call callee;");
  REQUIRE(operands.size() == 3);
  CHECK(as<ListOperand>(operands[0]).elements.empty());
  CHECK(as<SymbolRef>(operands[1]).name == "callee");
  CHECK(as<ListOperand>(operands[2]).elements.empty());

  operands = call("call.uni (%r1), callee, (%r2, 7, tile, _);");
  REQUIRE(operands.size() == 3);
  CHECK(as<ListOperand>(operands[0]).elements.size() == 1);
  CHECK(as<ListOperand>(operands[2]).elements.size() == 4);
  CHECK(as<SymbolRef>(as<ListOperand>(operands[2]).elements[2]).name == "tile");

  operands = call("call (%r1), callee;");
  CHECK(as<ListOperand>(operands[0]).elements.size() == 1);
  CHECK(as<ListOperand>(operands[2]).elements.empty());

  operands = call("call (), callee, ();");
  CHECK(as<ListOperand>(operands[0]).elements.empty());

  CHECK(body_refusal("call (%r1) callee;") == "expected `,`, found `callee`");
  CHECK(body_refusal("call;") == "expected a function, found `;`");
  CHECK(body_refusal("call stranger;") == "`stranger` is not declared");
  CHECK(body_refusal("call callee, (%r1;") == "expected `)`, found `;`");
  CHECK(body_refusal("call callee, ({%r1});") == "expected an operand, found `{`");
}

TEST_CASE("an indirect call names a prototype, a list of targets or a table") {
  const Function function = parse_body(
      "{ .param .b32 retval0; prototype_0 : .callprototype (.param .b32 _) _ (.param .b64 _, .param .align 8 .b8 "
      "_[16]) ;\n"
      "call (retval0), %rd1, (%r1), prototype_0; }\n"
      "targets: .calltargets callee, f;\n call %rd2, targets; call %rd3, (%r1), word;");
  REQUIRE(function.instructions.size() == 3);
  const auto& first = function.instructions[0].operands;
  REQUIRE(first.size() == 4);
  CHECK(function.registers[as<RegisterRef>(first[1]).index].name == "%rd1");
  const CallPrototype& prototype = function.call_prototypes.at(as<LabelRef>(first[3]).name);
  REQUIRE(prototype.results.size() == 1);
  CHECK(prototype.results[0].type == Type::b32);
  REQUIRE(prototype.parameters.size() == 2);
  CHECK(prototype.parameters[1].size == 16);
  CHECK(prototype.parameters[1].alignment == 8);
  const auto& second = function.instructions[1].operands;
  CHECK(function.call_targets.at(as<LabelRef>(second[3]).name) == std::vector<std::string>{"callee", "f"});
  CHECK(as<SymbolRef>(function.instructions[2].operands[3]).name == "word");

  CHECK(body_refusal("call %rd1, (), nowhere;") == "label `nowhere` is not declared in this function");
  CHECK(body_refusal("call %rd1, (), L; L:") == "`L` is not a .callprototype or .calltargets");
  CHECK(body_refusal("t: .calltargets stranger;") == "`stranger` is not declared");
}

TEST_CASE("operands that mean nothing are refused") {
  CHECK(body_refusal("add.s32 %r1, %r2") == "expected `;`, found `}`");
  CHECK(body_refusal("add.s32 %r1,, %r2;") == "expected an operand, found `,`");
  CHECK(body_refusal("add.s32 %r1, %r2,;") == "expected an operand, found `;`");
  CHECK(body_refusal("add.s32 %r1 %r2;") == "expected `;`, found `%r2`");
  CHECK(body_refusal("mov.b64 {%r1, {%r2}}, %rd1;") == "expected an operand, found `{`");
  CHECK(body_refusal("mov.b64 {}, %rd1;") == "expected an operand, found `}`");
  CHECK(body_refusal("mov.b32 %r1, .u32;") == "expected an operand, found `.u32`");
  CHECK(body_refusal("mov.b32 %r9, 1;") == "`%r9` is not a declared register");  // %r<9> ends at %r8
  CHECK(body_refusal("mov.b32 %r01, 1;") == "`%r01` is not a declared register");
}
