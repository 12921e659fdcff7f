// What uneven reads of inputs say of a wrong sum or product, and where they say nothing.
#include "check/input_reads.h"

#include <functional>
#include <string>
#include <vector>

#include "catch.h"
#include "datasets/array.h"
#include "make.h"

namespace cudalabs {
namespace {

using vgpu::ArrayReads;

constexpr std::uint32_t kLine = 40;

/// Element i is read `count(i)` times, by thread 0 of block 0 first and of block 1 last.
ArrayReads reads_of(const std::string& array, std::size_t n, const std::function<std::uint32_t(std::size_t)>& count) {
  ArrayReads reads{array, {{"k.cu", kLine, 7}}, {}, {}, {}};
  for (std::size_t i = 0; i < n; ++i) {
    reads.counts.push_back(count(i));
    reads.first.push_back({1, {0, 0, 0}, {0, 0, 0}, 0});
    reads.last.push_back({1, {count(i) > 1 ? 1u : 0u, 0, 0}, {0, 0, 0}, 0});
  }
  return reads;
}

Mismatch wrong_sum(const std::string& detector = "sum_with_a_run_again") {
  Mismatch mismatch;
  mismatch.finding.where = {"k.cu", 47, 3};
  mismatch.finding.help = "as before";
  mismatch.pattern = ValuePattern{ValueKind::known_to_the_lab, "", "", true, detector};
  return mismatch;
}

TEST_CASE("an element that is in the sum twice because two blocks read it") {
  const std::vector<std::int64_t> counts{1, 1, 2, 2};
  Mismatch mismatch = wrong_sum();
  name_readers(mismatch, counts, reads_of("in", 4, [](std::size_t i) { return i < 2 ? 1 : 2; }));
  CHECK(mismatch.finding.help ==
        "thread (0, 0, 0) of block (0, 0, 0) and thread (0, 0, 0) of block (1, 0, 0) both read element 2 in line 40: "
        "let one thread alone take each element");
  CHECK(mismatch.finding.where.line == kLine);
  REQUIRE(mismatch.finding.other);
  CHECK(mismatch.finding.other->place.line == 47);
}

TEST_CASE("an element that each block of the launch reads") {
  const std::vector<std::int64_t> counts{1, 1, 4, 4};
  std::vector<vgpu::LaunchCounters> launches(2);
  launches[0].config.grid = {4, 1, 1};
  ArrayReads reads = reads_of("in", 4, [](std::size_t i) { return i < 2 ? 1 : 4; });
  const auto help = [&] {
    Mismatch mismatch = wrong_sum();
    name_readers(mismatch, counts, reads, launches);
    return mismatch.finding.help;
  };
  CHECK(help().starts_with("element 2 is read 4 times in line 40, by thread (0, 0, 0) of block (0, 0, 0) first"));
  for (auto& last : reads.last) last.block = {3, 0, 0};
  CHECK(help() ==
        "each of the 4 blocks reads element 2 in line 40, by its thread (0, 0, 0): let one block alone take such "
        "elements, by a condition on `blockIdx`, or give each block elements of its own");
  launches[0].config.grid = {5, 1, 1};
  CHECK(help().starts_with("element 2 is read 4 times"));
  launches.clear();
  CHECK(help().starts_with("element 2 is read 4 times"));
}

TEST_CASE("where all elements are read alike the reads do not say why one is there twice") {
  const std::vector<std::int64_t> counts{1, 1, 2, 2};
  Mismatch mismatch = wrong_sum();
  name_readers(mismatch, counts, reads_of("in", 4, [](std::size_t) { return 1; }));
  name_readers(mismatch, counts, reads_of("in", 4, [](std::size_t i) { return i == 2 ? 2 : 1; }));
  name_readers(mismatch, counts, reads_of("in", 3, [](std::size_t) { return 2; }));
  CHECK(mismatch == wrong_sum());
}

TEST_CASE("a missing element is read by nobody, or lost after it was read") {
  const std::vector<std::int64_t> counts{1, 1, 1, 0};
  Mismatch mismatch = wrong_sum("sum_without_a_run");
  name_readers(mismatch, counts, reads_of("in", 4, [](std::size_t i) { return i < 3 ? 1 : 0; }));
  CHECK(mismatch.finding.help.starts_with("no thread reads element 3"));
  CHECK(mismatch.finding.where.line == 47);
  name_readers(mismatch, counts, reads_of("in", 4, [](std::size_t) { return 1; }));
  CHECK(mismatch.finding.help.starts_with("thread (0, 0, 0) of block (0, 0, 0) reads element 3 in line 40, and its"));
  CHECK(mismatch.finding.where.line == kLine);
  // Of some that are read and some that are not nothing is said.
  Mismatch mixed = wrong_sum("sum_without_a_run");
  name_readers(mixed, std::vector<std::int64_t>{0, 1, 1, 0},
               reads_of("in", 4, [](std::size_t i) { return i < 3 ? 1 : 0; }));
  CHECK(mixed == wrong_sum("sum_without_a_run"));
}

/// a (2×4) times b (4×2), each product added `times` times; a[i][k] = k + 1, b[k][j] = 1 + j.
struct ProductCase {
  datasets::Case test;
  Comparison comparison;

