// Reading lab.toml and hidden.toml: what a good file gives, and that each rule is enforced at the right line.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "catch.h"
#include "lab_folder.h"

using cudalabs::Ask;
using cudalabs::CaseChoice;
using cudalabs::Category;
using cudalabs::Check;
using cudalabs::Lab;
using cudalabs::LabError;
using cudalabs::read_lab;
using cudalabs::sandbox::TemporaryFolder;
using cudalabs::testing::kGood;
using cudalabs::testing::LabFolder;
using cudalabs::testing::timed;
using cudalabs::testing::with;

namespace {

constexpr std::string_view kHidden = R"(seed = 99

[[cases]]
name = "secret"
title = "a hidden one"
parameters = { m = 5, n = 6 }
tags = ["square"]
)";

}  // namespace

TEST_CASE("a good lab.toml is read in full") {
  const LabFolder folder;
  const Lab lab = folder.read();
  CHECK(lab.id == "lab9");
  CHECK(lab.slug == "lab9_thing");
  CHECK(lab.title == "A lab");
  CHECK(lab.seed == 7);
  CHECK(lab.folder == folder.root() / "labs/lab9_thing");
  CHECK(lab.solution_folder == folder.root() / "solutions/lab9_thing");
  CHECK(lab.contract.header == "thing.h");
  CHECK(lab.contract.source == "thing.cu");
  CHECK(lab.contract.runner == "runner.cpp");
  CHECK(lab.contract.functions == std::vector<std::string>{"thing", "other_thing"});
  CHECK(lab.device_model == "a100");
  CHECK(lab.limits.cpu_seconds == 1.5);
  CHECK(lab.limits.kernel_seconds == 2);
  CHECK(lab.limits.processes == 5);
  CHECK(lab.limits.cases_at_a_time == 2);
  CHECK(lab.limits.memory_mib == cudalabs::Limits{}.memory_mib);
  REQUIRE(lab.checks.size() == 2);
  CHECK(lab.checks[0].category == Category::build);
  CHECK(lab.checks[1].id == "square");
  CHECK(lab.checks[1].title == "squares are right");
  CHECK(lab.checks[1].category == Category::correctness);
  CHECK(lab.checks[1].points == 2.5);
  CHECK(lab.checks[1].needs == std::vector<std::string>{"compiles"});
  CHECK(lab.checks[1].help == "think");
  CHECK(lab.max_points() == 12.5);
  REQUIRE(lab.cases.size() == 2);
  CHECK(lab.cases[0].name == "small");
  CHECK(lab.cases[0].title == "a small one");
  CHECK(lab.cases[0].parameters == std::map<std::string, std::int64_t>{{"m", 3}, {"n", -4}});
  CHECK(lab.cases[0].tags == std::vector<std::string>{"square"});
  CHECK_FALSE(lab.cases[0].hidden);
  CHECK_FALSE(lab.cases[0].seed.has_value());
  CHECK(lab.cases[1].tags.empty());
}

TEST_CASE("a case says which call fails") {
  const LabFolder folder;
  folder.toml(with("tags = [\"square\"]", "faults = { allocation = 3 }\ntags = [\"square\"]"));
  CHECK(folder.read().cases[0].faults ==
        cudalabs::datasets::Faults{.allocation = 3, .launch = 0, .message_only = false});
  CHECK_FALSE(folder.read().cases[1].faults.any());
  folder.toml(with("tags = [\"square\"]", "faults = { allocation = 1, launch = 2 }\ntags = [\"square\"]"));
  CHECK(folder.read().cases[0].faults ==
        cudalabs::datasets::Faults{.allocation = 1, .launch = 2, .message_only = false});
  folder.toml(with("tags = [\"square\"]", "faults = { copy = 2 }\ntags = [\"square\"]"));
  CHECK(folder.read().cases[0].faults.copy == 2);
  CHECK(folder.read().cases[0].faults.any());
  folder.toml(with("tags = [\"square\"]", "faults = { kernel = 2 }\ntags = [\"square\"]"));
  CHECK(folder.read().cases[0].faults.kernel == 2);
  CHECK(folder.read().cases[0].faults.any());
  folder.toml(with("tags = [\"square\"]", "faults = { launch = 1, message_only = true }\ntags = [\"square\"]"));
  CHECK(folder.read().cases[0].faults ==
        cudalabs::datasets::Faults{.allocation = 0, .launch = 1, .message_only = true});
  folder.toml(with("tags = [\"square\"]", "faults = { last_launch = true }\ntags = [\"square\"]"));
  CHECK(folder.read().cases[0].faults.last_launch);
  CHECK(folder.read().cases[0].faults.function == 1);
  CHECK(folder.read().cases[0].faults.any());
  folder.toml(with("tags = [\"square\"]", "faults = { function = 2, launch = 1 }\ntags = [\"square\"]"));
  CHECK(folder.read().cases[0].faults.function == 2);
}

