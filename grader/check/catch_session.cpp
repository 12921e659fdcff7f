// Runs of the Catch2 session over the labs' test cases, as plain data.
//
// Signals stay with the program: Ctrl-C must end it as it would end any other, and a crash is not a failed test case.
#if !__has_include(<catch2/catch_all.hpp>)
#define CATCH_CONFIG_RUNNER
#define CATCH_CONFIG_NO_POSIX_SIGNALS
#endif
#include "check/catch_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "catch/catch.h"
#include "check/asked_checks.h"
#include "check/award.h"
#include "check/failed_cases.h"
#include "check/nothing_seen.h"
#include "check/session_state.h"
#include "check/unseen.h"

namespace cudalabs {
namespace {

#if CUDALABS_CATCH2_V3
using ListenerBase = Catch::EventListenerBase;
using AssertionEnded = void;
std::string text_of(const Catch::Tag& tag) {
  return std::string(tag.original);
}
const Catch::TestCaseInfo& info_of(const Catch::TestCaseHandle& test) {
  return test.getTestCaseInfo();
}
#else
using ListenerBase = Catch::TestEventListenerBase;
using AssertionEnded = bool;
std::string text_of(const std::string& tag) {
  return tag;
}
const Catch::TestCaseInfo& info_of(const Catch::TestCase& test) {
  return test;
}
#endif

TestCase test_case(const Catch::TestCaseInfo& info) {
  TestCase test{info.name, {}};
  for (const auto& tag : info.tags) test.tags.push_back(text_of(tag));
  return test;
}

/// What a person should read of a failed assertion: the messages that came with it, else the expression as it was
/// evaluated (of a matcher: the subject and the matcher's description).
std::string text_of(const Catch::AssertionStats& stats) {
  const Catch::AssertionResult& result = stats.assertionResult;
  std::string text;
  for (const auto& message : stats.infoMessages) {
    if (!text.empty()) text += '\n';
    text += message.message;
  }
  if (text.empty() && result.hasMessage()) text = std::string(result.getMessage());
  if (text.empty()) text = result.getExpandedExpression();
  return text;
}

std::vector<TestOutcome>& outcomes() {
  return session_state().outcomes;
}

/// Catch2 allows for one in a process, which forgets all test cases when it goes: this one never does.
Catch::Session& only_session() {
  static auto& session = *new Catch::Session;
  return session;
}

/// Of the one session and the one registry of test cases.
std::mutex& session_mutex() {
  static std::mutex mutex;
  return mutex;
}

/// The submission run is there for the test cases as long as this is.
class Judging {
 public:
  explicit Judging(const SubmissionRun& submission_run) : lock_(session_mutex()) {
    session_state() = {};
    session_state().submission_run = &submission_run;
  }
  ~Judging() { session_state() = {}; }
  Judging(const Judging&) = delete;
  Judging& operator=(const Judging&) = delete;

 private:
  std::lock_guard<std::mutex> lock_;
};

/// Collects what happens, beside whichever reporter prints it.
class OutcomeListener : public ListenerBase {
 public:
  using ListenerBase::ListenerBase;

  void testCaseStarting(const Catch::TestCaseInfo& info) override {
    outcomes().emplace_back().test = test_case(info);
    take_award();
    take_unseen();
  }

  AssertionEnded assertionEnded(const Catch::AssertionStats& stats) override {
    const Catch::AssertionResult& result = stats.assertionResult;
    const bool saw = !take_nothing_seen(), explained = take_explained();
    std::vector<FailedCase> failed = take_failed_cases();
    if (!result.isOk()) {
      const auto type = result.getResultType();
      const bool broke = type == Catch::ResultWas::ThrewException || type == Catch::ResultWas::FatalErrorCondition;
      (broke ? outcomes().back().errors : outcomes().back().failures).push_back(text_of(stats));
      outcomes().back().saw_fault |= !broke && saw;
      outcomes().back().explained =
          explained && (outcomes().back().failures.size() == 1 || outcomes().back().explained);
      // A failure that names no case has its own reason.
      if (failed.empty()) failed.emplace_back();
      std::ranges::move(failed, std::back_inserter(outcomes().back().failed_in));
    }
    return AssertionEnded(true);
  }

  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    TestOutcome& outcome = outcomes().back();
    outcome.credit = take_award().value_or(0);
    outcome.unseen = take_unseen();
    outcome.assertions = static_cast<std::size_t>(stats.totals.assertions.total());
    if (outcome.assertions == 0) outcome.errors.emplace_back("the check asserted nothing");
  }
};

const Catch::ITestCaseRegistry& registry() {
  return Catch::getRegistryHub().getTestCaseRegistry();
}

std::vector<TestCase> all_tests() {
  std::vector<TestCase> tests;
  for (const auto& test : registry().getAllTests()) tests.push_back(test_case(info_of(test)));
  return tests;
}

/// What lab.toml asks, as a test case.
class AskedTest : public Catch::ITestInvoker {
 public:
  explicit AskedTest(std::string check) : check_(std::move(check)) {}
  void invoke() const override { assert_asked(check_); }

