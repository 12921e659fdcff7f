// Orders of mutants and their logs as bytes and back.
#include "vgpu/cudart/mutants.h"

#include <algorithm>
#include <string_view>

#include "catch.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

std::vector<std::byte> text_bytes(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

MutantLog sample_log() {
  Mutant code;
  code.number = 7;
  code.kind = MutationKind::factor;
  code.original_parameter = 3;
  code.replacement = "2";
  code.replacement_place = {"submission/a.cu", 3, 1};
  code.kernel = "add(float*)";
  code.where = {"submission/a.cu", 12, 5};
  code.results = {text_bytes("abcd"), {}};
  Mutant grid;
  grid.number = 1'000'001;
  grid.change = Mutant::Change::grid;
  grid.original = "1 x 1 x 1";
  grid.launch = {0x1234, 0x5678};
  grid.clean = false;
  grid.warp_instructions = 1'000'000'000'000;
  grid.lost = {2, 64};
  ArrayReads reads{"a", {{"submission/a.cu", 4, 2}}, {0, 2}, {{}, {}}, {{}, {1, {0, 1, 0}, {5, 0, 0}, 0}}};
  return {true, 9, {code, grid}, {reads}};
}

}  // namespace

TEST_CASE("an order and a log are read as they were written") {
  MutantOrder order{"submission/a.cu",
                    {1, 5, 1'000'000},
                    MutantOrder::Launches::arguments,
                    MutationKind::constant,
                    MutationKind::factor,
                    true,
                    {},
                    true};
  order.inputs = {{{std::byte{1}, std::byte{2}}, {std::byte{3}, std::byte{4}}}};
  CHECK(mutant_order_from_bytes(to_bytes(order)) == order);
  // What is replaced has the size of what replaces it.
  order.inputs.front().used.pop_back();
  CHECK_THROWS_AS(mutant_order_from_bytes(to_bytes(order)), MutantError);
  order.inputs.clear();
  CHECK(mutant_order_from_bytes(to_bytes(MutantOrder{})) == MutantOrder{});
  CHECK(mutant_log_from_bytes(to_bytes(sample_log())) == sample_log());
  CHECK(mutant_log_from_bytes(to_bytes(MutantLog{})) == MutantLog{});
  // Who reads an element does so somewhere, and of each element it is said.
  MutantLog log = sample_log();
  log.reads.front().places.clear();
  CHECK_THROWS_AS(mutant_log_from_bytes(to_bytes(log)), MutantError);
  log = sample_log();
  log.reads.front().first.pop_back();
  CHECK_THROWS_AS(mutant_log_from_bytes(to_bytes(log)), MutantError);
}

TEST_CASE("bytes that are cut short or changed are refused, or read as a log") {
  const std::vector<std::byte> good = to_bytes(sample_log());
  for (std::size_t length = 0; length < good.size(); ++length)
    CHECK_THROWS_AS(mutant_log_from_bytes(std::span(good).first(length)), MutantError);
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (const auto value : {std::byte{0}, std::byte{0x5A}, std::byte{0xFF}}) {
      std::vector<std::byte> changed = good;
      changed[at] = value;
      try {
        mutant_log_from_bytes(changed);
      } catch (const MutantError&) {
      }
    }
  }
  CHECK_THROWS_AS(mutant_order_from_bytes(text_bytes("no CBOR")), MutantError);
}

TEST_CASE("kinds that there are not are refused") {
  MutantLog log = sample_log();
  log.mutants[0].change = static_cast<Mutant::Change>(static_cast<int>(Mutant::kLastChange) + 1);
  CHECK_THROWS_AS(mutant_log_from_bytes(to_bytes(log)), MutantError);
  log = sample_log();
  log.mutants[0].kind = static_cast<MutationKind>(99);
  CHECK_THROWS_AS(mutant_log_from_bytes(to_bytes(log)), MutantError);
}
