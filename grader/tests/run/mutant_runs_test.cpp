// Runs after which small changes are tried: which of them give the right results, and what they leave alone.
#include <algorithm>
#include <set>
#include <string>

#include "add_lab.h"
#include "catch.h"
#include "explain/repairs/repair.h"

namespace cudalabs {
namespace {

using testing::AddLab;
using testing::submission;
using vgpu::Mutant;

/// A submission that adds; the kernel's body and its launch are as the test wants them.
std::string adding(const std::string& statement,
                   const std::string& launch = "<<<(n + 255) / 256, 256>>>(d_a, d_b, d_c, n)") {
  return submission("  kernel" + launch + ";\n",
                    "__global__ void kernel(const float* a, const float* b, float* c, int n) {\n"
                    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  " +
                        statement + "\n}\n");
}

struct Setting {
  AddLab lab;
  RunRequest request;
  vgpu::MutantOrder order;

  explicit Setting(const std::string& text) {
    request.program = &lab.lab();
    request.runner = lab.build(text).runner;
    request.source = lab.source();
    request.test = &lab.test();
    request.checks = false;
    order.file = "submission/" + lab.lab().contract.source;
    request.mutants = &order;
  }

  vgpu::MutantLog run_mutants() const { return run(request).mutants; }
  std::vector<Mutant> right_ones() const {
    vgpu::MutantLog log = run_mutants();
    REQUIRE(log.complete);
    std::erase_if(log.mutants, [&](const Mutant& mutant) { return !is_right(mutant, *request.test); });
    return std::move(log.mutants);
  }
};

TEST_CASE("changes that make a wrong kernel right are in the wrong line", "[run]") {
  const Setting setting(adding("if (i < n) c[i] = a[i] - b[i];"));
  const std::vector<Mutant> right = setting.right_ones();
  REQUIRE_FALSE(right.empty());
  const auto sum = std::ranges::find(right, "add", &Mutant::replacement);
  REQUIRE(sum != right.end());
  CHECK(sum->original == "sub");
  for (const Mutant& mutant : right) CHECK(mutant.where.line == sum->where.line);
  CHECK(sum->kernel.starts_with("kernel"));
}

TEST_CASE("a launch with too few blocks becomes right with more", "[run]") {
  Setting setting(adding("if (i < n) c[i] = a[i] + b[i];", "<<<n / 256, 256>>>(d_a, d_b, d_c, n)"));
  setting.lab.test() = testing::add_case(1000);
  const std::vector<Mutant> right = setting.right_ones();
  const auto grid = std::ranges::find(right, Mutant::Change::grid, &Mutant::change);
  REQUIRE(grid != right.end());
  CHECK(grid->original == "3 x 1 x 1");
  CHECK(grid->replacement == "4 x 1 x 1");
  CHECK(grid->launch.address != 0);
}

TEST_CASE("only those are made that are asked for, and numbers stay what they are", "[run]") {
  Setting setting(adding("if (i < n) c[i] = a[i] - b[i];"));
  const std::vector<Mutant> right = setting.right_ones();
  REQUIRE_FALSE(right.empty());
  setting.order.numbers = {right.back().number};
  setting.lab.test() = testing::add_case(777);
  const vgpu::MutantLog log = setting.run_mutants();
  CHECK(log.made == 1);
  REQUIRE(log.mutants.size() == 1);
  CHECK(log.mutants.front().where == right.back().where);
  CHECK(is_right(log.mutants.front(), setting.lab.test()));
}

TEST_CASE("mutants change neither the run's results nor what was seen, and end when a change never would", "[run]") {
  const std::string text =
      adding("if (i < n) { float sum = 0; for (int k = 0; k < 2; ++k) sum += k == 0 ? a[i] : b[i]; c[i] = sum + 1; }");
  Setting setting(text);
  const Observation with = run(setting.request);
  setting.request.mutants = nullptr;
  const Observation without = run(setting.request);
  REQUIRE(with.end == RunEnd::finished);
  REQUIRE(with.outputs.size() == 1);
  REQUIRE(without.outputs.size() == 1);
  CHECK(with.outputs.front().data == without.outputs.front().data);
  CHECK(with.launches.size() == without.launches.size());
  CHECK(with.mutants.complete);
  CHECK(with.mutants.made > 50);
  CHECK(without.mutants.made == 0);
}

TEST_CASE("a program works on other inputs in turn, whether its results are others or not", "[run]") {
  Setting setting(adding("if (i < n) c[i] = a[i] + b[i];"));
  const datasets::Array &a = setting.request.test->inputs[0], &b = setting.request.test->inputs[1];
  setting.order.inputs = {{a.data, a.data}, {a.data, std::vector<std::byte>(a.data.size())}};
  const vgpu::MutantLog log = setting.run_mutants();
  REQUIRE(log.complete);
  REQUIRE(log.mutants.size() == 2);
  CHECK(is_right(log.mutants[0], *setting.request.test));
  CHECK(log.mutants[0].change == Mutant::Change::input);
  REQUIRE(log.mutants[1].results.size() == 1);
  CHECK(log.mutants[1].number == 1);
  CHECK(log.mutants[1].results.front() == b.data);
}

TEST_CASE("a change that leaves blocks without work is told from one that does not", "[run]") {
  Setting setting(submission("  kernel<<<4, 256>>>(d_a, d_b, d_c, n, 256);\n",
                             "__global__ void kernel(const float* a, const float* b, float* c, int n, int part) {\n"
                             "  int i = blockIdx.x * part + threadIdx.x;\n"
                             "  if (i < n) c[i] = a[i] - b[i];\n}\n"));
  setting.lab.test() = testing::add_case(1000);
  setting.order.checks = true;
  const vgpu::MutantLog log = setting.run_mutants();
  REQUIRE(log.complete);
  // With n in place of the part only the first block has elements.
  const auto argument = std::ranges::find_if(log.mutants, [](const Mutant& mutant) {
    return mutant.change == Mutant::Change::argument && mutant.original_parameter == 4 &&
           mutant.replacement_parameter == 3;
  });
  REQUIRE(argument != log.mutants.end());
  CHECK(argument->lost.blocks == 3);
  const auto sum = std::ranges::find(log.mutants, "add", &Mutant::replacement);
  REQUIRE(sum != log.mutants.end());
  CHECK(sum->lost == vgpu::LostWork{});
}

TEST_CASE("two members of a structure are exchanged, and where they are equal that is counted as tried", "[run]") {
  const std::string kernel =
      "struct Range { int end, begin; };\n"
      "__global__ void kernel(const float* a, const float* b, float* c, Range range) {\n"
      "  int i = range.begin + blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < range.end) c[i] = a[i] + b[i];\n}\n";
  const auto with = [&](const std::string& range) {
    return submission("  kernel<<<(n + 255) / 256, 256>>>(d_a, d_b, d_c, Range{" + range + "});\n", kernel);
  };
  Setting setting(with("0, n"));
  setting.order.launches = vgpu::MutantOrder::Launches::arguments;
  const std::vector<Mutant> right = setting.right_ones();
  const auto exchanged = std::ranges::find(right, Mutant::Change::argument, &Mutant::change);
  REQUIRE(exchanged != right.end());
  CHECK(exchanged->original_parameter == 3u);
  CHECK(exchanged->original == "0");
  CHECK(exchanged->replacement == "1");
  Setting equal(with("n, n"));
  equal.order.launches = vgpu::MutantOrder::Launches::arguments;
  equal.order.numbers = {exchanged->number};
  const vgpu::MutantLog log = equal.run_mutants();
  REQUIRE(log.complete);
  CHECK(log.made == 1);
  CHECK(log.mutants.empty());
}

TEST_CASE("it is counted how often each element of an input is read", "[run]") {
  Setting setting(adding("if (i < n) c[i] = a[i] + b[i] + (i == 3 ? a[1] : 0);"));
  setting.order.reads = true;
  const vgpu::MutantLog log = setting.run_mutants();
  REQUIRE(log.complete);
  CHECK(log.mutants.empty());
  REQUIRE(log.reads.size() == 2);
  const vgpu::ArrayReads& a = log.reads[0];
  CHECK(a.array == "a");
  REQUIRE(std::ssize(a.counts) == setting.request.test->inputs[0].elements());
  CHECK(a.counts[0] == 1);
  CHECK(a.counts[1] == 2);
  CHECK(a.first[1].thread == Index3{1, 0, 0});
  CHECK(a.last[1].thread == Index3{3, 0, 0});
  CHECK(a.places.at(a.last[1].place).line > 0);
  CHECK(std::ranges::count(log.reads[1].counts, 1u) == std::ssize(log.reads[1].counts));
}

}  // namespace
}  // namespace cudalabs
