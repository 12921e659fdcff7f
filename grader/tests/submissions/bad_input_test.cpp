// Submissions and command lines that mean trouble: each gets its verdict and its exit code, nothing survives, and the
// next grading works.
#include <csignal>
#include <nlohmann/json.hpp>

#include <set>

#include "catch.h"
#include "grade_run.h"
#include "tree/tree_paths.h"

using namespace cudalabs;
using namespace cudalabs::test;
namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

const std::string kHead = "#include \"matmul.h\"\n#include <cuda_runtime.h>\n";
const std::string kSignature = "void matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p)";

struct Graded {
  int exit_code = 0;
  Json report;
  std::string out;

  std::set<std::string> errors() const {
    std::set<std::string> ids;
    for (const auto& finding : report.at("findings")) {
      if (finding.at("severity") == "error") ids.insert(finding.at("id").get<std::string>());
    }
    return ids;
  }
  double points() const { return report.at("score").at("points"); }
};

/// Grades this text as lab3's matmul.cu.
Graded grade(const std::string& text) {
  const TemporaryFolder submission;
  const fs::path file = submission.write("matmul.cu", text), json = submission.path() / "report.json";
  const GradeRun grading({"lab3", "--submission", file.string(), "--json", json.string()});
  INFO(grading.run.out << grading.run.err);
  REQUIRE(fs::exists(json));
  return {grading.run.exit_code, Json::parse(read_file(json)), grading.run.out};
}

/// Host code in place of the whole exercise.
Graded grade_host_code(const std::string& body, const std::string& includes = "") {
  return grade(includes + kHead + kSignature + " { (void)d_a; (void)d_b; (void)d_c; (void)m; (void)n; (void)p; " +
               body + " }\n");
}

void next_grading_works() {
  const GradeRun grading({"lab3", "--solution"});
  INFO(grading.run.out << grading.run.err);
  CHECK(grading.run.exit_code == 0);
}

using Ids = std::set<std::string>;

}  // namespace

TEST_CASE("a file that is not there is a matter of usage") {
  const GradeRun grading({"lab3", "--submission", "nowhere.cu"});
  CHECK(grading.run.exit_code == 2);
  CHECK_THAT(grading.run.err, contains_text("nowhere.cu: there is no such file"));
  CHECK(grading.run.out.empty());
}

TEST_CASE("an unknown lab is a matter of usage, and the nearest is named") {
  const GradeRun grading({"lab33"});
  CHECK(grading.run.exit_code == 2);
  CHECK_THAT(grading.run.err, contains_text("lab3"));
  CHECK_THAT(grading.run.err, contains_text("grade list"));
}

TEST_CASE("a real GPU that is not there is a matter of usage") {
  const GradeRun grading({"lab3", "--solution", "--device", "cuda"});
  CHECK(grading.run.exit_code == 2);
  CHECK_THAT(grading.run.err, contains_text("--device virtual"));
}

TEST_CASE("a lab.toml that cannot be read is the grader's failure, with file and line") {
  const TemporaryFolder root;
  root.write("labs/lab9_x/lab.toml", "id = \"lab9\"\ntitle = \n");
  const GradeRun grading({"lab9"}, {.environment = {{"CUDALABS_ROOT", root.path().string()}}});
  CHECK(grading.run.exit_code == 3);
  CHECK_THAT(grading.run.err, contains_text("lab.toml:2"));
}

TEST_CASE("a report that cannot be written is the grader's failure") {
  const GradeRun grading({"lab3", "--solution", "--json", "nowhere/report.json"});
  CHECK(grading.run.exit_code == 3);
  CHECK_THAT(grading.run.err, contains_text("nowhere/report.json"));
}

TEST_CASE("an empty file does not define the function") {
  const Graded graded = grade("");
  CHECK(graded.exit_code == 1);
  CHECK(graded.errors() == Ids{"build-failed"});
  CHECK(graded.points() == 0);
  CHECK_THAT(graded.out, contains_text("matmul"));
}

TEST_CASE("a function of another name, or with other parameters, is not the contract's") {
  CHECK(grade(kHead + "void multiply() {}\n").errors() == Ids{"build-failed"});
  CHECK(grade("void matmul(int) {}\n").errors() == Ids{"build-failed"});
}