TEST_CASE("a case may come after another one in the same process") {
  const LabFolder folder;
  folder.toml(with("title = \"a large one\"", "title = \"a large one\"\nafter = \"small\""));
  CHECK(folder.read().cases[0].after.empty());
  CHECK(folder.read().cases[1].after == "small");
}

TEST_CASE("a case may come after one in which calls fail") {
  const LabFolder folder;
  const auto read = [&](const std::string& faults, const std::string& own) {
    std::string text = with("tags = [\"square\"]", "faults = " + faults + "\ntags = [\"square\"]");
    const std::string title = "title = \"a large one\"";
    text.replace(text.find(title), title.size(), title + "\nafter = \"small\"" + own);
    folder.toml(text);
    return folder.read();
  };
  const Lab lab = read("{ allocation = 3 }", "");
  CHECK(lab.cases[0].faults.allocation == 3);
  CHECK(lab.cases[1].after == "small");
  CHECK_FALSE(lab.cases[1].faults.any());
  CHECK_THROWS_WITH(read("{ allocation = 3 }", "\nfaults = { launch = 1 }"),
                    cudalabs::contains_text("only in one of two calls may something fail"));
  CHECK_THROWS_WITH(read("{ last_launch = true }", ""),
                    cudalabs::contains_text("neither the last launch nor a kernel fails"));
  CHECK_THROWS_WITH(read("{ kernel = 1 }", ""), cudalabs::contains_text("neither the last launch nor a kernel fails"));
}