  explicit ProductCase(const std::vector<double>& times) {
    std::vector<float> a, b;
    for (int i = 0; i < 8; ++i) a.push_back(static_cast<float>(i % 4 + 1));
    for (int i = 0; i < 8; ++i) b.push_back(static_cast<float>(i % 2 + 1));
    test.inputs = {datasets::make_array<float>("a", {2, 4}, a), datasets::make_array<float>("b", {4, 2}, b)};
    comparison.name = "c";
    comparison.shape = {2, 2};
    for (int i = 0; i < 4; ++i) {
      double sum = 0, right = 0;
      for (int k = 0; k < 4; ++k) {
        right += (k + 1) * (i % 2 + 1);
        sum += times[static_cast<std::size_t>(k)] * (k + 1) * (i % 2 + 1);
      }
      comparison.got.push_back(sum);
      comparison.expected.push_back(right);
      comparison.bound.push_back(1e-6);
      comparison.fault.push_back(sum == right ? Fault::none : Fault::wrong);
    }
  }
};

/// Columns of `a` and rows of `b` are read so often, in units of `unit`.
std::vector<ArrayReads> product_reads(const std::vector<std::uint32_t>& of_a, const std::vector<std::uint32_t>& of_b,
                                      std::uint32_t unit = 1) {
  return {reads_of("a", 8, [&](std::size_t i) { return of_a[i % 4] * unit; }),
          reads_of("b", 8, [&](std::size_t i) { return of_b[i / 2] * unit; })};
}

TEST_CASE("products whose elements are read more often than others, and that are in the sums as often") {
  const ProductCase wrong({1, 1, 2, 3});
  Mismatch mismatch;
  mismatch.finding.message = "`c` is wrong everywhere";
  mismatch.finding.where = {"k.cu", 31, 3};
  CHECK(name_product_reads(mismatch, wrong.comparison, wrong.test, product_reads({1, 1, 2, 3}, {1, 1, 2, 3})));
  CHECK(mismatch.finding.message == "`c` is wrong everywhere; products 2 to 3 of 4 are added 2 to 3 times");
  CHECK(
      mismatch.finding.help.starts_with("thread (0, 0, 0) of block (0, 0, 0) and thread (0, 0, 0) of block "
                                        "(1, 0, 0) both read `a[0][2]` in line 40"));
  CHECK(mismatch.finding.where.line == kLine);
  CHECK(mismatch.cause);
  // It is usual that many threads read each element.
  Mismatch often;
  CHECK(name_product_reads(often, wrong.comparison, wrong.test, product_reads({1, 1, 2, 3}, {1, 1, 2, 3}, 16)));
  CHECK(often.finding.help.find("is read 32 times in line 40") != std::string::npos);
}

TEST_CASE("a product that nobody reads the elements of") {
  const ProductCase wrong({1, 1, 1, 0});
  Mismatch mismatch;
  mismatch.finding.where = {"k.cu", 31, 3};
  CHECK(name_product_reads(mismatch, wrong.comparison, wrong.test, product_reads({2, 2, 2, 0}, {1, 1, 1, 0})));
  CHECK(mismatch.finding.message == "; product 3 of 4 is left out");
  CHECK(mismatch.finding.where.line == 31);
}

TEST_CASE("reads that do not account for the wrong values say nothing") {
  const ProductCase wrong({1, 1, 2, 3}), other({1, 1, 1, 5});
  const auto said = [](const ProductCase& test, const std::vector<ArrayReads>& reads) {
    Mismatch mismatch;
    const bool named = name_product_reads(mismatch, test.comparison, test.test, reads);
    CHECK((named || mismatch == Mismatch()));
    return named;
  };
  CHECK_FALSE(said(wrong, product_reads({4, 4, 4, 4}, {2, 2, 2, 2})));  // each is read alike
  CHECK_FALSE(said(wrong, product_reads({1, 1, 2, 3}, {1, 1, 1, 1})));  // one operand alone
  CHECK_FALSE(said(wrong, product_reads({2, 2, 3, 3}, {2, 2, 3, 3})));  // no whole times
  CHECK_FALSE(said(other, product_reads({1, 1, 2, 3}, {1, 1, 2, 3})));  // other values came out
  CHECK_FALSE(said(wrong, {product_reads({1, 1, 2, 3}, {1, 1, 2, 3}).front()}));
  // Rows are read differently, as where indices are kept from going past the last one.
  auto uneven = product_reads({1, 1, 2, 3}, {1, 1, 2, 3});
  uneven.front().counts.back() += 5;
  CHECK_FALSE(said(wrong, uneven));
}

}  // namespace
}  // namespace cudalabs
