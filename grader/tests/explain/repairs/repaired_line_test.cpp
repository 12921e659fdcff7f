// Which part of a line the words of a repair quote.
#include "explain/repairs/repaired_line.h"

#include "catch.h"
#include "explain/repairs/repair_words.h"

namespace cudalabs::test::of_repaired_line {
namespace {

using vgpu::MutationKind;

Repair code(MutationKind kind, std::uint32_t line, std::uint32_t column, std::string original,
            std::string replacement) {
  Repair repair;
  repair.mutant.kind = kind;
  repair.mutant.original = std::move(original);
  repair.mutant.replacement = std::move(replacement);
  repair.where = {"a.cu", line, column};
  return repair;
}

}  // namespace

TEST_CASE("a part of a line's expression is quoted as it stands, and never called by the name that the line sets") {
  const auto told = [](const std::string& line, const std::string& replacement = "3") {
    Repair repair = code(MutationKind::factor, 1, static_cast<std::uint32_t>(line.find('*') + 1), "", replacement);
    repair.mutant.original_place = {"a.cu", 1, 0};
    return words_of(repair, line + "\n");
  };
  CHECK(told("p = rgb + row * size.width + 3;") == "`row * size.width * 3` in place of `row * size.width`");
  CHECK(told("int i = f(a, b)[2]*n;", "4") == "`f(a, b)[2]*n * 4` in place of `f(a, b)[2]*n`");
  CHECK(told("p = in + at->row * (n + 1);") == "`at->row * (n + 1) * 3` in place of `at->row * (n + 1)`");
  // The name may stand there as well: what is multiplied is another value.
  CHECK(told("p = p + row * n;") == "`row * n * 3` in place of `row * n`");
  CHECK(told("p = a / row * n;").empty());
  CHECK(told("p = (size_t)row * n;").empty());
  CHECK(told("p = row * n / 2;").empty());
  CHECK(told("p *= n;").empty());
  CHECK(told("p = *q;").empty());
  CHECK(told("p = (a * ").empty());
  CHECK(told("p = row * n;", "blockDim.x").empty());
  Repair offset = code(MutationKind::offset, 1, 0, "", "+ 1");
  offset.mutant.original_place = {"a.cu", 1, 0};
  CHECK(words_of(offset, "int p = row * n + 2;\n").empty());
  CHECK(words_of(offset, "for (int p = a; p < n; p += 2) f(p);\n") == "`p + 1` in place of one of the `p`");
}

TEST_CASE("a name that a line only assigns to stands for no value there") {
  CHECK(one_of("p", {"p = q;", 0, 1}).empty());
  CHECK(one_of("p", {"p <<= q;", 0, 1}).empty());
  CHECK(one_of("p", {"p += q;", 0, 1}).empty());
  CHECK(one_of("p", {"p = q + p;", 0, 1}) == "`p`");
  CHECK(one_of("p", {"if (p == q || p <= q) p = 1;", 0, 1}) == "one of the `p`");
  CHECK(one_of("p", {"f(p)", 0, 1}) == "`p`");
}

TEST_CASE("factors beside a name") {
  const auto factors = [](const std::string& text) {
    const RepairedLine line{text, 0, 1};
    return factors_beside("i", line);
  };
  using Factors = std::vector<std::string>;
  CHECK(factors("x = i * g.y + 2 * i;") == Factors{"g.y", "2"});
  CHECK(factors("x = f(a)*i * (b);") == Factors{")", "("});
  CHECK(factors("*i = 4; x = j + i; k(* i)").empty());
  CHECK(factors("x = i *").empty());
}

}  // namespace cudalabs::test::of_repaired_line
