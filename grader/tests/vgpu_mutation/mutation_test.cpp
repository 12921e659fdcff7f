// Which changes are made of which instructions, in which order, and what becomes of the module.
#include "vgpu/mutation/mutation.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "vgpu/mutation/function_values.h"

using namespace cudalabs::vgpu;

namespace {

ptx::Module kernel_of(const std::string& body) {
  return ptx::parse(R"(.version 7.7
.target sm_80
.address_size 64
.file 1 "own.cu"
.file 2 "other.cuh"
.visible .entry k(.param .u64 in, .param .u32 m, .param .u32 n, .param .f32 scale)
{
.reg .pred %p<9>;
.reg .b32 %r<30>;
.reg .f32 %f<30>;
.reg .b64 %d<30>;
  .loc 1 1 1
  ld.param.u64 %d1, [in];
  ld.param.u32 %r1, [m];
  ld.param.u32 %r2, [n];
  .loc 1 5 1
)" + body + "  ret;\n}\n");
}

constexpr std::size_t kMost = 1000;

std::vector<Mutation> all_of(const ptx::Module& module) {
  return mutations_of(
      module, [](const ptx::Location& place) { return place.file == 1; }, kMost);
}

using Words = std::set<std::pair<std::string, std::string>>;

/// What takes the place of what, of one kind.
Words words_of(const ptx::Module& module, MutationKind kind) {
  Words words;
  for (const Mutation& mutation : all_of(module)) {
    if (mutation.kind == kind) words.emplace(mutation.original, mutation.replacement);
  }
  return words;
}

std::size_t count(const ptx::Module& module, MutationKind kind) {
  const auto mutations = all_of(module);
  return static_cast<std::size_t>(std::ranges::count(mutations, kind, &Mutation::kind));
}

}  // namespace

TEST_CASE("a comparison gets the relations that it is mistaken for") {
  CHECK(words_of(kernel_of("setp.lt.s32 %p1, %r1, %r2;\n"), MutationKind::comparison) ==
        Words{{"lt", "le"}, {"lt", "gt"}});
  CHECK(words_of(kernel_of("setp.lt.s32 %p1, %r1, %r2;\n"), MutationKind::condition) == Words{{"lt", "ge"}});
  CHECK(words_of(kernel_of("setp.eq.s32 %p1, %r1, %r2;\n"), MutationKind::condition) == Words{{"eq", "ne"}});
}

TEST_CASE("a comparison of whole numbers is true or false whatever it compares") {
  CHECK(words_of(kernel_of("setp.lt.s32 %p1, %r1, %r2;\n"), MutationKind::outcome) ==
        Words{{"lt", "true"}, {"lt", "false"}});
  CHECK(words_of(kernel_of("setp.lt.f32 %p1, %f1, %f2;\n"), MutationKind::outcome).empty());
  const ptx::Module module = kernel_of("setp.lt.s32 %p1, %r1, %r2;\n");
  const auto mutations = all_of(module);
  const auto outcome = std::ranges::find(mutations, MutationKind::outcome, &Mutation::kind);
  REQUIRE(outcome != mutations.end());
  const ptx::Instruction& mutant = outcome->changes.front().mutant;
  CHECK(mutant.suffixes == std::vector<std::string>{"eq", "s32"});
  CHECK(std::get<ptx::RegisterRef>(mutant.operands[1].value).index ==
        std::get<ptx::RegisterRef>(mutant.operands[2].value).index);
}

TEST_CASE("a guarded branch and a choice are turned round, an unguarded branch is not") {
  const ptx::Module module = kernel_of("@%p1 bra L;\n bra.uni L;\nL:\n selp.b32 %r3, %r1, %r2, %p1;\n");
  REQUIRE(count(module, MutationKind::condition) == 2);
  const auto mutations = all_of(module);
  const auto branch = std::ranges::find(mutations, MutationKind::condition, &Mutation::kind);
  ptx::Module mutant = module;
  apply(*branch, mutant);
  CHECK(mutant.functions[0].instructions[branch->changes.front().instruction].guard->negated);
}

TEST_CASE("whole numbers get their neighbours, small numbers, their double and their half") {
  const Words words = words_of(kernel_of("add.s32 %r3, %r1, 6;\n"), MutationKind::constant);
  CHECK(words == Words{{"6", "7"},
                       {"6", "5"},
                       {"6", "0"},
                       {"6", "1"},
                       {"6", "12"},
                       {"6", "3"},
                       {"6", "-6"},
                       {"6", "2"},
                       {"6", "24"}});
}