TEST_CASE("a lab may ask for shapes next to a submission's own numbers") {
  const LabFolder folder;
  CHECK(folder.read().boundary_cases.sizes.empty());
  const auto boundaries = [](std::string_view text) {
    return std::string(kGood) + "\n[boundary_cases]\n" + std::string(text);
  };
  folder.toml(boundaries("sizes = [\"m\", \"n\"]\nparameters = { k = 1 }\ntags = [\"square\"]\nmost_work = 500\n"));
  const cudalabs::BoundaryCases read = folder.read().boundary_cases;
  CHECK(read.sizes == std::vector<std::string>{"m", "n"});
  CHECK(read.parameters == std::map<std::string, std::int64_t>{{"k", 1}});
  CHECK(read.tags == std::vector<std::string>{"square"});
  CHECK(read.most_work == 500);
  CHECK(read.most_alone == 0);
  folder.toml(boundaries("sizes = [\"m\"]\ntags = [\"square\"]\nmost_work = 500\nmost_alone = 900\n"));
  CHECK(folder.read().boundary_cases.most_alone == 900);
  CHECK(folder.read().boundary_cases.most_of_two == 0);
  folder.toml(boundaries("sizes = [\"m\"]\ntags = [\"square\"]\nmost_work = 500\nmost_of_two = 700\n"));
  CHECK(folder.read().boundary_cases.most_of_two == 700);
  CHECK(folder.read().boundary_cases.most_failing == 0);
  const std::string failing = "tags = [\"square\"]\nmost_work = 500\nmost_failing = 900\n";
  folder.toml(boundaries("sizes = [\"m\"]\n" + failing + "failing_tags = [\"square\"]\n"));
  CHECK(folder.read().boundary_cases.most_failing == 900);
  CHECK(folder.read().boundary_cases.failing_tags == std::vector<std::string>{"square"});
  folder.toml(boundaries("sizes = [\"m\"]\n" + failing));
  CHECK(folder.error().find("needs both `most_failing` and `failing_tags`") != std::string::npos);
  folder.toml(boundaries("sizes = [\"m\", \"n\"]\n" + failing + "failing_tags = [\"square\"]\n"));
  CHECK(folder.error().find("so `sizes` must name one parameter") != std::string::npos);
  folder.toml(boundaries("sizes = [\"q\"]\ntags = [\"square\"]\nmost_work = 500\n"));
  CHECK(folder.error().starts_with("lab.toml:45: `sizes` names \"q\", which is a parameter of no case"));
  folder.toml(boundaries("sizes = [\"m\"]\ntags = [\"sqare\"]\nmost_work = 500\n"));
  CHECK(folder.error().starts_with("lab.toml:46: `tags` of [boundary_cases] names \"sqare\", which is no check; did "));
  folder.toml(boundaries("sizes = [\"m\"]\ntags = [\"square\"]\nmost_work = 0\n"));
  CHECK(folder.error().starts_with("lab.toml:47: `most_work` in [boundary_cases] must be above zero"));
  folder.toml(boundaries("sizes = [\"m\"]\ntags = [\"square\"]\n"));
  CHECK(folder.error().starts_with("lab.toml:44: `most_work` in [boundary_cases] is missing"));
}

TEST_CASE("a lab that measures times has its cases one at a time") {
  const LabFolder folder;
  folder.toml(with("processes = 5\n", "processes = 5\ncases_at_a_time = 1\n"));
  CHECK(folder.read().limits.cases_at_a_time == 1);
  folder.toml(with("processes = 5\n", "processes = 5\ncases_at_a_time = 0\n"));
  CHECK_THROWS_AS(folder.read(), cudalabs::LabError);
}

