// A class from the system's download to grades, by the program itself: killed on the way, and every row what a single
// grading says.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "catch.h"
#include "course/class_data.h"
#include "course/csv.h"
#include "packed.h"
#include "program.h"
#include "tree/tree_paths.h"

using namespace cudalabs;
using namespace cudalabs::course;
using namespace cudalabs::test;

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = source_path();

std::string sample(const std::string& name) {
  return read_file(kRoot / "solutions/lab1_vector_add" / name);
}

struct HandedIn {
  std::string name, file, text;
};

/// By number in Moodle's download.
const std::map<std::string, HandedIn> kClass{
    {"11", {"Ada Lovelace", "vector_add.cu", sample("vector_add.cu")}},
    {"12", {"Grace Hopper", "vector_add.cu", sample("vector_add.cu")}},
    {"13", {"Alan Turing", "solution.cu", sample("vector_add.cu")}},
    {"14", {"Edsger Dijkstra", "vector_add.cu", sample("wrong/no_guard.cu")}},
    {"15", {"Barbara Liskov", "vector_add.cu", sample("wrong/missing_semicolon.cu")}},
    {"16", {"Donald Knuth", "vector_add (2).cu", sample("wrong/zero_blocks.cu")}},
    {"17", {"Frances Allen", "vector_add.cu", ""}},
    {"18", {"John Backus", "vector_add.cu", std::string("int x;\0", 7)}},
    {"19", {"Niklaus Wirth", "vector_add.cu", "\xff\xfe" + std::string("i\0n\0t\0", 6)}},
    {"20", {"Ken Thompson", "vector_add.cu", std::string((1u << 20) + 1000, ' ') + "int x;"}},
    {"21", {"Robin Milner", "report.pdf", "%PDF"}},
};

std::string download() {
  std::vector<PackedEntry> entries;
  for (const auto& [number, each] : kClass) {
    const std::string folder = each.name + "_" + number + "_assignsubmission_file_/";
    entries.push_back({folder + each.file, each.text});
  }
  entries.push_back({"Eve_22_assignsubmission_file_/vector_add.cu", "", "/etc/passwd"});
  entries.push_back({"../../outside.cu", "x"});
  return packed(Packing::zip, entries);
}

std::string roster() {
  std::string text = "id,name,email,moodle number\r\n";
  for (const auto& [number, each] : kClass)
    text += csv_line({"s" + number, each.name, "s" + number + "@example.org", number});
  return text + "s22,Eve,,22\r\ns23,\"Nothing, Nora\",,23\r\n";
}

struct Place {
  TemporaryFolder folder;
  TemporaryFolder cache;
  fs::path out = folder.path() / "out";

  Place() {
    // In tier B jobs are users of their own, who have to pass through.
    fs::permissions(folder.path(), fs::perms::others_exec, fs::perm_options::add);
    folder.write("download.zip", download());
    folder.write("roster.csv", roster());
  }
  ProgramRun grade(std::vector<std::string> arguments, const fs::path& in = {}) const {
    arguments.insert(arguments.begin(), build_path("grade"));
    return run_program(arguments, in.empty() ? folder.path() : in, {.environment = environment()});
  }
  std::map<std::string, std::string> environment() const { return {{"CUDALABS_CACHE", cache.path().string()}}; }
};

const std::vector<std::string> kGradeClass{"class",      "lab1",     "download.zip", "--out",  "out", "--roster",
                                           "roster.csv", "--device", "virtual",      "--jobs", "2"};

std::int64_t gradings_in(const fs::path& out) {
  try {
    Database database(out / "class.db", false);
    Statement count = database.prepare("SELECT count(*) FROM grading");
    return count.step() ? count.integer(0) : 0;
  } catch (const DatabaseError&) {
    return 0;  // not made yet
  }
}

/// Starts the class and kills it, workers and all, as soon as so much is graded.
void start_and_kill(const Place& place, std::int64_t graded) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    for (const auto& [name, value] : place.environment()) setenv(name.c_str(), value.c_str(), 1);
    if (chdir(place.folder.path().c_str()) != 0 || !freopen("/dev/null", "w", stdout) ||
        !freopen("/dev/null", "w", stderr))
      _exit(126);
    std::vector<std::string> words = kGradeClass;
    words.insert(words.begin(), build_path("grade"));
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  while (gradings_in(place.out) < graded && waitpid(child, nullptr, WNOHANG) == 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

nlohmann::json without_times(const std::string& json) {
  nlohmann::json report = nlohmann::json::parse(json);
  report.erase("timings");
  return report;
}

}  // namespace

