// What of the device's findings only follows from a wrong output, and what a launch was given.
#include "check/judge.h"

#include <initializer_list>
#include <numeric>
#include <vector>

#include "catch.h"
#include "make.h"
#include "vgpu/check/finding_ids.h"

using namespace cudalabs;
using namespace cudalabs::test;

namespace {

Finding read_of(const std::string& array) {
  Finding made = finding(std::string(finding_ids::kUninitializedRead), 12);
  made.access = {.array = array, .only_reads = true};
  return made;
}

/// An output `c` of nine elements, of which the first ones are unwritten.
Judgement with_missing(std::int64_t missing, const std::string& read) {
  const auto expected = expected_matrix(3, 3, reference_value);
  datasets::Array output = float_matrix("c", 3, 3, reference_value);
  for (std::int64_t i = 0; i < missing; ++i) poison(output, i);
  CaseRun case_run = case_run_with("some", expected, output);
  case_run.judgement.reset();
  case_run.observed.on_device = {"c"};
  case_run.observed.writers = {{"c", "add", {"a.cu", 13, 10}}};
  case_run.observed.findings = {read_of(read)};
  std::vector<CaseRun> case_runs{std::move(case_run)};
  judge(case_runs);
  return *case_runs[0].judgement;
}

}  // namespace

TEST_CASE("a read of elements that a kernel has left out follows from that") {
  CHECK(with_missing(2, "c").device.empty());
  CHECK(with_missing(2, "d").device.size() == 1);
  CHECK(with_missing(9, "c").device.size() == 1);  // nothing was stored yet
  CHECK(with_missing(0, "c").device.size() == 1);
}

TEST_CASE("what nobody wrote follows from a copy that was made to fail") {
  const auto found = [](bool made_to_fail, bool written) {
    datasets::ExpectedArray expected = expected_matrix(3, 3, reference_value);
    expected.demand = datasets::Demand::all_or_nothing;
    datasets::Array output = float_matrix("c", 3, 3, [](auto, auto) { return 7.0F; });
    const std::byte fill{datasets::fill_of(expected.demand)};
    if (!written) std::ranges::fill(output.data, fill);
    CaseRun case_run = case_run_with("some", expected, output);
    case_run.judgement.reset();
    case_run.observed.findings = {read_of("d_a")};
    if (made_to_fail) {
      case_run.observed.made_to_fail = FailedCall{{"a.cu", 20, 1}, WatchedCall{"cudaMemcpy", 2, {"a.cu", 20, 1}}};
    }
    std::vector<CaseRun> case_runs{std::move(case_run)};
    judge(case_runs);
    return *case_runs[0].judgement;
  };
  const Judgement after_failure = found(true, true);
  CHECK(after_failure.device.empty());
  REQUIRE(after_failure.mismatches.size() == 1);
  CHECK_FALSE(after_failure.mismatches[0].follows);
  CHECK(after_failure.mismatches[0].finding.where.line == 20);
  CHECK(found(false, true).device.size() == 1);
  CHECK(found(true, false).device.empty());
  CHECK(found(true, false).mismatches.empty());
}

TEST_CASE("where the call that was to fail is never made, all of the output is asked") {
  const auto mismatch_of = [](bool came_to_it) {
    datasets::ExpectedArray expected = expected_matrix(3, 3, reference_value);
    expected.demand = datasets::Demand::all_or_nothing;
    CaseRun case_run = case_run_with("some", expected, float_matrix("c", 3, 3, [](auto, auto) { return 7.0F; }));
    case_run.judgement.reset();
    case_run.test.spec.faults.copy = 2;
    case_run.observed.nothing_failed = !came_to_it;
    std::vector<CaseRun> case_runs{std::move(case_run)};
    judge(case_runs);
    return case_runs[0].judgement->mismatches.at(0);
  };
  CHECK(mismatch_of(false).fault == Fault::wrong);
  CHECK(mismatch_of(false).follows);  // from what is wrong where nothing is to fail
  CHECK(mismatch_of(true).fault == Fault::touched);
  CHECK_FALSE(mismatch_of(true).follows);
}

TEST_CASE("the second call is to blame only for what is right without the first") {
  const auto message = [](std::optional<bool> right_alone) {
    CaseRun case_run =
        case_run_with("some", expected_matrix(3, 3), float_matrix("c", 3, 3, [](auto, auto) { return 1; }));
    case_run.judgement.reset();
    case_run.before = datasets::Case{};
    case_run.before->expected.push_back(expected_matrix(2, 2));
    case_run.observed.outputs_before.push_back(float_matrix("c", 2, 2));
    case_run.right_alone = right_alone;
    return judged(std::move(case_run)).judgement->mismatches.at(0).finding.message;
  };
  CHECK_THAT(message(true), contains_text("wrong at the second"));
  CHECK_THAT(message(false), !contains_text("second"));
  CHECK_THAT(message(std::nullopt), !contains_text("second"));
}