TEST_CASE("the number of a shift to the left is told as the factor that it stands for") {
  CHECK(words_of(kernel_of("shl.b32 %r3, %r1, 4;\n"), MutationKind::constant).contains({"16", "32"}));
}

TEST_CASE("numbers that are no operands of arithmetic stay") {
  CHECK(count(kernel_of("bar.sync 0;\n"), MutationKind::constant) == 0);
  CHECK(count(kernel_of("shfl.sync.down.b32 %r3, %r1, 1, 31, -1;\n"), MutationKind::constant) == 0);
}

TEST_CASE("numbers that stand for true and false stay") {
  CHECK(count(kernel_of(".reg .b16 %h<3>;\n setp.ne.s16 %p1, %h1, 0;\n"), MutationKind::constant) == 0);
  CHECK(count(kernel_of("selp.u32 %r3, 1, 0, %p1;\n"), MutationKind::constant) == 0);
  CHECK(count(kernel_of("selp.u32 %r3, 4, 0, %p1;\n"), MutationKind::constant) > 0);
}

TEST_CASE("floating-point numbers") {
  const Words words = words_of(kernel_of("mov.f32 %f1, 0f3F000000;\n"), MutationKind::constant);
  CHECK(words == Words{{"0.5", "0"}, {"0.5", "1"}, {"0.5", "-0.5"}, {"0.5", "0.25"}});
}

TEST_CASE("a thread's place is exchanged for the others") {
  const Words words = words_of(kernel_of("mov.u32 %r3, %tid.x;\n"), MutationKind::builtin);
  CHECK(words.size() == 7);
  CHECK(words.contains({"threadIdx.x", "threadIdx.y"}));
  CHECK(words.contains({"threadIdx.x", "blockIdx.x"}));
  CHECK(words_of(kernel_of("mov.u32 %r3, %laneid;\n"), MutationKind::builtin).empty());
}

TEST_CASE("an extent that is read once for several uses is changed in one of them") {
  const std::string read = "mov.u32 %r3, %ntid.y;\nmov.u32 %r4, %tid.y;\n.loc 1 6 1\nmul.lo.s32 %r5, %r4, %r3;\n";
  const ptx::Module module = kernel_of(read + ".loc 1 7 1\nmul.lo.s32 %r6, %r2, %r3;\n");
  std::vector<std::uint32_t> lines;
  for (const Mutation& mutation : all_of(module)) {
    if (mutation.kind != MutationKind::builtin || mutation.changes.front().before.empty()) continue;
    CHECK(mutation.original == "blockDim.y");
    CHECK(mutation.replacement == "blockDim.x");
    const InstructionChange& change = mutation.changes.front();
    lines.push_back(module.functions[0].instructions[change.instruction].location.line);
    ptx::Module changed = module;
    apply(mutation, changed);
    CHECK(changed.functions[0].instructions.size() == module.functions[0].instructions.size() + 1);
    CHECK(changed.functions[0].registers.size() == module.functions[0].registers.size() + 1);
  }
  CHECK(lines == std::vector<std::uint32_t>{6, 7});
  // With a single use there, the reading is what is changed.
  for (const Mutation& mutation : all_of(kernel_of(read))) {
    if (mutation.kind == MutationKind::builtin) CHECK(mutation.changes.front().before.empty());
  }
}

TEST_CASE("operations on the same operands, with the suffixes that they need") {
  const ptx::Module module = kernel_of("add.s32 %r3, %r1, %r2;\n");
  CHECK(words_of(module, MutationKind::operation) == Words{{"add", "sub"}, {"add", "mul"}});
  const auto mutations = all_of(module);
  const auto product = std::ranges::find(mutations, "mul", &Mutation::replacement);
  CHECK(product->changes.front().mutant.suffixes == std::vector<std::string>{"lo", "s32"});
  CHECK(product->changes.front().mutant.code == ptx::Opcode::mul);
  CHECK(words_of(kernel_of("cvt.rzi.s32.f32 %r3, %f1;\n"), MutationKind::operation) ==
        Words{{"rzi", "rni"}, {"rzi", "rmi"}, {"rzi", "rpi"}});
  CHECK(words_of(kernel_of("sub.rn.f32 %f1, %f2, %f3;\n"), MutationKind::operation) ==
        Words{{"sub", "add"}, {"sub", "sub"}});
  CHECK(words_of(kernel_of("mul.wide.s32 %d2, %r1, 4;\n"), MutationKind::operation).empty());
  CHECK(words_of(kernel_of("add.cc.u32 %r3, %r1, %r2;\n"), MutationKind::operation).empty());
}

