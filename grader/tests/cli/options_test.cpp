// The command line: what it means, and what it refuses.
#include "cli/options.h"

#include "catch.h"
#include "cli/usage_error.h"

using namespace cudalabs;

namespace {

template <typename Wanted>
Wanted parsed(const std::vector<std::string>& arguments) {
  const Command command = parse_command_line(arguments);
  REQUIRE(std::holds_alternative<Wanted>(command));
  return std::get<Wanted>(command);
}

std::string refusal(const std::vector<std::string>& arguments) {
  try {
    parse_command_line(arguments);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a lab alone is graded with the defaults") {
  const auto command = parsed<GradeCommand>({"lab3"});
  CHECK(command.target.lab == "lab3");
  CHECK_FALSE(command.target.submission);
  CHECK_FALSE(command.target.solution);
  CHECK(command.target.device == DeviceChoice::automatic);
  CHECK(command.target.frontend == FrontendChoice::automatic);
  CHECK_FALSE(command.seed);
  CHECK_FALSE(command.json);
  CHECK_FALSE(command.junit);
  CHECK(command.catch_arguments.empty());
}

TEST_CASE("every option of grading") {
  const auto command = parsed<GradeCommand>(
      {"lab3", "--submission", "a b.cu", "--device", "virtual", "--frontend", "nvcc", "--seed", "18446744073709551615",
       "--json", "r.json", "--junit=r.xml", "--sarif", "r.sarif", "--html", "r.html", "--format", "gcc"});
  CHECK(command.target.submission == "a b.cu");
  CHECK(command.target.device == DeviceChoice::virtual_gpu);
  CHECK(command.target.frontend == FrontendChoice::nvcc);
  CHECK(command.seed == 18446744073709551615u);
  CHECK(command.json == "r.json");
  CHECK(command.junit == "r.xml");
  CHECK(command.sarif == "r.sarif");
  CHECK(command.html == "r.html");
  CHECK(command.format == OutputFormat::gcc);
}

TEST_CASE("standard output is for a person unless a tool is named, and never for both") {
  CHECK(parsed<GradeCommand>({"lab3"}).format == OutputFormat::text);
  CHECK(parsed<GradeCommand>({"lab3", "--format", "text"}).format == OutputFormat::text);
  CHECK(parsed<GradeCommand>({"lab3", "--format=github"}).format == OutputFormat::github);
  CHECK_THAT(refusal({"lab3", "--format", "xml"}), contains_text("--format"));
  CHECK_THAT(refusal({"lab3", "--format", "gcc", "--all"}), contains_text("excludes"));
  CHECK_THAT(refusal({"lab3", "--format", "github", "--check", "edges"}), contains_text("excludes"));
  CHECK_THAT(refusal({"lab2", "--image", "x.png", "--html", "y.html"}), contains_text("excludes"));
}

TEST_CASE("everything, one check or one finding takes the place of what fits a screen") {
  const auto excerpt = [](const std::vector<std::string>& arguments) {
    return parsed<GradeCommand>(arguments).excerpt;
  };
  CHECK_FALSE(excerpt({"lab3"}).all);
  CHECK_FALSE(excerpt({"lab3"}).check);
  CHECK_FALSE(excerpt({"lab3"}).finding);
  CHECK(excerpt({"lab3", "--all"}).all);
  CHECK(excerpt({"lab3", "--check", "edges"}).check == "edges");
  CHECK(excerpt({"lab3", "--finding", "2"}).finding == 2u);
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"lab3", "--all", "--check", "edges"},
                                             {"lab3", "--all", "--finding", "1"},
                                             {"lab3", "--check", "edges", "--finding", "1"},
                                             {"lab3", "--finding", "0"},
                                             {"lab3", "--finding", "first"},
                                             {"lab2", "--image", "a.png", "--all"}}) {
    CAPTURE(arguments);
    CHECK_FALSE(refusal(arguments).empty());
  }
}

TEST_CASE("one case is run by itself, and is no grading") {
  CHECK_FALSE(parsed<GradeCommand>({"lab3"}).case_name);
  CHECK(parsed<GradeCommand>({"lab3", "--case", "small", "--seed", "3"}).case_name == "small");
  for (const char* option : {"--json", "--junit", "--image", "--check", "--finding", "--pictures"}) {
    CAPTURE(option);
    CHECK_FALSE(refusal({"lab3", "--case", "small", option, "1"}).empty());
  }
}

TEST_CASE("options may stand before the lab") {
  const auto command = parsed<GradeCommand>({"--solution", "--frontend", "clang", "lab4"});
  CHECK(command.target.lab == "lab4");
  CHECK(command.target.solution);
}

TEST_CASE("what follows -- goes to Catch2, untouched") {
  CHECK(parsed<GradeCommand>({"lab3", "--seed", "1", "--", "[edges]", "--seed", "x"}).catch_arguments ==
        std::vector<std::string>{"[edges]", "--seed", "x"});
  CHECK_FALSE(refusal({"build", "lab3", "--", "[edges]"}).empty());
  CHECK_FALSE(refusal({"--", "lab3"}).empty());
}

