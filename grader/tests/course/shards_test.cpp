// Gradings that travel as files between machines.
#include "course/shards.h"

#include "catch.h"
#include "class_fixture.h"
#include "course/grading_file.h"

using namespace cudalabs;
using namespace cudalabs::course;
using namespace cudalabs::test;

namespace {

namespace fs = std::filesystem;

/// Five submissions handed in for lab3.
std::vector<Task> hand_in(Store& store) {
  Collected collected;
  std::vector<Task> tasks;
  for (const char* student : {"s1", "s2", "s3", "s4", "s5"}) {
    collected.students.push_back({student, "", "", "", {}});
    collected.attempts.push_back(made_up_attempt("lab3", student, std::string("text of ") + student));
    tasks.push_back({"lab3", collected.attempts.back().digest});
  }
  store.put_collected("/in", {"lab3"}, collected);
  return tasks;
}

Grading grading_of(const std::string& student, bool all) {
  Grading grading = made_up_grading("lab3", "text of " + student, all);
  grading.ended = 7;
  return grading;
}

}  // namespace

TEST_CASE("a grading is the same after it was a file") {
  Grading grading = grading_of("s1", false);
  grading.settings = {.seed = "5", .device = "virtual", .frontend = "clang", .sandbox = "A"};
  grading.cpu_seconds = 1.25;
  grading.failure = "because \"of\"\nthis";
  const auto back = grading_from_text(grading_as_text(grading));
  REQUIRE(back);
  CHECK(back->digest == grading.digest);
  CHECK(back->settings == grading.settings);
  CHECK(back->report == grading.report);
  CHECK(back->failure == grading.failure);
  CHECK(back->cpu_seconds == 1.25);
  CHECK(back->ended == 7);
  CHECK(back->audit.host == "here");
  CHECK(back->audit.lab_data == "d");
  CHECK(back->audit.used == grading.audit.used);
  CHECK_FALSE(grading_from_text("{\"version\": 1}"));
  CHECK_FALSE(grading_from_text("{\"version\": 2}"));
  CHECK_FALSE(grading_from_text(grading_as_text(grading).substr(0, 100)));
}

TEST_CASE("every task is one shard's, and what has a result is not missing") {
  SmallClass small;
  const std::vector<Task> tasks = hand_in(small.store);
  const ShardFolder written = new_shard_folder(small.folder.path());
  CHECK(shard_folders(small.folder.path()).empty());  // it is not whole yet
  written.write(tasks, 2, {.device = "virtual"}, 1, small.store);
  std::vector<ShardFolder> folders = shard_folders(small.folder.path());
  REQUIRE(folders.size() == 1);
  const ShardFolder& folder = folders[0];
  CHECK(folder.tasks() == tasks);
  CHECK(folder.settings().device == "virtual");
  CHECK(folder.missing(0) == std::vector<std::size_t>{0, 2, 4});
  CHECK(folder.missing(1) == std::vector<std::size_t>{1, 3});
  CHECK(folder.text(tasks[1]) == "text of s2");
  CHECK(folder.job().empty());
  folder.set_job("17");
  CHECK(folder.job() == "17");
  folder.keep(2, grading_of("s3", true));
  CHECK(folder.missing(0) == std::vector<std::size_t>{0, 4});
}

TEST_CASE("results are taken in once, and half of one or another's is none") {
  SmallClass small;
  const std::vector<Task> tasks = hand_in(small.store);
  ShardFolder folder = new_shard_folder(small.folder.path());
  folder.write(tasks, 1, {}, 4, small.store);
  folder.read();
  folder.keep(0, grading_of("s1", true));
  folder.keep(1, grading_of("s2", false));
  folder.keep(2, grading_of("s1", true));  // not what task 2 is
  small.folder.write("slurm/1/results/3.json", grading_as_text(grading_of("s4", true)).substr(0, 50));
  CHECK(folder.collect(small.store) == 2);
  CHECK(small.store.latest_gradings().size() == 2);
  CHECK(folder.collect(small.store) == 2);
  CHECK(small.store.latest_gradings().at({"lab3", tasks[0].digest}).id == 1);
  CHECK(small.store.latest_gradings().at({"lab3", tasks[0].digest}).run == 4);
  CHECK(small.store.latest_gradings().at({"lab3", tasks[1].digest}).id == 2);
}

TEST_CASE("the folder of jobs goes when all is there, and leaves its logs when something was lost") {
  SmallClass small;
  const std::vector<Task> tasks = hand_in(small.store);
  for (const bool whole : {true, false}) {
    ShardFolder folder = new_shard_folder(small.folder.path());
    folder.write(tasks, 1, {}, 4, small.store);
    folder.read();
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      if (whole || i != 3) folder.keep(i, grading_of("s" + std::to_string(i + 1), true));
    }
    folder.finish();
    CHECK(fs::exists(folder.path() / "logs") == !whole);
    CHECK_FALSE(fs::exists(folder.path() / "submissions"));
    CHECK(shard_folders(small.folder.path()).empty());
  }
}

TEST_CASE("a database is worked on in another place, and put back whole") {
  const sandbox::TemporaryFolder folder;
  {
    const LocalDatabase local(folder.path());
    {
      Store store(local.folder(), Store::Open::make);
      hand_in(store);
      CHECK_THROWS(local.put_back());  // it is still open
    }
    CHECK_FALSE(fs::exists(folder.path() / "class.db"));
    local.put_back();
  }
  const LocalDatabase again(folder.path());
  CHECK(Store(again.folder(), Store::Open::existing).attempts().size() == 5);
}