TEST_CASE("a parameter gives its place to those of its type") {
  const ptx::Module module = kernel_of("");
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const Mutation& mutation : all_of(module)) {
    if (mutation.kind == MutationKind::parameter)
      pairs.emplace(*mutation.original_parameter, *mutation.replacement_parameter);
  }
  CHECK(pairs == std::set<std::pair<std::uint32_t, std::uint32_t>>{{1, 2}, {2, 1}});
}

TEST_CASE("a member of a structure that is a parameter is no parameter") {
  const ptx::Module module = ptx::parse(R"(.version 7.7
.target sm_80
.address_size 64
.visible .entry k(.param .align 8 .b8 matrix[16], .param .u32 n)
{
.reg .b32 %r<3>;
  ld.param.u32 %r1, [matrix];
  ld.param.u32 %r2, [n];
  ret;
}
)");
  const ptx::Function& kernel = module.functions[0];
  CHECK_FALSE(loaded_parameter(kernel.instructions[0], kernel));
  CHECK(loaded_parameter(kernel.instructions[1], kernel) == 1u);
}

TEST_CASE("a value gives its place to variables of its type, computed before it") {
  const ptx::Module module = kernel_of(R"(
  .loc 1 6 1
  add.s32 %r3, %r1, %r2;
  add.f32 %f1, %f1, %f1;
  .loc 1 7 1
  mul.lo.s32 %r4, %r3, %r1;
  st.global.u32 [%d1], %r4;
)");
  const auto mutations = all_of(module);
  const auto in_product = [&](const Mutation& mutation) {
    return mutation.kind == MutationKind::value && mutation.changes.front().mutant.code == ptx::Opcode::mul &&
           mutation.original_place.line == 6;
  };
  std::set<std::string> numbers;
  std::set<std::uint32_t> parameters;
  for (const Mutation& mutation : mutations) {
    if (!in_product(mutation)) continue;
    if (mutation.replacement_parameter) parameters.insert(*mutation.replacement_parameter);
    if (!mutation.replacement.empty()) numbers.insert(mutation.replacement);
  }
  CHECK(parameters == std::set<std::uint32_t>{1, 2});
  CHECK(numbers == std::set<std::string>{"0", "1"});
}

TEST_CASE("a factor is computed before the instruction, and labels move with it") {
  const ptx::Module module = kernel_of("L1:\n add.s32 %r3, %r1, 1;\nL2:\n setp.lt.s32 %p1, %r3, %r2;\n @%p1 bra L1;\n");
  const auto mutations = all_of(module);
  const auto by_blocks = std::ranges::find_if(mutations, [](const Mutation& mutation) {
    return mutation.kind == MutationKind::factor && mutation.replacement == "gridDim.x" &&
           mutation.changes.front().mutant.code == ptx::Opcode::add;
  });
  REQUIRE(by_blocks != mutations.end());
  CHECK(by_blocks->original_parameter == 1u);
  ptx::Module mutant = module;
  apply(*by_blocks, mutant);
  const ptx::Function &before = module.functions[0], &after = mutant.functions[0];
  REQUIRE(after.instructions.size() == before.instructions.size() + 2);
  CHECK(after.registers.size() == before.registers.size() + 2);
  CHECK(after.instructions[by_blocks->changes.front().instruction].code == ptx::Opcode::mov);
  CHECK(after.instructions[by_blocks->changes.front().instruction + 1].code == ptx::Opcode::mul);
  CHECK(after.instructions[by_blocks->changes.front().instruction + 2].code == ptx::Opcode::add);
  CHECK(after.labels.at("L1") == before.labels.at("L1"));
  CHECK(after.labels.at("L2") == before.labels.at("L2") + 2);
}