TEST_CASE("the other commands") {
  CHECK(parsed<BuildCommand>({"build", "lab3", "--solution"}).target.solution);
  parsed<ListCommand>({"list"});
  const auto dataset = parsed<DatasetCommand>({"dataset", "lab3", "--out", "dir", "--seed", "5"});
  CHECK(dataset.lab == "lab3");
  CHECK(dataset.out == "dir");
  CHECK(dataset.seed == 5);
  parsed<OverviewCommand>({});
  CHECK(parsed<HintCommand>({"hint", "lab3"}).level == 1);
  CHECK_FALSE(parsed<HintCommand>({"hint", "lab3"}).check);
  CHECK(parsed<HintCommand>({"hint", "lab3", "--check", "edges", "--submission", "a.cu"}).check == "edges");
  CHECK(parsed<HintCommand>({"hint", "lab3", "--submission", "a.cu"}).target.submission == "a.cu");
  CHECK(parsed<HintCommand>({"hint", "lab3", "2"}).level == 2);
  const auto watch = parsed<WatchCommand>({"watch", "lab3", "--submission", "a.cu", "--seed", "7"});
  CHECK(watch.grade.target.lab == "lab3");
  CHECK(watch.grade.target.submission == "a.cu");
  CHECK(watch.grade.seed == 7);
  CHECK_FALSE(parsed<LintCommand>({"lint"}).lab);
  CHECK(parsed<LintCommand>({"lint"}).ladder == LadderChoice::all);
  const auto lint = parsed<LintCommand>({"lint", "--frontend", "clang", "--seed", "7", "--jobs", "3", "--only",
                                         "wrong,alternative", "lab3", "--ladder", "last", "--no-grading"});
  CHECK(lint.lab == "lab3");
  CHECK(lint.frontend == FrontendChoice::clang);
  CHECK(lint.seed == 7u);
  CHECK(lint.jobs == 3u);
  CHECK(lint.only == std::vector<std::string>{"wrong", "alternative"});
  CHECK(lint.ladder == LadderChoice::last);
  CHECK_FALSE(lint.grade);
  CHECK_FALSE(lint.judges_time);
  CHECK(parsed<LintCommand>({"lint", "--judge-time"}).judges_time);
}

TEST_CASE("help and version") {
  const std::string help = parsed<PrintCommand>({"--help"}).text;
  CHECK(help.find("--submission") != std::string::npos);
  CHECK(help.find("Exit code: 0 full marks") != std::string::npos);
  CHECK(parsed<PrintCommand>({"dataset", "--help"}).text.find("--out") != std::string::npos);
  CHECK(parsed<PrintCommand>({"help"}).text.find("Exit code: 0 full marks") != std::string::npos);
  CHECK(parsed<PrintCommand>({"help", "dataset"}).text.find("--out") != std::string::npos);
  CHECK(parsed<PrintCommand>({"--version"}).text.starts_with("grade 1."));
}

TEST_CASE("a command line that makes no sense is refused with a way on") {
  CHECK(refusal({"--solution"}) == "which lab? grade list names them; grade lab3 grades one");
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"lab3", "--nonsense"},
                                             {"lab3", "lab4"},
                                             {"lab3", "--device", "tpu"},
                                             {"lab3", "--frontend", "gcc"},
                                             {"lab3", "--seed", "many"},
                                             {"lab3", "--seed", "-1"},
                                             {"lab3", "--submission", "x.cu", "--solution"},
                                             {"lab3", "--json"},
                                             {"build"},
                                             {"dataset", "lab3"},
                                             {"hint", "lab3", "two"},
                                             {"lint", "--jobs", "0"},
                                             {"watch"}}) {
    INFO(arguments.back());
    CHECK(refusal(arguments).find("grade --help") != std::string::npos);
  }
}

TEST_CASE("what is no seed is never taken for one, and standard output is no file") {
  for (const char* seed : {"x", "-1", "1.5", "99999999999999999999", ""}) {
    const std::string text = refusal({"lab3", "--seed", seed});
    CAPTURE(seed, text);
    CHECK(text.find("a whole number from 0 to 18446744073709551615") != std::string::npos);
    CHECK(text.size() < 200);
  }
  for (const char* option : {"--json", "--junit", "--sarif", "--html"})
    CHECK(refusal({"lab3", option, "-"}).find("name a file") != std::string::npos);
}

TEST_CASE("coverage wants a folder, an explanation may have a file") {
  CHECK_FALSE(parsed<GradeCommand>({"lab3"}).coverage);
  CHECK_FALSE(parsed<GradeCommand>({"lab3"}).explain);
  CHECK(parsed<GradeCommand>({"lab3", "--coverage", "c"}).coverage == "c");
  CHECK(parsed<GradeCommand>({"lab4", "--explain"}).explain == "");
  CHECK(parsed<GradeCommand>({"lab4", "--explain", "a.svg", "--seed", "3"}).explain == "a.svg");
  CHECK(parsed<GradeCommand>({"lab4", "--explain", "--seed", "3"}).explain == "");
  CHECK_FALSE(refusal({"lab3", "--coverage"}).empty());
  CHECK_FALSE(refusal({"lab4", "--explain", "a.svg", "b.svg"}).empty());
}

TEST_CASE("a picture of one's own takes the place of grading") {
  CHECK_FALSE(parsed<GradeCommand>({"lab2"}).pictures);
  CHECK(parsed<GradeCommand>({"lab2", "--pictures", "p"}).pictures == "p");
  const auto command = parsed<GradeCommand>({"lab2", "--image", "a.png", "--pictures", "p"});
  CHECK(command.image == "a.png");
  CHECK(command.pictures == "p");
  for (const char* option : {"--json", "--junit", "--coverage", "--explain"}) {
    CHECK_FALSE(refusal({"lab2", "--image", "a.png", option, "x.svg"}).empty());
  }
}
