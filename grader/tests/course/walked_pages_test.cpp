// The two pages for teachers, walked through: every command of "Run a course" is run in the order of the
// page, and every report in "What students see" is what the grader prints.
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "catch.h"
#include "course/csv.h"
#include "packed.h"
#include "program.h"
#include "tree/tree_paths.h"

using namespace cudalabs;
using namespace cudalabs::course;
using namespace cudalabs::test;

namespace {

namespace fs = std::filesystem;

const fs::path kProject = source_path();
const fs::path kLab3 = kProject / "solutions/lab3_naive_matmul";
const std::string kIndent = "    ";

using Lines = std::vector<std::string>;

Lines lines_of_page(const std::string& name) {
  std::istringstream stream(read_file(kProject / "docs" / name));
  Lines lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// The page's blocks of code, without their indentation.
std::vector<Lines> blocks_of(const Lines& page) {
  std::vector<Lines> blocks;
  bool inside = false;
  for (const std::string& line : page) {
    const bool code = line.starts_with(kIndent);
    if (code && !inside) blocks.emplace_back();
    if (code) blocks.back().push_back(line.substr(kIndent.size()));
    if (line.empty() && inside) blocks.back().emplace_back();
    inside = code || (line.empty() && inside);
  }
  return blocks;
}

/// A home folder with a build folder in it, in which a person types.
class Desk {
 public:
  Desk() {
    // In tier B jobs are users of their own, who have to pass through.
    fs::permissions(home.path(), fs::perms::others_exec, fs::perm_options::add);
    fs::create_directories(build);
    fs::create_directories(home.path() / "bin");
    fs::create_symlink(build_path("grade"), build / "grade");
    fs::create_symlink(build_path("grade"), home.path() / "bin/cudalabs-grade");
  }
  ProgramRun type(const std::string& command) const {
    return run_program({"/bin/bash", "-c", command}, build,
                       {.environment = {{"HOME", home.path().string()},
                                        {"XDG_STATE_HOME", ""},
                                        {"XDG_CACHE_HOME", ""},
                                        {"CUDALABS_CACHE", (home.path() / "cache").string()},
                                        {"PATH", (home.path() / "bin").string() + ":/usr/bin:/bin"}}});
  }

  TemporaryFolder home{"desk"};
  fs::path build = home.path() / "cudalabs/build";
};

/// Grades on every machine as on one without a GPU and the CUDA Toolkit.
std::string on_the_virtual_gpu(const std::string& command) {
  return command.substr(0, command.find("  #")) + " --device virtual --frontend clang";
}

/// What Moodle hands out for the students of the page's roster.
std::string moodles_download() {
  return packed(Packing::zip,
                {{"Ada Lovelace_11_assignsubmission_file_/matmul.cu", read_file(kLab3 / "matmul.cu")},
                 {"Grace Hopper_12_assignsubmission_file_/matmul.cu", read_file(kLab3 / "wrong/guard_rows_only.cu")}});
}

const std::string kGradebook =
    "Student,ID,SIS User ID,SIS Login ID,Section,Lab 3: matrix product (77)\n"
    "    Points Possible,,,,,100\n"
    "\"Lovelace, Ada\",501,,,A,\n"
    "\"Hopper, Grace\",502,,,B,\n";
const std::string kWorksheet =
    "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Feedback comments\n"
    "Participant 11,Ada Lovelace,ada@example.org,Submitted,,10.00,\n"
    "Participant 12,Grace Hopper,grace@example.org,Submitted,,10.00,\n";

/// What is run by another test, which this begins or goes on with.
bool has_its_own_test(const std::string& command) {
  for (const char* other :
       {"git clone ", "./setup.sh", "cd build", "make package", "make student-release",  // release.*
        "apt-get ",                                                                      // measure_install.sh
        "cudalabs-grade kit "}) {                                                        // hosts.kits
    if (command.starts_with(other)) return true;
  }
  return command.find(" --slurm") != std::string::npos;  // slurm.class
}

struct Expected {
  const char* command;  // its beginning
  int exit_code;
  const char* out;  // a part of what it prints
};
constexpr Expected kExpected[] = {
    {"./grade lint --no-grading", 0, ""},
    {"cudalabs-grade lab3 --solution", 0, "100 of 100 points"},
    {"cudalabs-grade start lab3", 0, "matmul.cu"},
    {"cudalabs-grade lab3 --submission matmul.cu", 1, "of 100 points"},
    {"./grade class lab3 ", 0, "2 to grade, 0 graded before"},
    {"./grade class missing lab3 ", 0, ""},
    {"./grade class similar lab3 ", 0, "lab3: 2 files compared"},
    {"./grade class adjust lab3 s1001 ", 0, "s1001 lab3: 100 of 100, adjusted by -5: 95"},
    {"./grade class export ", 0, ""},
    {"./grade class diff ", 1, "s1001 lab3: 100 -> 95: by hand: 0, then -5"},
};

const Expected& expected_of(const std::string& command) {
  for (const Expected& each : kExpected) {
    if (command.starts_with(each.command)) return each;
  }
  FAIL("no test runs this command of the page: " << command);
  return kExpected[0];
}

void walk_block(const Desk& desk, const Lines& block) {
  const auto whole = [&] {
    std::string text;
    for (const std::string& line : block) text += line + "\n";
    return text;
  };
  if (block[0].starts_with("id,name,")) return void(desk.home.write("roster.csv", whole()));
  if (block[0].starts_with("title = ")) return void(desk.home.write("course/course.toml", whole()));
  if (block[0].starts_with("Ada Lovelace_11_")) return;  // names of files
  for (const std::string& line : block) {
    if (line.empty() || has_its_own_test(line)) continue;
    const Expected& expected = expected_of(line);
    CAPTURE(line);
    if (line.starts_with("./grade class similar ") && !fs::exists("/usr/bin/sim_c++")) continue;  // similarity-tester
    if (line.starts_with("./grade class adjust "))  // the class as it was on Monday
      fs::copy(desk.home.path() / "course", desk.home.path() / "course-monday", fs::copy_options::recursive);
    const bool grades = line.find("grade lab3 ") != std::string::npos || line.find("class lab3 ") != std::string::npos;
    const ProgramRun run = desk.type(grades ? on_the_virtual_gpu(line) : line);
    CAPTURE(run.out, run.err);
    CHECK(run.exit_code == expected.exit_code);
    CHECK(run.out.find(expected.out) != std::string::npos);
    CHECK(run.survivors == 0);
  }
}

}  // namespace

TEST_CASE("Run a course: every command of the page, from the download to the grades") {
  const Desk desk;
  desk.home.write("downloads/lab3.zip", moodles_download());
  desk.home.write("cudalabs/build/gradebook.csv", kGradebook);
  desk.home.write("cudalabs/build/worksheet.csv", kWorksheet);
  for (const Lines& block : blocks_of(lines_of_page("RUN_A_COURSE.md"))) {
    // The two systems' files have one name on the page, as each is taken away at once.
    walk_block(desk, block);
    if (block[0].starts_with("./grade class export canvas"))
      fs::rename(desk.build / "upload.csv", desk.build / "canvas.csv");
  }

  for (const char* page : {"index.html", "students/s1001.html", "students/s1002.html"}) {
    CAPTURE(page);
    CHECK(fs::exists(desk.home.path() / "course" / page));
  }
  const auto last_cell = [&](const char* file, std::size_t row, std::size_t column) {
    return read_csv(read_file(desk.build / file), file).rows.at(row).at(column);
  };
  for (const char* file : {"grades.csv", "lab3.csv"}) {
    CHECK(last_cell(file, 1, 10) == "95");
    CHECK(last_cell(file, 2, 10) == "55");
  }
  CHECK(last_cell("canvas.csv", 2, 5) == "95");
  CHECK(last_cell("canvas.csv", 3, 5) == "55");
  CHECK(last_cell("upload.csv", 1, 4) == "9.5");
  CHECK(last_cell("upload.csv", 2, 4) == "5.5");
  CHECK(last_cell("nbgrader.csv", 1, 9) == "95");
}

TEST_CASE("What students see: the page shows what is printed") {
  const Desk desk;
  for (const char* file : {"matmul.cu", "wrong/guard_rows_only.cu"})
    fs::copy(kLab3 / file, desk.build / fs::path(file).filename());
  if (desk.type(on_the_virtual_gpu("./grade lab3 --all --submission matmul.cu")).out.find("clang version 14") ==
      std::string::npos) {
    WARN("the page's reports are those of clang 14; this is another compiler");
    return;
  }
  const Lines page = lines_of_page("WHAT_STUDENTS_SEE.md");
  std::string renewed;
  unsigned shown = 0;
  for (std::size_t i = 0; i < page.size(); ++i) {
    renewed += page[i] + "\n";
    if (!page[i].starts_with(kIndent + "$ ")) continue;
    const std::string command = page[i].substr(kIndent.size() + 2);
    std::istringstream printed(desk.type(on_the_virtual_gpu(command)).out);
    for (std::string line; std::getline(printed, line);) renewed += line.empty() ? "\n" : kIndent + line + "\n";
    renewed += "\n";
    ++shown;
    while (i + 1 < page.size() && (page[i + 1].empty() || page[i + 1].starts_with(kIndent))) ++i;
  }
  CHECK(shown == 3);
  if (std::getenv("CUDALABS_WRITE_GOLDEN") != nullptr)
    std::ofstream(kProject / "docs/WHAT_STUDENTS_SEE.md", std::ios::binary) << renewed;
  CHECK(read_file(kProject / "docs/WHAT_STUDENTS_SEE.md") == renewed);
}
