// Whether the comparison with a device's record sees what it must: records of the virtual GPU, with planted deviations.
#include "outcomes.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "error_bounds.h"
#include "instruction_forms.h"
#include "tree/tree_paths.h"
#include "virtual_answers.h"

using namespace cudalabs::conformance;

namespace {

const InstructionForm& form_called(const std::string& key) {
  static const std::vector<InstructionForm> kForms = [] {
    std::vector<InstructionForm> forms = all_instruction_forms();
    for (InstructionForm& form : all_function_forms()) forms.push_back(std::move(form));
    return forms;
  }();
  const auto found = std::ranges::find(kForms, key, &InstructionForm::key);
  REQUIRE(found != kForms.end());
  return *found;
}

/// One form, what the virtual GPU answers, and what a device is said to answer.
struct Answers {
  explicit Answers(const std::string& key) : form(form_called(key)), operands(operands_of(form)) {
    VirtualDevice device;
    ours = answer_to(form, operands, device).value();
    theirs = ours;
  }

  std::string record() const {
    Record record;
    record.forms[form.key()] = digests_of(form, operands, theirs);
    if (form.approximate()) record.samples[form.key()] = samples_of(form, operands, theirs);
    return write_record(record);
  }
  Outcome outcome() const { return compare_form(form, operands, ours, read_record(record())); }
  /// A row of which the result is kept, of that sort.
  std::size_t sampled(Sort sort) const {
    for (const std::size_t row : sampled_rows(form, operands)) {
      if (sort_of(form, operands, row) == sort) return row;
    }
    FAIL("no such row");
    return 0;
  }

  InstructionForm form;
  OperandTable operands;
  std::vector<FormResult> ours, theirs;
};

Outcome outcome_of(Agreement agreement, const std::string& key, const std::string& rows = "") {
  return {.key = key, .agreement = agreement, .rows = rows, .what = "as planted"};
}

}  // namespace

TEST_CASE("the same answers agree", "[vgpu]") {
  for (const char* const key : {"add.rn.f32 fff", "atom.global.add.u32 rrr", "sin.approx.f32 ff", "ex2.approx.f16x2 rr",
                                "__nv_expf ff", "__nv_frexp ee", "__nv_sincosf f", "__nv_llrint de"}) {
    CAPTURE(key);
    const Outcome outcome = Answers(key).outcome();
    CHECK(outcome.agreement == Agreement::same);
    CHECK(outcome.rows.empty());
  }
}

TEST_CASE("a bit of an exact form's result is seen, with the sort of its row", "[vgpu]") {
  for (const char* const key : {"add.rn.f32 fff", "__nv_floor ee", "__nv_llrint de", "fma.rn.f64 eeee"}) {
    for (const Sort sort : {Sort::nan, Sort::infinity, Sort::subnormal, Sort::ordinary}) {
      CAPTURE(key, name_of(sort));
      Answers answers(key);
      for (std::size_t row = 0; row < answers.operands.rows(); ++row) {
        if (sort_of(answers.form, answers.operands, row) != sort) continue;
        answers.theirs[row].first ^= 1;
        break;
      }
      const Outcome outcome = answers.outcome();
      CHECK(outcome.agreement == Agreement::differs);
      CHECK(outcome.rows == name_of(sort));
      CHECK_FALSE(outcome.what.empty());
    }
  }
}

TEST_CASE("an approximation may differ within its bound, and not beyond", "[vgpu]") {
  const std::map<std::string, std::pair<unsigned, unsigned>> kUlps{
      {"__nv_expf ff", {3, 4}},      {"__nv_acosh ee", {4, 5}},    {"rcp.approx.f32 ff", {2, 3}},
      {"ex2.approx.f32 ff", {3, 4}}, {"div.full.f32 fff", {3, 4}}, {"tanh.approx.f32 ff", {2000, 20000}}};
  for (const auto& [key, ulps] : kUlps) {
    CAPTURE(key);
    Answers answers(key);
    std::size_t row = answers.operands.rows();
    for (const std::size_t sampled : sampled_rows(answers.form, answers.operands)) {
      const double value = real_values(answers.form.result, answers.ours[sampled].first)[0].value;
      if (sort_of(answers.form, answers.operands, sampled) == Sort::ordinary && value > 0.1 && value < 10)
        row = sampled;
    }
    REQUIRE(row < answers.operands.rows());
    answers.theirs[row].first += ulps.first;
    const Outcome near = answers.outcome();
    CHECK(near.agreement == Agreement::within_bound);
    CHECK(near.ulps == ulps.first);
    answers.theirs[row].first = answers.ours[row].first + ulps.second;
    const Outcome far = answers.outcome();
    CHECK(far.agreement == Agreement::differs);
    CHECK(far.rows == "ordinary");
    CHECK(far.what.find("times the bound; operands") != std::string::npos);
  }
}