TEST_CASE("what is made of one place of a template is changed in all its functions at once") {
  std::string text = R"(.version 7.7
.target sm_80
.address_size 64
.file 1 "own.cu"
)";
  for (const char* name : {"f_int", "f_float"}) {
    text += std::string(".visible .entry ") + name + R"((.param .u32 n)
{
.reg .pred %p<3>;
.reg .b32 %r<3>;
  .loc 1 3 7
  setp.gt.s32 %p1, %r1, 1;
  setp.gt.s32 %p2, %r2, 1;
  ret;
}
)";
  }
  const ptx::Module module = ptx::parse(text);
  std::vector<Mutation> equal = all_of(module);
  std::erase_if(equal, [](const Mutation& mutation) { return mutation.replacement != "ge"; });
  REQUIRE(equal.size() == 3);  // both copies within a function, the first, the second
  ptx::Module mutant = module;
  apply(equal[0], mutant);
  for (const ptx::Function& function : mutant.functions) {
    CHECK(function.instructions[0].suffixes.front() == "ge");
    CHECK(function.instructions[1].suffixes.front() == "ge");
  }
  mutant = module;
  apply(equal[2], mutant);
  for (const ptx::Function& function : mutant.functions) {
    CHECK(function.instructions[0].suffixes.front() == "gt");
    CHECK(function.instructions[1].suffixes.front() == "ge");
  }
}

TEST_CASE("copies that need instructions before them get theirs") {
  const ptx::Module module = kernel_of(".loc 1 6 3\n add.s32 %r3, %r1, 1;\n add.s32 %r4, %r2, 1;\nL:\n");
  std::vector<Mutation> doubled = all_of(module);
  std::erase_if(doubled, [](const Mutation& mutation) {
    return mutation.kind != MutationKind::factor || mutation.replacement != "2" || mutation.changes.size() != 1;
  });
  REQUIRE(doubled.size() == 2);  // of two parameters: no copies
  ptx::Module mutant = module;
  Mutation both = doubled[0];
  both.changes.push_back(doubled[1].changes.front());
  apply(both, mutant);
  const std::vector<ptx::Instruction>& code = mutant.functions[0].instructions;
  const std::uint32_t first = both.changes.front().instruction;
  CHECK(code[first].code == ptx::Opcode::mul);
  CHECK(code[first + 1].code == ptx::Opcode::add);
  CHECK(code[first + 2].code == ptx::Opcode::mul);
  CHECK(code[first + 3].code == ptx::Opcode::add);
  CHECK(mutant.functions[0].labels.at("L") == first + 4);
}

TEST_CASE("only wanted places are changed, and never more than wanted") {
  CHECK(count(kernel_of(".loc 2 9 1\n setp.lt.s32 %p1, %r1, %r2;\n"), MutationKind::comparison) == 0);
  const ptx::Module module = kernel_of("setp.lt.s32 %p1, %r1, %r2;\n add.s32 %r3, %r1, 6;\n");
  CHECK(mutations_of(
            module, [](const ptx::Location&) { return true; }, 4)
            .size() == 4);
}

TEST_CASE("the likelier changes come first") {
  const auto mutations = all_of(kernel_of("add.s32 %r3, %r1, 6;\n setp.lt.s32 %p1, %r1, %r2;\n"));
  CHECK(mutations.front().kind == MutationKind::comparison);
  CHECK(std::ranges::is_sorted(mutations, {}, &Mutation::kind));
}

TEST_CASE("values: parameters, numbers of the launch, variables") {
  const ptx::Module module = kernel_of("mov.u32 %r3, %ctaid.y;\n mov.b32 %r4, %r3;\n add.s32 %r5, %r4, %r1;\n");
  const std::vector<FunctionValue> values = values_of(module.functions[0]);
  const auto reg = [&](const std::string& name) {
    const auto& registers = module.functions[0].registers;
    return static_cast<std::size_t>(std::ranges::find(registers, name, &ptx::Register::name) - registers.begin());
  };
  CHECK(values[reg("%r2")].parameter == 2u);
  CHECK(values[reg("%r4")].builtin == "blockIdx.y");
  CHECK(values[reg("%r4")].is_variable());
  CHECK_FALSE(values[reg("%r5")].is_variable());
}

TEST_CASE("a copy of a variable that changes is not what that began with") {
  const ptx::Module module =
      kernel_of("mov.u32 %r3, %ctaid.y;\nL:\n mov.b32 %r4, %r3;\n mov.b32 %r5, %r4;\n add.s32 %r3, %r5, 1;\n bra L;\n");
  const std::vector<FunctionValue> values = values_of(module.functions[0]);
  const auto reg = [&](const std::string& name) {
    const auto& registers = module.functions[0].registers;
    return static_cast<std::size_t>(std::ranges::find(registers, name, &ptx::Register::name) - registers.begin());
  };
  CHECK(values[reg("%r3")].builtin.empty());
  CHECK(values[reg("%r4")].builtin.empty());
  CHECK(values[reg("%r5")].builtin.empty());
}
