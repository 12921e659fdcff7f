// Twins of cases, and what a run on a twin's data tells: who computed the result, and which call gave it away.
#include "check/device_audit.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "datasets/array.h"
#include "make.h"
#include "vgpu/check/finding_ids.h"

using namespace cudalabs;
using namespace cudalabs::test;
using vgpu::Transfer;
using Kind = Transfer::Kind;

namespace {

using Bytes = std::vector<std::byte>;

using Parameters = std::map<std::string, std::int64_t>;

datasets::CaseSpec spec_of(const Parameters& parameters) {
  return {"some", "some case", parameters, {}};
}

datasets::Case case_of(const std::string& slug, const Parameters& parameters) {
  return datasets::generator_for(slug)(spec_of(parameters), 7);
}

std::optional<Twin> twin_with(const std::string& slug, const Parameters& parameters) {
  return twin_of(case_of(slug, parameters), spec_of(parameters), slug);
}

Bytes bytes_of(const std::vector<float>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

datasets::Array output_of(const datasets::ExpectedArray& expected) {
  if (expected.type == datasets::ElementType::i32)
    return array_of(expected.name, expected.type, expected.shape,
                    std::vector<std::int32_t>(expected.value.begin(), expected.value.end()));
  return array_of(expected.name, expected.type, expected.shape,
                  std::vector<float>(expected.value.begin(), expected.value.end()));
}

/// A run that gave the expected outputs of `test`: the harness's copies, between them the submission's own.
Observation run_of(const datasets::Case& test, const datasets::Case& shown, const std::vector<Transfer>& own,
                   bool replaced) {
  Observation observed;
  observed.end = RunEnd::finished;
  observed.launches.resize(1);
  for (const datasets::Array& input : shown.inputs)
    observed.transfers.transfers.push_back({Kind::to_device, replaced, {1, 0}, input.data});
  for (const Transfer& transfer : own) observed.transfers.transfers.push_back(transfer);
  for (const datasets::ExpectedArray& expected : test.expected) {
    observed.outputs.push_back(output_of(expected));
    observed.transfers.transfers.push_back({Kind::to_host, false, {2, 0}, observed.outputs.back().data});
  }
  return observed;
}

Observation first_run(const datasets::Case& test, const std::vector<Transfer>& own = {}) {
  return run_of(test, test, own, false);
}

/// The second run, in which the outputs are those of `result`.
Observation second_run(const datasets::Case& result, const datasets::Case& shown,
                       const std::vector<Transfer>& own = {}) {
  return run_of(result, shown, own, true);
}

struct Product {
  Parameters parameters{{"m", 4}, {"n", 5}, {"p", 6}};
  datasets::Case test = case_of("matrix_product", parameters);
  Twin twin = twin_with("matrix_product", parameters).value();
};

}  // namespace

TEST_CASE("a twin has the same sizes, other inputs, other results, and says what to replace") {
  const Product product;
  const auto& [parameters, test, twin] = product;
  CHECK_FALSE(twin.host_arrays);
  CHECK(twin.test.spec.parameters == test.spec.parameters);
  REQUIRE(twin.replacements.arrays.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(twin.replacements.arrays[i].shown == test.inputs[i].data);
    CHECK(twin.replacements.arrays[i].used == twin.test.inputs[i].data);
    CHECK(test.inputs[i].data != twin.test.inputs[i].data);
  }
  CHECK_FALSE(compare(output_of(test.expected[0]), twin.test.expected[0]).right());
  CHECK(twin.replacements.words_in.empty());
  CHECK(twin.replacements.answers.empty());
  SECTION("always the same one") {
    CHECK(twin_with("matrix_product", parameters)->replacements == twin.replacements);
  }
}

TEST_CASE("every result of a twin differs, though an array holds one element") {
  const datasets::Case test = case_of("array_sum", {{"n", 1}, {"whole", 1}});
  const std::optional<Twin> twin = twin_with("array_sum", {{"n", 1}, {"whole", 1}});
  REQUIRE(twin);
  for (std::size_t i = 0; i < 2; ++i) CHECK(test.expected[i].value[0] != twin->test.expected[i].value[0]);
}

TEST_CASE("a twin in host memory has another word for every word of the inputs") {
  const datasets::Case test = case_of("vector_add", {{"n", 500}});
  const std::optional<Twin> twin = twin_with("vector_add", {{"n", 500}});
  REQUIRE(twin);
  CHECK(twin->host_arrays);
  CHECK(twin->replacements.arrays.empty());
  const std::map<std::uint32_t, std::uint32_t> in(twin->replacements.words_in.begin(),
                                                  twin->replacements.words_in.end());
  std::set<std::uint32_t> shown, used;
  for (const auto& [from, to] : in) {
    shown.insert(from);
    used.insert(to);
  }
  CHECK(used.size() == in.size());  // no two have the same
  CHECK(std::ranges::none_of(used, [&](std::uint32_t word) { return shown.contains(word); }));
  for (std::size_t i = 0; i < 2; ++i) {
    std::vector<std::uint32_t> words(500), other(500);
    std::memcpy(words.data(), test.inputs[i].data.data(), 2000);
    std::memcpy(other.data(), twin->test.inputs[i].data.data(), 2000);
    for (std::size_t at = 0; at < 500; ++at) CHECK(in.at(words[at]) == other[at]);
  }
  const auto a = datasets::values_of<float>(twin->test.inputs[0]), b = datasets::values_of<float>(twin->test.inputs[1]);
  for (std::size_t at = 0; at < 500; ++at) CHECK(twin->test.expected[0].value[at] == a[at] + b[at]);
  const std::map<std::uint32_t, std::uint32_t> out(twin->replacements.words_out.begin(),
                                                   twin->replacements.words_out.end());
  for (const auto& [from, to] : out) CHECK(in.at(to) == from);
}

TEST_CASE("there is no twin of a case without elements, or whose result cannot change") {
  CHECK_FALSE(twin_with("array_sum", {{"n", 0}, {"whole", 1}}));
  CHECK_FALSE(twin_with("vector_add", {{"n", 0}}));
  CHECK_FALSE(twin_with("array_sum", {{"n", 16}, {"whole", 1}}));  // the handout's 41
  CHECK_FALSE(twin_with("picture", {{"quiz", 1}}));
  CHECK_FALSE(twin_of(case_of("vector_add", {{"n", 4}}), spec_of({{"n", 4}}), "no_lab"));
}

TEST_CASE("the spec of a made case need not be one that a case can be made from") {
  const Parameters parameters{{"width", 5}, {"height", 3}};
  REQUIRE(case_of("picture", parameters).spec.parameters != parameters);
  const std::optional<Twin> twin = twin_with("picture", parameters);
  REQUIRE(twin);
  CHECK(twin->replacements.arrays.size() == 2);
}

TEST_CASE("the answers are the copies before those that the harness makes of the outputs") {
  const Product product;
  const Bytes read{std::byte{1}, std::byte{2}}, more{std::byte{3}};
  const std::vector<Transfer> own{{Kind::to_host, false, {8, 0}, read},
                                  {Kind::fill, false, {8, 0}, {std::byte{0}}},
                                  {Kind::to_host, false, {9, 0}, more}};
  Observation observed = first_run(product.test, own);
  CHECK(answers_of(observed) == std::vector<Bytes>{read, more});
  CHECK(answers_of(first_run(product.test)) == std::vector<Bytes>{});
  SECTION("the last that are like the outputs are the harness's") {
    const Bytes& output = observed.outputs[0].data;
    observed.transfers.transfers.push_back({Kind::to_host, false, {9, 0}, output});
    CHECK(answers_of(observed) == std::vector<Bytes>{read, more, output});
    observed.transfers.transfers.push_back({Kind::to_host, false, {9, 0}, more});
    CHECK(answers_of(observed) == std::vector<Bytes>{read, more, output});
  }
  SECTION("without them, or with a log that was cut, nobody knows") {
    Observation cut = observed;
    cut.transfers.complete = false;
    CHECK_FALSE(answers_of(cut));
    observed.transfers.transfers.pop_back();
    CHECK_FALSE(answers_of(observed));
  }
}

TEST_CASE("a result that became the twin's was computed on the device") {
  const Product product;
  const Audit audit = audit_of(product.twin, first_run(product.test), second_run(product.twin.test, product.test));
  CHECK(audit.where == ComputedOn::device);
  CHECK_FALSE(audit.finding);
}

TEST_CASE("a result that stayed was not, and the copy that brought it is named") {
  const Product product;
  const Bytes result = output_of(product.test.expected[0]).data;
  const std::vector<Transfer> own{{Kind::to_host, true, {3, 0}, product.test.inputs[0].data},
                                  {Kind::to_device, false, {4, 40}, result},
                                  {Kind::to_device, false, {5, 0}, bytes_of({1, 2, 3})}};
  const auto audit_with = [&](const std::vector<Transfer>& transfers) {
    return audit_of(product.twin, first_run(product.test, transfers),
                    second_run(product.test, product.test, transfers));
  };
  const Audit audit = audit_with(own);
  REQUIRE(audit.where == ComputedOn::host);
  CHECK(audit.finding->id == finding_ids::kComputedOnTheHost);
  CHECK(audit.finding->severity == Severity::error);
  CHECK_THAT(audit.finding->message, contains_text("`c` is computed on the host"));
  CHECK_THAT(audit.finding->message, contains_text("this copy brings the result"));
  CHECK_THAT(audit.finding->note, contains_text("`c` did not become their result"));
  CHECK(audit.call == vgpu::CallOrigin{4, 40});
  SECTION("else the last call that brought anything") {
    const Audit other = audit_with({own[0], own[2]});
    CHECK(other.call == vgpu::CallOrigin{5, 0});
    CHECK_THAT(other.finding->message, contains_text("what this call brings"));
  }
  SECTION("else the copy by which the host learnt the values") {
    const Audit other = audit_with({own[0]});
    CHECK(other.call == vgpu::CallOrigin{3, 0});
    CHECK_THAT(other.finding->message, contains_text("values that this copy reads"));
  }
  SECTION("else there is no place") {
    const Audit other = audit_with({});
    REQUIRE(other.where == ComputedOn::host);
    CHECK(other.call.address == 0);
    CHECK_THAT(other.finding->message, contains_text("does not follow from the arrays"));
  }
}

TEST_CASE("copies of host arrays are no sign of anything, unless they bring the result") {
  const datasets::Case test = case_of("vector_add", {{"n", 100}});
  const Twin twin = twin_with("vector_add", {{"n", 100}}).value();
  const Audit audit = audit_of(twin, first_run(test), run_of(test, test, {}, false));
  REQUIRE(audit.where == ComputedOn::host);
  CHECK(audit.call.address == 0);
  const std::vector<Transfer> brought{{Kind::to_device, false, {4, 0}, output_of(test.expected[0]).data}};
  CHECK(audit_of(twin, first_run(test, brought), run_of(test, test, brought, false)).call.address == 4);
}

TEST_CASE("the copy is known though its first result has the bits of an input, and was replaced") {
  const datasets::Case test = case_of("vector_add", {{"n", 100}});
  const Twin twin = twin_with("vector_add", {{"n", 100}}).value();
  std::vector<float> sent(test.expected[0].value.begin(), test.expected[0].value.end());
  sent[0] += 1;
  const std::vector<Transfer> brought{{Kind::to_device, false, {4, 0}, bytes_of(sent)}};
  CHECK(audit_of(twin, first_run(test, brought), run_of(test, test, brought, false)).call.address == 4);
  for (float& each : sent) each += 1;
  const std::vector<Transfer> others{{Kind::to_device, false, {4, 0}, bytes_of(sent)}};
  CHECK(audit_of(twin, first_run(test, others), run_of(test, test, others, false)).call.address == 0);
}

TEST_CASE("of host arrays it does not matter what else the host did") {
  const datasets::Case test = case_of("vector_add", {{"n", 100}});
  const Twin twin = twin_with("vector_add", {{"n", 100}}).value();
  Observation computed = run_of(twin.test, test, {}, false), stayed = run_of(test, test, {}, false);
  for (Observation* second : {&computed, &stayed}) second->launches.resize(7);
  CHECK(audit_of(twin, first_run(test), computed).where == ComputedOn::device);
  CHECK(audit_of(twin, first_run(test), stayed).where == ComputedOn::host);
  datasets::Case another = twin.test;
  for (double& value : another.expected[0].value) value += 1e6;
  Observation neither = run_of(another, test, {}, false);
  CHECK(audit_of(twin, first_run(test), neither).where == ComputedOn::host);
  neither.launches.resize(7);
  CHECK(audit_of(twin, first_run(test), neither).where == ComputedOn::unknown);
}

TEST_CASE("a launch that has the result among its arguments is named") {
  const datasets::Case test = case_of("vector_add", {{"n", 1}});
  const Twin twin = twin_with("vector_add", {{"n", 1}}).value();
  Bytes arguments = output_of(test.expected[0]).data;
  arguments.insert(arguments.begin(), 8, std::byte{1});
  const std::vector<Transfer> own{{Kind::launch, false, {6, 0}, arguments}};
  const Audit audit = audit_of(twin, first_run(test, own), run_of(test, test, own, false));
  REQUIRE(audit.where == ComputedOn::host);
  CHECK(audit.call.address == 6);
  CHECK_THAT(audit.finding->message, contains_text("this launch has the result among its arguments"));
}

TEST_CASE("a result of which a part stayed is not the device's either") {
  const Product product;
  datasets::Case mixed = product.twin.test;
  mixed.expected[0].value[7] = product.test.expected[0].value[7];
  const Audit audit = audit_of(product.twin, first_run(product.test), second_run(mixed, product.test));
  CHECK(audit.where == ComputedOn::host);
}

TEST_CASE("runs that differ in more than the data tell nothing") {
  const Product product;
  const Observation first = first_run(product.test);
  const Observation stayed = second_run(product.test, product.test);
  REQUIRE(audit_of(product.twin, first, stayed).where == ComputedOn::host);
  const auto unknown = [&](const Observation& one, const Observation& other) {
    const Audit audit = audit_of(product.twin, one, other);
    return audit.where == ComputedOn::unknown && !audit.finding;
  };
  Observation changed = stayed;
  changed.end = RunEnd::crashed;
  CHECK(unknown(first, changed));
  changed = stayed;
  changed.launches.resize(2);
  CHECK(unknown(first, changed));
  changed = stayed;
  changed.transfers.transfers.pop_back();
  CHECK(unknown(first, changed));
  changed = stayed;
  changed.transfers.transfers.back().data.pop_back();
  CHECK(unknown(first, changed));
  changed = stayed;
  changed.transfers.complete = false;
  CHECK(unknown(first, changed));
  changed = stayed;
  changed.transfers.transfers[0].replaced = false;
  CHECK(unknown(first, changed));
  changed = stayed;
  changed.outputs.clear();
  CHECK(unknown(first, changed));
}

TEST_CASE("a right result from elsewhere fails its case, and a copy within the device needs no kernel") {
  const auto case_run_of = [](ComputedOn where, std::size_t launches) {
    CaseRun case_run = right_case_run("some");
    case_run.test.inputs = {float_matrix("a", 4, 4)};
    case_run.observed.launches.resize(launches);
    case_run.computed_on = where;
    if (where == ComputedOn::host) case_run.elsewhere = finding("computed-on-the-host", 12);
    return judged(std::move(case_run));
  };
  CHECK_FALSE(case_run_of(ComputedOn::unknown, 1).is_wrong());
  CHECK_FALSE(case_run_of(ComputedOn::device, 1).is_wrong());
  CHECK_FALSE(case_run_of(ComputedOn::device, 0).is_wrong());
  const CaseRun copied = case_run_of(ComputedOn::host, 1), idle = case_run_of(ComputedOn::unknown, 0);
  REQUIRE(copied.judged().ending);
  CHECK(copied.judged().ending->id == finding_ids::kComputedOnTheHost);
  REQUIRE(idle.judged().ending);
  CHECK(idle.judged().ending->id == finding_ids::kNoKernel);
}