TEST_CASE("what is no number has no neighbours", "[vgpu]") {
  Answers answers("__nv_expf ff");
  answers.theirs[answers.sampled(Sort::nan)].first = 0x3F80'0000;
  CHECK(answers.outcome().rows == "NaN");
  Answers root("sqrt.approx.f32 ff");
  const std::size_t zero = root.sampled(Sort::zero);
  root.theirs[zero].first ^= 0x8000'0000;
  CHECK(root.outcome().agreement == Agreement::within_bound);  // the other zero is the next number
  root.theirs[zero].first = 0x7FC0'0000;
  CHECK(root.outcome().rows == "zero");
}

TEST_CASE("the integer that a function delivers beside its result is exact", "[vgpu]") {
  Answers answers("__nv_remquof fff");
  answers.theirs[answers.sampled(Sort::ordinary)].second ^= 1;
  CHECK(answers.outcome().agreement == Agreement::differs);
}

TEST_CASE("what the device or the virtual GPU does not execute is no difference", "[vgpu]") {
  const Answers answers("add.rn.f32 fff");
  CHECK(compare_form(answers.form, answers.operands, answers.ours, Record{}).agreement == Agreement::not_recorded);
  Record record;
  record.forms[answers.form.key()] = digests_of(answers.form, answers.operands, answers.theirs);
  CHECK(compare_form(answers.form, answers.operands, std::nullopt, record).agreement == Agreement::no_answer);
  CHECK(compare_program("together 1", std::nullopt, Record{}).agreement == Agreement::not_recorded);
}

TEST_CASE("a program's output is held to the byte", "[vgpu]") {
  const std::vector<NamedProgram> programs = all_programs();
  VirtualDevice device;
  for (const char* const name : {"mixed 3", "together 7", "inactive 1"}) {
    CAPTURE(name);
    const auto program = std::ranges::find(programs, std::string(name), &NamedProgram::name);
    REQUIRE(program != programs.end());
    std::vector<std::byte> output = answer_to(*program, device).value();
    Record record;
    record.programs[name] = digest_of(output);
    CHECK(compare_program(name, output, record).agreement == Agreement::same);
    output.back() ^= std::byte{1};
    CHECK(compare_program(name, output, record).agreement == Agreement::differs);
  }
}

TEST_CASE("a difference is wrong unless it is known, and a known one that is gone is wrong", "[vgpu]") {
  const std::vector<Outcome> outcomes{outcome_of(Agreement::same, "add.u32 rrr"),
                                      outcome_of(Agreement::within_bound, "sin.approx.f32 ff"),
                                      outcome_of(Agreement::differs, "neg.f16x2 rr", "NaN"),
                                      outcome_of(Agreement::differs, "abs.f16x2 rr", "NaN"),
                                      outcome_of(Agreement::no_answer, "szext.u32 rrr"),
                                      outcome_of(Agreement::not_recorded, "bmsk.b32 rrr")};
  const auto lines = [&](const std::vector<KnownDeviation>& known) { return complaints(outcomes, known); };
  using Lines = std::vector<std::string>;
  CHECK(lines({}) == Lines{"neg.f16x2 rr (rows with NaN): as planted", "abs.f16x2 rr (rows with NaN): as planted"});
  CHECK(lines({{"*.f16x2 rr", "NaN", ""}}).empty());
  CHECK(lines({{"neg.f16x2 rr", "NaN", ""}, {"abs.f16x2 rr", "NaN", ""}}).empty());
  CHECK(lines({{"*.f16x2 rr", "NaN", ""}, {"add.u32 rrr", "ordinary", ""}}) ==
        Lines{"add.u32 rrr: agrees; take it out of the known deviations"});
  CHECK(lines({{"*.f16x2 rr", "NaN", ""}, {"sin*", "ordinary", ""}}) ==
        Lines{"sin.approx.f32 ff: agrees; take it out of the known deviations"});
  CHECK(lines({{"neg.f16x2 rr", "NaN", ""}, {"abs.f16x2 rr", "infinity", ""}}) ==
        Lines{"abs.f16x2 rr (rows with NaN): another deviation than the known one, in rows with infinity; as planted"});
  for (const char* const gone : {"nothing", "szext*", "bmsk*"}) {
    CHECK(lines({{"*.f16x2 rr", "NaN", ""}, {gone, "NaN", ""}}) ==
          Lines{std::string(gone) + ": a known deviation of nothing that the record has"});
  }
}

TEST_CASE("the program fails for a difference and is skipped without a record", "[vgpu]") {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("conformance-test-" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  const auto exit_status = [&] {
    const std::string command = "'" + cudalabs::build_path("grader/tests/vgpu_conformance/virtual_conformance") +
                                "' '" + folder.string() + "' >/dev/null 2>&1";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  };
  const auto write = [&](const std::string& text) { std::ofstream(folder / "conformance-gpu.json") << text; };
  CHECK(exit_status() == 77);
  Answers answers("sin.approx.f32 ff");
  write(answers.record());
  CHECK(exit_status() == 0);
  answers.theirs[answers.sampled(Sort::zero)].first = 0x7F00'0000;
  write(answers.record());
  CHECK(exit_status() == 1);
  write("{}");
  CHECK(exit_status() == 1);
  std::filesystem::remove_all(folder);
}