TEST_CASE("A class that cannot be compared here is told so before it is graded") {
  const Place place;
  std::vector<std::string> words = kGradeClass;
  words.insert(words.begin(), build_path("grade"));
  words.push_back("--similar");
  std::map<std::string, std::string> environment = place.environment();
  environment["PATH"] = place.folder.path().string();  // no compiler there
  const ProgramRun run = run_program(words, place.folder.path(), {.environment = environment});
  CHECK(run.exit_code == 3);
  CHECK(run.err.find("no clang here, which compiles the kernels for comparing") != std::string::npos);
  CHECK_FALSE(fs::exists(place.out));
}

TEST_CASE("a class is graded, through kills, and every row is the single grading's") {
  const Place place;
  start_and_kill(place, 0);
  start_and_kill(place, 2);
  start_and_kill(place, 5);
  const std::int64_t before = gradings_in(place.out);
  const ProgramRun run = place.grade(kGradeClass);
  CAPTURE(run.out, run.err);
  CHECK(before >= 5);
  CHECK(run.out.find("\n" + std::to_string(8 - before) + " to grade, " + std::to_string(before) + " graded before\n") !=
        std::string::npos);
  CHECK(gradings_in(place.out) == 8);
  CHECK(run.exit_code == 1);  // some of it needs a person
  CHECK(run.survivors == 0);
  CHECK(run.out.find("Eve_22_assignsubmission_file_/vector_add.cu: it is a link") != std::string::npos);
  CHECK(run.out.find("its path leads out of its folder") != std::string::npos);
  CHECK_FALSE(fs::exists(place.folder.path() / "outside.cu"));
  CHECK_FALSE(fs::exists(place.folder.path().parent_path() / "outside.cu"));
  CHECK_FALSE(fs::exists(place.out / "work"));

  const std::vector<Lab> labs{read_lab(kRoot / "labs/lab1_vector_add", kRoot / "solutions")};
  Store store(place.out, Store::Open::existing);
  const ClassData data = read_class(place.out, store, labs);
  CHECK(data.standings.size() == kClass.size() + 2);
  const std::string name = labs[0].contract.source;
  for (const auto& [number, each] : kClass) {
    CAPTURE(each.name);
    const Standing standing = data.standings_of("s" + number).at(0);
    if (each.file.ends_with(".pdf")) {
      CHECK(standing.state == State::refused);
      continue;
    }
    REQUIRE(standing.state == State::graded);
    const TemporaryFolder alone;
    fs::permissions(alone.path(), fs::perms::others_exec, fs::perm_options::add);
    alone.write(name, each.text);
    const ProgramRun single =
        place.grade({"lab1", "--submission", name, "--device", "virtual", "--json", "one.json"}, alone.path());
    CAPTURE(single.err);
    CHECK(without_times(store.report(standing.grading->id)) == without_times(read_file(alone.path() / "one.json")));
    CHECK(fs::exists(place.out / "students" / ("s" + number + ".html")));
    CHECK_FALSE(standing.grading->audit.grader.empty());
    CHECK(standing.grading->audit.lab_data.size() == 64);
    CHECK(standing.grading->audit.hidden.size() == 64);
    const auto report = nlohmann::json::parse(store.report(standing.grading->id));
    CHECK(standing.grading->audit.used == Used{.seed = report.at("seed").dump(),
                                               .device = report.at("device"),
                                               .frontend = report.at("frontend"),
                                               .sandbox = report.at("sandbox")});
    CHECK(standing.grading->audit.used.device.starts_with("virtual ("));
  }
  CHECK(data.standings_of("s11").at(0).points == 100);
  CHECK(data.standings_of("s14").at(0).points > 0);
  CHECK(data.standings_of("s14").at(0).points < 100);
  CHECK(data.standings_of("s15").at(0).points == 0);
  CHECK(data.standings_of("s22").at(0).state == State::refused);
  CHECK(data.standings_of("s23").at(0).state == State::nothing);
  CHECK(data.standings_of("s13").at(0).note == "taken for vector_add.cu: solution.cu");
  CHECK(data.standings_of("s11").at(0).grading->id == data.standings_of("s13").at(0).grading->id);

  if (fs::exists("/usr/bin/sim_c++")) {  // similarity-tester
    const ProgramRun similar = place.grade({"class", "similar", "lab1", "--out", "out"});
    CAPTURE(similar.err);
    CHECK(similar.exit_code == 0);
    CHECK(similar.survivors == 0);
    CHECK(similar.out.starts_with("lab1: 7 files compared, "));
    const std::string index = read_file(place.out / "index.html"),
                      pages = read_file(place.out / "similar/lab1/index.html");
    CHECK(index.find("similar/lab1/index.html") != std::string::npos);
    CHECK(pages.find("The same file, byte for byte") != std::string::npos);
    CHECK(read_file(place.out / "students/s11.html").find("Hopper") == std::string::npos);
  }

  const ProgramRun again = place.grade(kGradeClass);
  CHECK(again.out.find("\n0 to grade, 8 graded before\n") != std::string::npos);

  const ProgramRun adjusted = place.grade(
      {"class", "adjust", "lab1", "s14", "--points", "-2.5", "--reason", "late by agreement", "--out", "out"});
  CHECK(adjusted.exit_code == 0);
  CHECK(adjusted.out.find("adjusted by -2.5") != std::string::npos);
  const ProgramRun csv = place.grade({"class", "export", "csv", "--out", "out"});
  CHECK(read_csv(csv.out, "csv").rows.size() == kClass.size() + 3);
  const ProgramRun same = place.grade({"class", "diff", "out", "out"});
  CHECK(same.exit_code == 0);
  const ProgramRun regraded = place.grade(
      {"class", "lab1", "download.zip", "--out", "out", "--device", "virtual", "--regrade", "s15", "--no-pages"});
  CHECK(gradings_in(place.out) == 9);
  CHECK(regraded.out.find("\n1 to grade, 7 graded before\n") != std::string::npos);
  CHECK(regraded.out.find("0 rows differ from before\n") != std::string::npos);
  const ProgramRun runs = place.grade({"class", "runs", "--out", "out"});
  CHECK(runs.out.starts_with("run 1, "));
  CHECK(runs.out.find(", lab1 --regrade s15: 1 graded, 0 without a verdict\n") != std::string::npos);
  const ProgramRun between = place.grade({"class", "diff", "out"});
  CHECK(between.exit_code == 0);
  CHECK(between.out.find(", lab1 --regrade s15\n") != std::string::npos);
  CHECK(between.out.find("0 of ") != std::string::npos);
  CHECK(place.grade({"class", "diff", "out", "--runs", "1,9"}).err.find("no run 9 graded") != std::string::npos);
}