 private:
  std::string check_;
};

void register_test(const std::string& name, const std::string& tags, const std::string& check) {
  Catch::IMutableRegistryHub& hub = Catch::getMutableRegistryHub();
#if CUDALABS_CATCH2_V3
  hub.registerTest(Catch::makeTestCaseInfo("", {name, tags}, CATCH_INTERNAL_LINEINFO),
                   Catch::Detail::make_unique<AskedTest>(check));
#else
  hub.registerTest(Catch::makeTestCase(new AskedTest(check), "", {name, tags}, CATCH_INTERNAL_LINEINFO));
#endif
}

/// Catch2 keeps the test cases in the order of the last session, and sorts them anew only for another order: what was
/// registered after a session would not be seen in the next one.
void sort_anew() {
#if CUDALABS_CATCH2_V3
  using Order = Catch::TestRunOrder;
  constexpr std::array kOrders{Order::LexicographicallySorted, Order::Declared};
#else
  using Order = Catch::RunTests;
  constexpr std::array kOrders{Order::InLexicographicalOrder, Order::InDeclarationOrder};
#endif
  for (const auto order : kOrders) {
    Catch::ConfigData data;
    data.runOrder = order;
    registry().getAllTestsSorted(Catch::Config(data));
  }
}

bool is_option(const std::string& argument) {
  return argument.starts_with('-');
}

/// Catch2's command line: every test specification is narrowed to the tag, every option is passed on.
std::vector<std::string> command_line(const std::string& tag, const std::vector<std::string>& arguments) {
  std::vector<std::string> line{"grade"};
  std::string specification;
  bool option_value = false;
  for (const std::string& argument : arguments) {
    // Catch2 has options with values; "[tag]" and "*name*" after one of them could be either. A value never looks like
    // a tag, and a name can be given first.
    if (is_option(argument) || (option_value && !argument.starts_with('['))) {
      line.push_back(argument);
    } else {
      specification += (specification.empty() ? "[" : ",[") + tag + "]" + argument;
    }
    option_value = is_option(argument);
  }
  line.push_back(specification.empty() ? "[" + tag + "]" : specification);
  if (std::ranges::none_of(arguments, is_option)) line.insert(line.end(), {"-o", "/dev/null"});
  return line;
}

}  // namespace

std::vector<TestCase> registered_tests() {
  const std::lock_guard lock(session_mutex());
  return all_tests();
}

void register_asked_checks(const Lab& lab) {
  const std::lock_guard lock(session_mutex());
  const std::vector<TestCase> known = all_tests();
  bool more = false;
  for (const Check& check : lab.checks) {
    const auto decides = [&](const TestCase& test) { return test.has_tag(lab.id) && test.has_tag(check.id); };
    if (check.asks.empty() || std::ranges::any_of(known, decides)) continue;
    std::string name = fmt::format("{}: {}", lab.id, check.title);
    // Another lab of this id, from another folder, may ask the same under another name.
    if (std::ranges::find(known, name, &TestCase::name) != known.end()) name += fmt::format(" [{}]", check.id);
    register_test(name, fmt::format("[{}][{}]", lab.id, check.id), check.id);
    more = true;
  }
  if (more) sort_anew();
}

std::vector<TestOutcome> run_session(const SubmissionRun& submission_run, const std::string& tag,
                                     const std::vector<std::string>& arguments) {
  const std::vector<std::string> line = command_line(tag, arguments);
  std::vector<const char*> pointers;
  for (const std::string& word : line) pointers.push_back(word.c_str());
  const Judging judging(submission_run);
  Catch::Session& session = only_session();
  session.useConfigData({});  // nothing of the run before
  if (session.applyCommandLine(static_cast<int>(pointers.size()), pointers.data()) != 0) {
    throw std::invalid_argument("Catch2 does not understand the arguments after --");
  }
  session.run();
  return std::exchange(outcomes(), {});
}

CATCH_REGISTER_LISTENER(OutcomeListener)

}  // namespace cudalabs