TEST_CASE("a syntax error is shown as the compiler tells it") {
  const Graded graded = grade(kHead + kSignature + " { int x = 1 }\n");
  CHECK(graded.exit_code == 1);
  CHECK(graded.errors() == Ids{"build-failed"});
  CHECK(graded.points() == 0);
  CHECK_THAT(graded.out, contains_text("error:"));
  CHECK(graded.report.at("findings").at(0).at("line") == 3);
}

TEST_CASE("a kernel without end is stopped") {
  const Graded graded =
      grade(kHead + "__global__ void spin(volatile const float* a) { while (a[0] != 12345.f) {} }\n" + kSignature +
            " { spin<<<1, 1>>>(d_a); (void)d_c; (void)d_b; (void)m; (void)n; (void)p; }\n");
  CHECK(graded.exit_code == 1);
  CHECK(graded.errors() == Ids{"timed-out"});
  next_grading_works();
}

TEST_CASE("host code without end is stopped") {
  const Graded graded = grade_host_code("for (volatile int i = 0;; i = i + 1) {}");
  CHECK(graded.exit_code == 1);
  CHECK(graded.errors() == Ids{"timed-out"});
  next_grading_works();
}

TEST_CASE("a crash of the host is told with its cause") {
  const Graded graded = grade_host_code("*const_cast<float*>(d_a) = 1;");
  CHECK(graded.exit_code == 1);
  CHECK(graded.errors() == Ids{"runner-crashed"});
  CHECK_THAT(graded.report.at("findings").at(0).at("message").get<std::string>(), contains_text("device pointer"));
  next_grading_works();
}

TEST_CASE("leaving with exit code 0 earns nothing") {
  for (const char* how : {"exit(0);", "_Exit(0);", "quick_exit(0);"}) {
    INFO(how);
    const Graded graded = grade_host_code(how, "#include <cstdlib>\nusing namespace std;\n");
    CHECK(graded.exit_code == 1);
    CHECK(graded.errors() == Ids{"runner-crashed"});
  }
  const Graded early = grade_host_code("", "#include <cstdlib>\nstruct S { S() { _Exit(0); } } s;\n");
  CHECK(early.exit_code == 1);
  CHECK(early.errors() == Ids{"runner-crashed"});
}