TEST_CASE("a kernel's warp instructions have no limit unless lab.toml has one") {
  const LabFolder folder;
  CHECK(folder.read().limits.kernel_instructions == 0);
  folder.toml(with("processes = 5\n", "processes = 5\nkernel_instructions = 25_000\n"));
  CHECK(folder.read().limits.kernel_instructions == 25'000);
  folder.toml(with("processes = 5\n", "processes = 5\nkernel_instructions = 0\n"));
  CHECK_THROWS_AS(folder.read(), cudalabs::LabError);
}

TEST_CASE("what lab.toml leaves out has its default") {
  const LabFolder folder;
  std::string text = with("seed = 7\n", "");
  text = with("[device]\nmodel = \"a100\"\n", "", text);
  text = with("[limits]\ncpu_seconds = 1.5\nkernel_seconds = 2\nprocesses = 5\n", "", text);
  folder.toml(text);
  const Lab lab = folder.read();
  CHECK(lab.seed == 1);
  CHECK(lab.device_model == "t4");
  CHECK(lab.limits.cpu_seconds == cudalabs::Limits{}.cpu_seconds);
}

TEST_CASE("a folder with a slash at its end is the same folder") {
  const LabFolder folder;
  CHECK(read_lab(folder.root() / "labs/lab9_thing/", folder.root() / "solutions").slug == "lab9_thing");
}

TEST_CASE("hidden cases come last, with a seed of their own") {
  const LabFolder folder;
  folder.hidden(kHidden);
  const Lab lab = folder.read();
  REQUIRE(lab.cases.size() == 3);
  CHECK(lab.seed == 7);
  CHECK(lab.cases[2].name == "secret");
  CHECK(lab.cases[2].hidden);
  CHECK(lab.cases[2].seed == 99u);
  CHECK_FALSE(lab.cases[1].hidden);
}

TEST_CASE("a lab.toml that breaks a rule is refused with its line and key") {
  struct Broken {
    std::string text, error;
  };
  const Broken broken = GENERATE(values<Broken>({
      // Not TOML; duplicate keys are the TOML parser's to refuse.
      {with("seed = 7", "seed = "), "lab.toml:3: "},
      {with("seed = 7", "seed = 7\nseed = 8"), "lab.toml:4: "},
      // Unknown keys, at every level.
      {with("seed = 7", "sede = 7"), "lab.toml:3: unknown key `sede`; did you mean \"seed\"?"},
      {with("header =", "heade ="), "lab.toml:5: `header` in [contract] is missing"},
      {with("functions =", "colour = 1\nfunctions ="), "lab.toml:8: unknown key `colour` in [contract]; known: "},
      {with("processes =", "proceses ="),
       "lab.toml:16: unknown key `proceses` in [limits]; did you mean \"processes\"?"},
      {with("model = \"a100\"", "model = \"a100\"\nname = \"b\""), "lab.toml:12: unknown key `name` in [device]"},
      {with("points = 2.5", "points = 2.5\npoint = 1"),
       "lab.toml:30: unknown key `point` in [[checks]]; did you mean \"points\"?"},
      {with("tags = [\"square\"]", "tag = [\"square\"]"),
       "lab.toml:37: unknown key `tag` in [[cases]]; did you mean \"tags\"?"},
      // Missing keys point at the table.
      {with("title = \"A lab\"\n", ""), "lab.toml:1: `title` is missing"},
      {with("points = 2.5\n", ""), "lab.toml:25: `points` in [[checks]] is missing"},
      {with("help = \"think\"\n", ""), "lab.toml:25: `help` in [[checks]] is missing"},
      {with("parameters = { m = 3, n = -4 }\n", ""), "lab.toml:33: `parameters` in [[cases]] is missing"},
      // Wrong types.
      {with("title = \"A lab\"", "title = 3"), "lab.toml:2: `title` must be a string, not an integer"},
      {with("seed = 7", "seed = 7.5"), "lab.toml:3: `seed` must be an integer, not a number"},
      {with("seed = 7", "seed = true"), "lab.toml:3: `seed` must be an integer, not a boolean"},
      {with("points = 2.5", "points = \"2\""), "lab.toml:29: `points` in [[checks]] must be a number, not a string"},
      {with("cpu_seconds = 1.5", "cpu_seconds = []"),
       "lab.toml:14: `cpu_seconds` in [limits] must be a number, not an array"},
      {with("[\"thing\", \"other_thing\"]", "\"thing\""),
       "lab.toml:8: `functions` in [contract] must be an array of strings, not a string"},
      {with("[\"thing\", \"other_thing\"]", "[\"thing\", 3]"),
       "lab.toml:8: `functions` in [contract] must hold strings, not an integer"},
      {with("m = 3,", "m = 3.0,"), "lab.toml:36: `m` of `parameters` in [[cases]] must be an integer, not a number"},
      {with("{ m = 3, n = -4 }", "[3, 4]"),
       "lab.toml:36: `parameters` in [[cases]] must be a table of integers, not an array"},
      {with("[device]\nmodel = \"a100\"", "[[device]]\nmodel = \"a100\""),
       "lab.toml:10: `device` must be a table, not an array"},
      {"id = \"lab9\"\ntitle = \"t\"\ncontract = 3\n", "lab.toml:3: `contract` must be a table, not an integer"},
      // Values out of range.
      {with("points = 2.5", "points = -1"), "lab.toml:29: `points` in [[checks]] must not be negative"},
      {with("points = 2.5", "points = nan"), "lab.toml:29: `points` in [[checks]] must be finite"},
      {with("points = 2.5", "points = inf"), "lab.toml:29: `points` in [[checks]] must be finite"},
      {with("points = 2.5", "points = 0", with("points = 10", "points = 0")),
       "lab.toml:1: the `points` of all [[checks]]"},
      {with("cpu_seconds = 1.5", "cpu_seconds = 0"), "lab.toml:14: `cpu_seconds` in [limits] must be above zero"},
      {with("processes = 5", "processes = 0"), "lab.toml:16: `processes` in [limits] must be above zero"},
      {with("processes = 5", "processes = -5"), "lab.toml:16: `processes` in [limits] must not be negative"},
      {with("seed = 7", "seed = -7"), "lab.toml:3: `seed` must not be negative"},
      {with("title = \"A lab\"", "title = \"\""), "lab.toml:2: `title` is empty"},
      {with("[\"thing\", \"other_thing\"]", "[]"), "lab.toml:8: `functions` in [contract] is empty"},
      {with("{ m = 3, n = -4 }", "{}"), "lab.toml:36: `parameters` in [[cases]] is empty"},
      // Names.
      {with("id = \"lab9\"", "id = \"lab8\""), "lab.toml:1: `id` is \"lab8\", but it must be the folder's name"},
      {with("id = \"lab9\"", "id = \"lab\""), "lab.toml:1: `id` is \"lab\""},
      {with("model = \"a100\"", "model = \"a10\""), "lab.toml:11: `model` is \"a10\"; did you mean \"a100\"?"},
      {with("id = \"square\"", "id = \"Square\""), "lab.toml:26: `id` is \"Square\""},
      {with("id = \"square\"", "id = \"a]b\""), "lab.toml:26: `id` is \"a]b\""},
      {with("name = \"small\"", "name = \"../small\""), "lab.toml:34: `name` is \"../small\""},
      {with("\"thing\", ", "\"thing()\", "), "lab.toml:8: `functions` holds \"thing()\""},
      {with("\"thing\", ", "\"other_thing\", "), "lab.toml:8: `functions` in [contract] holds \"other_thing\" twice"},
      {with("header = \"thing.h\"", "header = \"../thing.h\""), "lab.toml:6: `header` is \"../thing.h\""},
      {with("header = \"thing.h\"", "header = \"-o\""), "lab.toml:6: `header` is \"-o\""},
      {with("header = \"thing.h\"", "header = \"thong.h\""), "lab.toml:6: `header` names \"thong.h\", which is not"},
      {with("functions =", "runner = \"run.cpp\"\nfunctions ="),
       "lab.toml:8: `runner` names \"run.cpp\", which is not"},
      // Calls that fail.
      {with("tags = [\"square\"]", "faults = {}"), "lab.toml:37: `faults` in [[cases]] is empty"},
      {with("tags = [\"square\"]", "faults = { launch = 1, last_launch = true }"),
       "lab.toml:37: `faults` in [[cases]] has `launch` and `last_launch`"},
      {with("tags = [\"square\"]", "faults = { function = 2, last_launch = true }"),
       "lab.toml:37: `faults` in [[cases]] has `function` and `last_launch`"},
      {with("tags = [\"square\"]", "faults = { function = 2 }"), "lab.toml:37: `faults` in [[cases]] is empty"},
      {with("tags = [\"square\"]", "faults = { launch = 1, illegal_address = true }"),
       "lab.toml:37: `faults` in [[cases]] has `illegal_address` without `kernel`"},
      {with("title = \"a large one\"", "title = \"a large one\"\nafter = \"small\"\nfaults = { last_launch = true }"),
       "lab.toml:42: `faults` of \"large\" has `last_launch`, and so it cannot have `after`"},
      {with("tags = [\"square\"]", "after = \"nothing\""),
       "lab.toml:37: `after` of \"small\" names \"nothing\", which is no case before it"},
      {with("tags = [\"square\"]", "faults = 3"), "lab.toml:37: `faults` in [[cases]] must be a table, not an integer"},
      {with("tags = [\"square\"]", "faults = { launch = 0 }"), "lab.toml:37: `launch` in [faults] must be above zero"},
      {with("tags = [\"square\"]", "faults = { message_only = true }"), "lab.toml:37: `faults` in [[cases]] is empty"},
      {with("tags = [\"square\"]", "faults = { copy = 1, message_only = true }"),
       "lab.toml:37: `faults` in [[cases]] has `message_only` without `launch` or `last_launch`"},
      {with("tags = [\"square\"]", "faults = { launch = 1, message_only = 1 }"),
       "lab.toml:37: `message_only` in [faults] must be true or false, not an integer"},
      {with("tags = [\"square\"]", "faults = { alocation = 1 }"),
       "lab.toml:37: unknown key `alocation` in [faults]; did you mean \"allocation\"?"},
      // References between tables.
      {with("category = \"correctness\"", "category = \"corectness\""),
       "lab.toml:28: `category` is \"corectness\"; did you mean \"correctness\"?"},
      {with("category = \"correctness\"", "category = \"style\""),
       "lab.toml:28: `category` is \"style\"; known: \"build\", \"correctness\", \"sync\", \"speed\", \"quality\""},
      {with("id = \"square\"", "id = \"compiles\""), "lab.toml:25: `id` \"compiles\" is taken by an earlier check"},
      {with("needs = [\"compiles\"]", "needs = [\"compile\"]"),
       "lab.toml:30: `needs` of \"square\" names \"compile\", which is no check above it; did you mean \"compiles\"?"},
      {with("needs = [\"compiles\"]", "needs = [\"square\"]"), "lab.toml:30: `needs` of \"square\" names \"square\""},
      {with("needs = [\"compiles\"]", "needs = [\"compiles\", \"compiles\"]"),
       "lab.toml:30: `needs` in [[checks]] holds \"compiles\" twice"},
      {with("name = \"large\"", "name = \"small\""), "lab.toml:39: `name` \"small\" is taken by an earlier case"},
      {with("tags = [\"square\"]", "tags = [\"sqare\"]"),
       "lab.toml:37: `tags` of \"small\" names \"sqare\", which is no check; did you mean \"square\"?"},
  }));
  CAPTURE(broken.error);
  const LabFolder folder;
  folder.toml(broken.text);
  const std::string error = folder.error();
  CAPTURE(error);
  CHECK(error.starts_with(broken.error));
  CHECK(error.find('\n') == std::string::npos);
}

TEST_CASE("a check may not need one below it, so there are no circles") {
  const LabFolder folder;
  folder.toml(with("points = 10\n", "points = 10\nneeds = [\"square\"]\n"));
  CHECK(
      folder.error().starts_with("lab.toml:23: `needs` of \"compiles\" names \"square\", which is no check above it"));
}

TEST_CASE("a hidden.toml that breaks a rule is refused in its own name") {
  const LabFolder folder;
  const auto [text, expected] = GENERATE(table<std::string, std::string>({
      {with("seed = 99\n", "", kHidden), "hidden.toml:1: `seed` is missing"},
      {with("name = \"secret\"", "name = \"small\"", kHidden),
       "hidden.toml:3: `name` \"small\" is taken by an earlier case"},
      {with("tags = [\"square\"]", "tags = [\"round\"]", kHidden),
       "hidden.toml:7: `tags` of \"secret\" names \"round\""},
      {with("seed = 99", "seed = 99\ntitle = \"x\"", kHidden), "hidden.toml:2: unknown key `title`"},
      {"seed = 99\n", "hidden.toml:1: `cases` is missing"},
  }));
  folder.hidden(text);
  const std::string error = folder.error();
  CAPTURE(error);
  CHECK(error.starts_with(expected));
}

TEST_CASE("a folder without a lab.toml is refused") {
  const TemporaryFolder root;
  std::filesystem::create_directories(root.path() / "lab1_empty/lab.toml");  // a folder of that name is no file either
  CHECK_THROWS_AS(read_lab(root.path() / "lab1_empty", root.path()), LabError);
  CHECK_THROWS_AS(read_lab(root.path() / "lab2_missing", root.path()), LabError);
}

TEST_CASE("what a check asks is read in its order") {
  const LabFolder folder;
  const auto asked = [&](const std::string& lines) {
    folder.toml(with("needs = [\"compiles\"]\n", "needs = [\"compiles\"]\n" + lines));
    CAPTURE(folder.error());
    return folder.read().checks[1];
  };
  const Check check = asked(
      "asks = [\"right-results\", \"no memory-leak\", \"no races or barrier-errors\"]\n"
      "cases = \"undisturbed\"\noutput = \"c\"\n");
  CHECK(check.asks == std::vector<Ask>{{Ask::Kind::right_results},
                                       {Ask::Kind::none, {"memory-leak"}},
                                       {Ask::Kind::none, {"races", "barrier-errors"}}});
  CHECK(check.cases == CaseChoice::undisturbed);
  CHECK(check.output == "c");
  CHECK(asked("asks = [\"builds\"]\n").asks == std::vector<Ask>{{Ask::Kind::builds}});
  CHECK(asked("cases = \"all\"\n").cases == CaseChoice::all);
  CHECK(asked("").asks.empty());
  CHECK(asked("").cases == CaseChoice::tagged);
}

TEST_CASE("what a check cannot ask is refused where it stands") {
  const LabFolder folder;
  const auto error = [&](const std::string& lines) {
    folder.toml(with("needs = [\"compiles\"]\n", "needs = [\"compiles\"]\n" + lines));
    return folder.error();
  };
  CHECK(error("asks = [\"right-result\"]\n") ==
        "lab.toml:31: `asks` holds \"right-result\"; did you mean \"right-results\"?");
  CHECK(error("asks = [\"no memory-leek\"]\n") ==
        "lab.toml:31: `asks` holds \"no memory-leek\", and no finding is called \"memory-leek\"; did you mean "
        "\"memory-leak\"?");
  CHECK(error("asks = [\"no races or \"]\n").starts_with("lab.toml:31: `asks` holds \"no races or \", and no finding"));
  CHECK(error("asks = [\"fast-enough\"]\n") == "lab.toml:31: `fast-enough` is for checks of category speed");
  CHECK(error("cases = \"taged\"\n").starts_with("lab.toml:31: `cases` is \"taged\"; did you mean \"tagged\"?"));
  CHECK(error("asks = [\"builds\"]\noutput = \"c\"\n")
            .find("`output` says which results must be right, and `asks` holds no \"right-results\"") !=
        std::string::npos);
  folder.toml(with("title = \"squares are right\"", "title = \"it compiles\""));
  CHECK(folder.error().find("`title` \"it compiles\" is taken by an earlier check") != std::string::npos);
}

TEST_CASE("a lab names its generator and what is timed, or is called like them") {
  const LabFolder folder;
  folder.toml(timed());
  CHECK(folder.read().generator == "lab9_thing");
  CHECK(folder.read().speed[0].work == "lab9_thing");
  folder.toml(with("seed = 7", "seed = 7\ngenerator = \"things\"", timed()));
  CHECK(folder.read().generator == "things");
  CHECK(folder.read().speed[0].work == "things");
  folder.toml(timed("unit = ", "work = \"other\"\nunit = "));
  CHECK(folder.read().speed[0].work == "other");
}

TEST_CASE("explanations are read in their order") {
  const LabFolder folder;
  folder.toml(std::string(kGood) +
              "\n[[explanations]]\ndetector = \"b\"\nwhat = \"as if {n}\"\nhelp = \"think\"\n\n[[explanations]]\n"
              "detector = \"a\"\nwhat = \"x\"\nhelp = \"y\"\n");
  const Lab lab = folder.read();
  REQUIRE(lab.explanations.size() == 2);
  CHECK(lab.explanations[0].detector == "b");
  CHECK(lab.explanations[0].what == "as if {n}");
  CHECK(lab.explanations[1].help == "y");
}

TEST_CASE("a case is large where its data says so") {
  const LabFolder folder;
  folder.toml(with("name = \"small\"", "name = \"small\"\nlarge = true"));
  const Lab lab = folder.read();
  CHECK(lab.cases[0].large);
  CHECK_FALSE(lab.cases[1].large);
}
