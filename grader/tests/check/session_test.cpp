// Runs Catch2 sessions over session_fixture.cpp and checks what they report. A process can have one session, so this
// program has none of its own to test with: it prints what is wrong and exits 1.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "check/catch_session.h"

namespace {

int faults = 0;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "not so: %s\n", what);
  ++faults;
}

using Texts = std::vector<std::string>;

const cudalabs::TestOutcome* outcome_of(const std::vector<cudalabs::TestOutcome>& outcomes, const char* name) {
  const auto found = std::ranges::find_if(outcomes, [&](const auto& outcome) { return outcome.test.name == name; });
  if (found == outcomes.end()) return nullptr;
  return &*found;
}

void awards(const std::vector<cudalabs::TestOutcome>& outcomes) {
  const auto credit = [&](const char* name) { return outcome_of(outcomes, name)->credit; };
  expect(credit("one: passes with an award") == 0.5, "an award is taken where the test case passes, too");
  expect(credit("one: fails after an award to another") == 0, "an award is to one test case");
  expect(credit("one: fails with a part") == 0.25, "of several awards the last counts");
  expect(!outcome_of(outcomes, "one: throws after an award")->errors.empty(), "an award does not hide an error");
  expect(outcome_of(outcomes, "one: awards what is no share")->failures.empty(), "only 0 to 1 is a share");
  expect(credit("one: awards what is no share") == 0, "what is no share is not awarded");
  expect(credit("one: fails twice") == 0, "who is awarded nothing has no part");
}

void whole_tag(const std::vector<cudalabs::TestOutcome>& outcomes) {
  expect(outcomes.size() == 14, "all fourteen test cases tagged [one] ran, and no other");
  for (const char* name :
       {"one: passes", "one: fails twice", "one: fails with words", "one: fails blind",
        "one: fails blind and for a reason", "one: fails and says what to do", "one: fails once more without",
        "one: throws", "one: asserts nothing", "one: passes with an award", "one: fails after an award to another",
        "one: fails with a part", "one: throws after an award", "one: awards what is no share"}) {
    if (outcome_of(outcomes, name) == nullptr) {
      expect(false, name);
      return;
    }
  }
  const auto& passes = *outcome_of(outcomes, "one: passes");
  expect(passes.failures.empty() && passes.errors.empty() && passes.assertions == 1, "one: passes");
  expect(passes.test.has_tag("one") && passes.test.has_tag("passes") && !passes.test.has_tag("two"), "tags");
  const auto& fails = *outcome_of(outcomes, "one: fails twice");
  expect(fails.failures == Texts{"2 == 3", "the sentence a student reads"} && fails.errors.empty(), "one: fails twice");
  const auto& words = *outcome_of(outcomes, "one: fails with words");
  expect(words.failures == Texts{"just words"} && words.errors.empty(), "one: fails with words");
  expect(fails.saw_fault && words.saw_fault && !passes.saw_fault, "a failure tells what was seen");
  expect(!outcome_of(outcomes, "one: fails blind")->saw_fault, "one: fails blind");
  expect(outcome_of(outcomes, "one: fails blind and for a reason")->saw_fault, "one: fails blind and for a reason");
  expect(outcome_of(outcomes, "one: fails and says what to do")->explained, "one: fails and says what to do");
  expect(!outcome_of(outcomes, "one: fails once more without")->explained, "one: fails once more without");
  expect(!fails.explained && !passes.explained, "others explain nothing");
  const auto& throws = *outcome_of(outcomes, "one: throws");
  expect(throws.failures.empty() && throws.errors == Texts{"the check broke"} && !throws.saw_fault, "one: throws");
  const auto& nothing = *outcome_of(outcomes, "one: asserts nothing");
  expect(nothing.failures.empty() && nothing.errors == Texts{"the check asserted nothing"}, "one: asserts nothing");
  awards(outcomes);
}

void narrowed(const std::vector<cudalabs::TestOutcome>& outcomes) {
  expect(outcomes.size() == 2 && outcome_of(outcomes, "one: passes") && outcome_of(outcomes, "one: throws"),
         "[passes] and [throws], and of these only the ones tagged [one]");
}

