// What the sandbox's init reads on its command line is what the supervisor has written there.
#include "sandbox/init_options.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catch.h"
#include "sandbox/command.h"

namespace cudalabs::sandbox {
namespace {

/// Words as a program gets them.
class Words {
 public:
  explicit Words(std::vector<std::string> words) : words_(std::move(words)) {
    for (std::string& word : words_) pointers_.push_back(word.data());
    pointers_.push_back(nullptr);
  }
  InitOptions read() { return read_options(static_cast<int>(words_.size()), pointers_.data()); }

 private:
  std::vector<std::string> words_;
  std::vector<char*> pointers_;
};

Job small_job() {
  Job job;
  job.arguments = {"./program", "--", "--user", "0"};
  job.limits.cpu_seconds = 3;
  return job;
}

Placement placement_in(Tier tier) {
  Placement placement;
  placement.tier = tier;
  placement.init = "/w/init";
  placement.status = 11;
  placement.control = 12;
  placement.filter = 13;
  placement.user = 60706;
  placement.join = {14, 15};
  placement.folder = "/f";
  placement.descriptors = {{0, 30}, {3, 31}};
  return placement;
}

}  // namespace

TEST_CASE("the init of a job in a folder is told everything", "[sandbox]") {
  Words words(command_line(small_job(), placement_in(Tier::own_user)));
  const InitOptions options = words.read();
  CHECK(options.status == 11);
  CHECK(options.control == 12);
  CHECK(options.filter == 13);
  CHECK(options.user == 60706);
  CHECK(options.join == std::vector<int>{14, 15});
  CHECK(std::string_view(options.root) == "/f");
  CHECK(options.descriptors == std::vector<std::pair<int, int>>{{0, 30}, {3, 31}});
  CHECK(std::ranges::count(options.limits, std::pair<int, rlim_t>(RLIMIT_CPU, 3)) == 1);
  REQUIRE(options.allowed.size() >= 2);
  CHECK(std::string_view(options.allowed[0].path) == "/f");
  CHECK_FALSE(options.allowed[0].writable);
  CHECK(std::string_view(options.allowed[1].path) == "/f/tmp");
  CHECK(options.allowed[1].writable);
  CHECK_FALSE(options.first_process);
}

TEST_CASE("the words of the job are no options", "[sandbox]") {
  Words words(command_line(small_job(), placement_in(Tier::own_user)));
  const InitOptions options = words.read();
  std::vector<std::string> command;
  for (char** word = options.command; *word != nullptr; ++word) command.emplace_back(*word);
  CHECK(command == small_job().arguments);
}

TEST_CASE("what starts bubblewrap keeps its descriptors and is the job's user", "[sandbox]") {
  Words words(command_line(small_job(), placement_in(Tier::bubblewrap)));
  const InitOptions options = words.read();
  CHECK(options.new_session);
  CHECK(options.user == 60706);
  CHECK(options.control == 12);
  for (const int descriptor : {11, 12, 13, 30, 31}) CHECK(std::ranges::count(options.keep, descriptor) == 1);
  CHECK(std::string_view(options.command[0]) == "bwrap");
  CHECK(options.limits.empty());  // they are for the init behind it
}

}  // namespace cudalabs::sandbox