TEST_CASE("after a call in which something failed, that is said") {
  CaseRun case_run =
      case_run_with("some", expected_matrix(3, 3), float_matrix("c", 3, 3, [](auto, auto) { return 1; }));
  case_run.judgement.reset();
  case_run.before = datasets::Case{};
  case_run.before->spec.faults.allocation = 3;
  case_run.before->spec.title = "the third allocation fails";
  case_run.before->expected.push_back(expected_matrix(2, 2));
  case_run.before->expected[0].demand = datasets::Demand::all_or_nothing;
  case_run.observed.outputs_before.push_back(float_matrix("c", 2, 2));
  case_run.right_alone = true;
  const Finding finding = judged(std::move(case_run)).judgement->mismatches.at(0).finding;
  CHECK_THAT(finding.message, contains_text("wrong after a call in which the third allocation fails"));
  CHECK_THAT(finding.help, contains_text("must leave nothing behind"));
}

TEST_CASE("a kernel that reads past the end in a later launch leads to that launch") {
  const auto other_of = [](bool reads, PlaceRole role, std::uint32_t last) {
    CaseRun case_run = right_case_run("some");
    case_run.judgement.reset();
    Finding made = finding(std::string(finding_ids::kGlobalOutOfBounds), 12);
    made.access.only_reads = reads;
    made.kernel = "add";
    made.other = OtherPlace{"", {"a.cu", 30, 1}, {}, {}, role};
    case_run.observed.findings = {made};
    case_run.observed.launch_places = {{"add", {"a.cu", last, 1}, {"a.cu", 35, 1}}};
    std::vector<CaseRun> case_runs{std::move(case_run)};
    judge(case_runs);
    return case_runs[0].judgement->device.at(0).other->place.line;
  };
  CHECK(other_of(true, PlaceRole::allocation, 37) == 37);
  CHECK(other_of(true, PlaceRole::allocation, 35) == 30);
  CHECK(other_of(false, PlaceRole::allocation, 37) == 30);
  CHECK(other_of(true, PlaceRole::unsaid, 37) == 30);
}

TEST_CASE("a block's share of a sum is told by whether a launch of one block came after one of many") {
  const std::vector<Explanation> explanations{{"sum_of_one_block", "{first} of {n}", "launch enough blocks"},
                                              {"sum_left_in_one_block", "{first} of {n}", "look at the last launch"}};
  const auto help_of = [&](std::initializer_list<std::uint32_t> grids) {
    constexpr std::int64_t kElements = 1000, kBlock = 64;
    std::vector<std::int32_t> values;
    for (std::int64_t i = 0; i < kElements; ++i) values.push_back(static_cast<std::int32_t>(1000 + i * i % 4099));
    const auto sum_of_first = [&](std::int64_t count) {
      return std::accumulate(values.begin(), values.begin() + count, std::int32_t{0});
    };
    const datasets::ExpectedArray expected{
        "sum", datasets::ElementType::i32, {1}, {static_cast<double>(sum_of_first(kElements))}, {0}};
    CaseRun case_run = case_run_with(
        "some", expected,
        array_of("sum", datasets::ElementType::i32, {1}, std::vector<std::int32_t>{sum_of_first(kBlock)}));
    case_run.judgement.reset();
    case_run.test.inputs.push_back(array_of("integers", datasets::ElementType::i32, {kElements}, values));
    for (const std::uint32_t blocks : grids)
      case_run.observed.launches.emplace_back().config = {{blocks, 1, 1}, {kBlock, 1, 1}};
    std::vector<CaseRun> case_runs{std::move(case_run)};
    judge(case_runs, explanations);
    return case_runs[0].judgement->mismatches.at(0).finding.help;
  };
  CHECK(help_of({16, 1}) == "look at the last launch");
  CHECK(help_of({1, 16, 1}) == "look at the last launch");
  CHECK(help_of({1}) == "launch enough blocks");
  CHECK(help_of({1, 1}) == "launch enough blocks");
  CHECK(help_of({16}) == "launch enough blocks");
  CHECK(help_of({1, 16}) == "launch enough blocks");
}