TEST_CASE("what cannot be done is said before anything is graded") {
  const Place place;
  const auto refusal = [&](std::vector<std::string> arguments) {
    const ProgramRun run = place.grade(std::move(arguments));
    CHECK(run.exit_code == 2);
    return run.err;
  };
  CHECK_THAT(refusal({"class", "lab1", "download.zip"}), contains_text("--out DIR"));
  CHECK_THAT(refusal({"class", "lab99", "download.zip", "--out", "out"}), contains_text("lab99"));
  CHECK_THAT(refusal({"class", "lab1", "nowhere.zip", "--out", "out"}), contains_text("nowhere.zip: No such file"));
  place.folder.write("bad.csv", "id\na\na\n");
  CHECK_THAT(refusal({"class", "lab1", "download.zip", "--out", "out", "--roster", "bad.csv"}),
             contains_text("bad.csv:3: the id `a` stands in line 2, too"));
  CHECK_THAT(refusal({"class", "lab1", "download.zip", "--out", "out", "--regrade", "nobody"}),
             contains_text("neither a lab nor a student"));
  place.folder.write("out/course.toml", "[[labs]]\nlab = \"lab1\"\nwieght = 2\n");
  CHECK_THAT(refusal({"class", "lab1", "download.zip", "--out", "out"}),
             contains_text("course.toml:3: unknown key `wieght`"));
}