TEST_CASE("a flood of output is stopped") {
  const Graded graded = grade_host_code("for (;;) std::puts(\"full marks\");", "#include <cstdio>\n");
  CHECK(graded.exit_code == 1);
  CHECK(graded.errors() == Ids{"output-limit"});
  CHECK(graded.out.size() < 100'000);
  next_grading_works();
}

TEST_CASE("processes that are started do not survive") {
  const Graded bomb = grade_host_code("for (;;) fork();", "#include <unistd.h>\n");
  CHECK(bomb.exit_code == 1);
  CHECK(bomb.points() < 100);
  const Graded daemon = grade_host_code("if (fork() == 0) { setsid(); for (;;) pause(); }", "#include <unistd.h>\n");
  CHECK(daemon.exit_code == 1);
  next_grading_works();
}

TEST_CASE("Ctrl-C ends everything") {
  const TemporaryFolder submission;
  const fs::path file =
      submission.write("matmul.cu", kHead + kSignature + " { for (volatile int i = 0;; i = i + 1) {} }\n");
  const GradeRun grading({"lab3", "--submission", file.string()}, {.interrupt = true});
  CHECK(grading.run.exit_code == 128 + SIGINT);
  next_grading_works();
}

TEST_CASE("a printed PASS is no pass") {
  const Graded graded = grade_host_code(
      "std::puts(\"\\n100 of 100 "
      "points\\nPASS\\n{\\\"version\\\":1,\\\"score\\\":{\\\"points\\\":100,\\\"max\\\":100}}\");",
      "#include <cstdio>\n");
  CHECK(graded.exit_code == 1);
  CHECK(graded.errors() == Ids{"unwritten-output"});
  CHECK(graded.points() < 50);
  CHECK_THAT(graded.out, contains_text("| 100 of 100 points"));
}

TEST_CASE("a file that is no text is no submission either") {
  const Graded graded =
      grade(std::string("\x7f"
                        "ELF\0\0\xff\xfe",
                        8));
  CHECK(graded.exit_code == 1);
  CHECK(graded.errors() == Ids{"build-failed"});
}

TEST_CASE("only the selected checks earn points") {
  const GradeRun grading({"lab3", "--solution", "--json", "report.json", "--", "[square]"});
  CHECK(grading.run.exit_code == 1);
  const Json report = Json::parse(read_file(grading.folder.path() / "report.json"));
  for (const auto& check : report.at("checks")) {
    CHECK(check.at("status") == (check.at("id") == "square" ? "passed" : "skipped"));
  }
}

TEST_CASE("the same seed gives the same report, whatever it took") {
  std::vector<Json> reports;
  for (int i = 0; i < 2; ++i) {
    const GradeRun grading({"lab3", "--solution", "--json", "report.json"});
    reports.push_back(Json::parse(read_file(grading.folder.path() / "report.json")));
    reports.back().erase("timings");
  }
  CHECK(reports[0] == reports[1]);
}

TEST_CASE("a hint is for the first check that fails") {
  const GradeRun unfinished({"hint", "lab3"});  // the skeleton
  CHECK(unfinished.run.exit_code == 0);
  CHECK_THAT(unfinished.run.out, contains_text("lab3, square: square products are correct\n"));
  CHECK(unfinished.run.out.find_first_of("*`#") == std::string::npos);
  const GradeRun finished({"hint", "lab3", "--solution"});
  CHECK(finished.run.exit_code == 0);
  CHECK_THAT(finished.run.out, contains_text("Nothing fails in lab3"));
  const GradeRun unknown({"hint", "lab3", "--check", "nonsense"});
  CHECK(unknown.run.exit_code == 2);
  CHECK_THAT(unknown.run.err, contains_text("lab3 has no such check"));
}

TEST_CASE("one case is run alone, and all that it prints is shown") {
  const std::string solutions = source_path("solutions/lab3_naive_matmul");
  const GradeRun prints(
      {"lab3", "--submission", solutions + "/alternative/prints_for_debugging.cu", "--case", "small"});
  CHECK(prints.run.exit_code == 0);
  CHECK_THAT(prints.run.out, contains_text("case `small`"));
  CHECK_THAT(prints.run.out, contains_text("sum of thread 0, 0: m is 7"));
  CHECK_THAT(prints.run.out, contains_text("`c` is right"));
  const GradeRun wrong({"lab3", "--submission", solutions + "/wrong/guard_columns_only.cu", "--case", "small"});
  CHECK(wrong.run.exit_code == 1);
  CHECK_THAT(wrong.run.out, contains_text("the program printed nothing"));
  CHECK_THAT(wrong.run.out, contains_text("error[global-out-of-bounds]"));
  const GradeRun unknown({"lab3", "--solution", "--case", "nonsense"});
  CHECK(unknown.run.exit_code == 2);
  CHECK_THAT(unknown.run.err, contains_text("lab3 has no such case; it has one_block, "));
}

TEST_CASE("the small commands") {
  const GradeRun list({"list"});
  CHECK(list.run.exit_code == 0);
  CHECK_THAT(list.run.out, contains_text("lab3_naive_matmul"));
  const GradeRun build({"build", "lab3"});
  CHECK(build.run.exit_code == 0);
  CHECK_THAT(build.run.out, contains_text("./grade lab3"));
  const GradeRun hint({"hint", "lab3", "--check", "square"});
  CHECK(hint.run.exit_code == 0);
  CHECK_THAT(hint.run.out, contains_text("./grade hint lab3 2 --check square"));
  CHECK(GradeRun({"hint", "lab3", "99"}).run.exit_code == 2);
  const GradeRun overview({});
  CHECK(overview.run.exit_code == 0);
  CHECK_THAT(overview.run.out, contains_text("your best scores so far"));
  CHECK_THAT(overview.run.out, contains_text("lab6  Host, device and time"));
  const GradeRun dataset({"dataset", "lab3", "--out", "data"});
  CHECK(dataset.run.exit_code == 0);
  CHECK(fs::exists(dataset.folder.path() / "data"));
}
