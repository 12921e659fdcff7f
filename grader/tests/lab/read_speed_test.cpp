// Reading [[speed]] of lab.toml: what a good file gives, and that each rule is enforced at the right line.
#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "catch.h"
#include "lab_folder.h"

using cudalabs::Lab;
using cudalabs::testing::kGood;
using cudalabs::testing::kTimed;
using cudalabs::testing::LabFolder;
using cudalabs::testing::timed;

TEST_CASE("how a lab is timed is read in full") {
  const LabFolder folder;
  folder.toml(timed());
  const Lab lab = folder.read();
  REQUIRE(lab.speed.size() == 1);
  const cudalabs::SpeedTest& speed = lab.speed[0];
  CHECK(speed.check == "bandwidth");
  CHECK(speed.parameters == std::map<std::string, std::int64_t>{{"m", 8}, {"n", 9}});
  CHECK(speed.modelled_parameters == std::map<std::string, std::int64_t>{{"m", 4}, {"n", 3}});
  CHECK(speed.modelled_baseline_parameters == std::map<std::string, std::int64_t>{{"n", 2}});
  CHECK(speed.per_launch);
  CHECK(speed.bytes == 4096);
  CHECK(speed.operations == 0);
  CHECK(speed.baseline == "copy");
  CHECK(speed.baseline_parameters == std::map<std::string, std::int64_t>{{"n", 16}});
  CHECK(speed.baseline_bytes == 8192);
  CHECK(speed.baseline_operations == 0);
  CHECK(speed.share_of_baseline() == 0.5);
  REQUIRE(speed.thresholds.size() == 2);
  CHECK(speed.thresholds[0].device == "h200");
  CHECK(speed.thresholds[0].none == 0.25);
  CHECK(speed.thresholds[0].full == 0.5);
  CHECK(speed.thresholds[0].honours == 0.75);
  CHECK(speed.thresholds[0].source == "measured");
  CHECK(speed.thresholds[1].device == "any");
  CHECK(speed.thresholds[1].honours == 0);
}

TEST_CASE("calls are timed, and do the baseline's work, where nothing else is said") {
  const LabFolder folder;
  folder.toml(timed("unit = \"launch\"\n", "", timed("baseline_bytes = 8192\n", "")));
  CHECK_FALSE(folder.read().speed[0].per_launch);
  CHECK(folder.read().speed[0].share_of_baseline() == 1);
  folder.toml(timed("unit = \"launch\"", "unit = \"call\""));
  CHECK_FALSE(folder.read().speed[0].per_launch);
  folder.toml(timed("operations = 0", "operations = 60", timed("baseline_bytes = 8192", "baseline_operations = 20")));
  CHECK(folder.read().speed[0].share_of_baseline() == 3);
}

TEST_CASE("a [[speed]] that breaks a rule is refused with its line and key") {
  struct Broken {
    std::string text;
    int line;  // of kTimed; 0: the first of the file
    std::string error;
  };
  const std::string again(kTimed.substr(kTimed.find("[[speed]]")));
  const Broken broken = GENERATE_COPY(values<Broken>({
      {timed("check = \"bandwidth\"", "check = \"bandwith\""), 10,
       "`check` is \"bandwith\", which is no check of category speed"},
      {timed("check = \"bandwidth\"", "check = \"square\""), 10,
       "`check` is \"square\", which is no check of category speed"},
      {timed("category = \"speed\"", "category = \"quality\""), 10,
       "`check` is \"bandwidth\", which is no check of category speed"},
      {std::string(kGood) + std::string(kTimed.substr(0, kTimed.find("[[speed]]"))), 0,
       "\"bandwidth\" is of category speed: one [[speed]] must name it"},
      {timed() + again, 0, "\"bandwidth\" is of category speed: one [[speed]] must name it"},
      {timed("unit = \"launch\"", "unit = \"kernel\""), 13, "`unit` is \"kernel\"; it is \"call\" or \"launch\""},
      {timed("baseline = \"copy\"", "baseline = \"../copy\""), 16, "`baseline` is \"../copy\""},
      {timed("parameters = { m = 8, n = 9 }\n", ""), 9, "`parameters` in [[speed]] is missing"},
      {timed("baseline_parameters = { n = 16 }", "baseline_parameters = { n = 1.5 }"), 17,
       "`n` of `baseline_parameters` in [[speed]] must be an integer"},
      {timed("modelled_parameters = { m = 4, n = 3 }\n", ""), 9, "`modelled_parameters` in [[speed]] is missing"},
      {timed("modelled_baseline_parameters = { n = 2 }\n", ""), 9,
       "`modelled_baseline_parameters` in [[speed]] is missing"},
      {timed("bytes = 4096\n", ""), 9, "`bytes` in [[speed]] is missing"},
      {timed("bytes = 4096", "bytes = -1"), 14, "`bytes` in [[speed]] must not be negative"},
      {timed("operations = 0\n", ""), 9, "`operations` in [[speed]] is missing"},
      {timed("baseline_bytes = 8192", "baseline_bytes = 8192\nbaseline_operations = 1"), 9,
       "rates are compared by `baseline_bytes` or by `baseline_operations`, not by both"},
      // A rate of nothing in a time.
      {timed("bytes = 4096", "bytes = 0"), 9, "a rate needs the work that is done in a time"},
      {timed("baseline_bytes = 8192", "baseline_operations = 8192"), 9, "a rate needs the work that is done in a time"},
      {timed("unit =", "units ="), 13, "unknown key `units` in [[speed]]; did you mean \"unit\"?"},
      // Thresholds.
      {timed("device = \"any\"", "device = \"a100\""), 9, "[[speed.thresholds]] has none whose `device` is \"any\""},
      {std::string(kGood) + std::string(kTimed.substr(0, kTimed.find("[[speed.thresholds]]"))), 9,
       "`thresholds` in [[speed]] is missing"},
      {timed("device = \"h200\"", "device = \"any\""), 28, "`device` has thresholds already"},
      {timed("device = \"any\"", "device = \"h200\""), 28, "`device` has thresholds already"},
      {timed("device = \"h200\"", "device = \"h20\""), 22, "`device` is \"h20\"; did you mean \"h200\"?"},
      {timed("device = \"any\"", "device = \"Any\""), 29, "`device` is \"Any\""},
      {timed("full = 0.5", "full = 0.25"), 21, "the ratios must grow from `none` to `full` to `honours`"},
      {timed("full = 0.5", "full = 0.2"), 21, "the ratios must grow from `none` to `full` to `honours`"},
      {timed("honours = 0.75", "honours = 0.4"), 21, "the ratios must grow from `none` to `full` to `honours`"},
      {timed("none = 0.25", "none = -0.25"), 23, "`none` in [[thresholds]] must not be negative"},
      {timed("full = 0.5", "full = inf"), 24, "`full` in [[thresholds]] must be finite"},
      {timed("none = 0.25", "none = nan"), 23, "`none` in [[thresholds]] must be finite"},
      {timed("source = \"measured\"\n", ""), 21, "`source` in [[thresholds]] is missing"},
      {timed("source = \"guessed\"", "source = \"guessed\"\nsure = 0"), 33, "unknown key `sure` in [[thresholds]]"},
  }));
  const auto lines_before = broken.line == 0 ? 1 : std::count(kGood.begin(), kGood.end(), '\n') + broken.line;
  const std::string expected = "lab.toml:" + std::to_string(lines_before) + ": " + broken.error;
  CAPTURE(expected);
  const LabFolder folder;
  folder.toml(broken.text);
  const std::string error = folder.error();
  CAPTURE(error);
  CHECK(error.starts_with(expected));
}