/// Two threads with a submission run each, at the same time.
void judged_by_turns() {
  const auto judge = [](const char* gpu, bool passes, std::atomic<int>& wrong) {
    cudalabs::SubmissionRun submission_run;
    submission_run.real_gpu = gpu;
    for (int i = 0; i < 20; ++i) {
      const auto outcomes = cudalabs::run_session(submission_run, "three", {});
      if (outcomes.size() != 1 || outcomes[0].failures.empty() != passes) ++wrong;
    }
  };
  std::atomic<int> wrong = 0;
  {
    const std::jthread right([&] { judge("right", true, wrong); });
    const std::jthread other([&] { judge("other", false, wrong); });
  }
  expect(wrong == 0, "every session judges the submission run that it was given");
}

/// A lab whose first check asks for a build, and whose second for nothing.
cudalabs::Lab asking_lab(const std::string& id, const std::string& title) {
  cudalabs::Lab lab;
  lab.id = id;
  lab.checks = {{"builds", title, cudalabs::Category::build, 5, {}, "", {{cudalabs::Ask::Kind::builds}}},
                {"special", "special", cudalabs::Category::quality, 5, {}, ""}};
  return lab;
}

/// What lab.toml asks is a test case like any other, whenever it was registered.
void asked_checks() {
  const cudalabs::Lab lab = asking_lab("lab8", "it builds");
  const auto registered = [] { return cudalabs::registered_tests().size(); };
  const std::size_t before = registered();
  cudalabs::register_asked_checks(lab);
  expect(registered() == before + 1, "one check asks for something");
  cudalabs::register_asked_checks(lab);
  expect(registered() == before + 1, "it is registered once");
  cudalabs::SubmissionRun submission_run;
  submission_run.lab = &lab;
  for (const bool builds : {true, false, true}) {
    submission_run.build.ok = builds;
    const auto outcomes = cudalabs::run_session(submission_run, "lab8", {});
    expect(outcomes.size() == 1, "it runs in a session after others");
    if (outcomes.size() != 1) return;
    expect(outcomes[0].test.name == "lab8: it builds" && outcomes[0].test.has_tag("builds"), "its name and its tags");
    expect(outcomes[0].failures.empty() == builds && outcomes[0].errors.empty(), "it asks what it asks");
  }
  expect(cudalabs::run_session(submission_run, "lab8", {"[builds]"}).size() == 1, "it can be selected");
  expect(cudalabs::run_session(submission_run, "lab8", {"[special]"}).empty(), "what asks nothing is no test case");
  // Of the same id in another folder, with another title and another way to ask: the lab of the submission run decides.
  cudalabs::Lab other = asking_lab("lab8", "another title");
  other.checks[0].asks = {{cudalabs::Ask::Kind::none, {"no-such-finding"}}};
  cudalabs::register_asked_checks(other);
  expect(registered() == before + 1, "a check has one test case, whatever its title");
  submission_run.lab = &other;
  const auto outcomes = cudalabs::run_session(submission_run, "lab8", {});
  expect(outcomes.size() == 1 && !outcomes[0].errors.empty(), "a name that nothing has is the lab's fault");
  cudalabs::register_asked_checks(asking_lab("lab7", "it builds"));
  expect(cudalabs::run_session(submission_run, "lab7", {}).size() == 1, "another lab's is another test case");
}

template <typename Error, typename Body>
bool throws(Body body) {
  try {
    body();
  } catch (const Error&) {
    return true;
  }
  return false;
}

}  // namespace

int main() {
  const auto run = [](const cudalabs::SubmissionRun& submission_run, const std::vector<std::string>& arguments) {
    return cudalabs::run_session(submission_run, "one", arguments);
  };
  const cudalabs::SubmissionRun submission_run;
  for (int round = 0; round < 3; ++round) {  // whatever the runs before were asked for, and however they ended
    expect(cudalabs::registered_tests().size() == 16, "sixteen test cases are registered");
    narrowed(run(submission_run, {"[passes]", "[throws]"}));
    expect(throws<std::invalid_argument>([&] { run(submission_run, {"--no-such-option"}); }),
           "unknown options are refused");
    whole_tag(run(submission_run, {}));
  }
  judged_by_turns();
  asked_checks();
  expect(throws<std::logic_error>([] { cudalabs::submission_run(); }), "there is no submission run between runs");
  return faults == 0 ? 0 : 1;
}
