// What is remembered of scores, and what an edited or broken file does: nothing.
#include "cli/best_scores.h"

#include <sys/stat.h>

#include <cmath>
#include <cstdlib>
#include <optional>

#include "catch.h"
#include "program.h"

using namespace cudalabs;
namespace fs = std::filesystem;

namespace {

/// An environment variable for one test.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name); old != nullptr) before_ = old;
    if (value == nullptr) {
      unsetenv(name);
    } else {
      setenv(name, value, 1);
    }
  }
  ~Variable() {
    if (before_) {
      setenv(name_, before_->c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

}  // namespace

TEST_CASE("the best score of each lab stays") {
  const test::TemporaryFolder folder;
  const fs::path file = folder.path() / "state" / "progress.json";
  CHECK(read_best_scores(file).empty());
  note_score(file, "lab1", {40, 100});
  note_score(file, "lab2", {10, 100});
  note_score(file, "lab1", {60, 100});
  note_score(file, "lab1", {50, 100});
  const BestScores scores = read_best_scores(file);
  REQUIRE(scores.size() == 2);
  CHECK(scores.at("lab1").points == 60);
  CHECK(scores.at("lab2").points == 10);
}

TEST_CASE("what is no score is not remembered") {
  const test::TemporaryFolder folder;
  const fs::path file = folder.path() / "progress.json";
  for (const BestScore& score : {BestScore{-1, 100}, BestScore{101, 100}, BestScore{0, 0}, BestScore{NAN, 100}}) {
    note_score(file, "lab1", score);
  }
  CHECK_FALSE(fs::exists(file));
  note_score({}, "lab1", {5, 100});
}

TEST_CASE("of a file that is broken what is whole is read") {
  const test::TemporaryFolder folder;
  for (const char* text : {"", "{", "[]", "{\"labs\": 3}", "\xff\xfe", "{\"labs\": {\"lab1\": 5}}",
                           "{\"labs\": {\"lab1\": {\"points\": \"all\", \"max\": 100}}}",
                           "{\"labs\": {\"lab1\": {\"points\": 200, \"max\": 100}}}"}) {
    CAPTURE(text);
    CHECK(read_best_scores(folder.write("progress.json", text)).empty());
  }
  const fs::path half = folder.write(
      "half.json", "{\"labs\": {\"lab1\": {\"points\": 200, \"max\": 100}, \"lab2\": {\"points\": 7, \"max\": 10}}}");
  CHECK(read_best_scores(half).size() == 1);
  note_score(half, "lab3", {1, 2});
  CHECK(read_best_scores(half).size() == 2);
  CHECK(read_best_scores(folder.write("large.json", std::string(70000, ' '))).empty());
  CHECK(read_best_scores(folder.path()).empty());
}

TEST_CASE("where nothing can be written, nothing happens") {
  const test::TemporaryFolder folder;
  const fs::path in_the_way = folder.write("file", "no folder");
  note_score(in_the_way / "progress.json", "lab1", {5, 100});
  CHECK(test::read_file(in_the_way) == "no folder");
}

TEST_CASE("the file lies in the user's folder for state") {
  {
    const Variable state("XDG_STATE_HOME", "/state"), home("HOME", "/srv/student");
    CHECK(progress_file() == "/state/cudalabs/progress.json");
  }
  const Variable state("XDG_STATE_HOME", "not/absolute");
  {
    const Variable home("HOME", "/srv/student");
    CHECK(progress_file() == "/srv/student/.local/state/cudalabs/progress.json");
  }
  const Variable home("HOME", nullptr);
  CHECK(progress_file().empty());
}
