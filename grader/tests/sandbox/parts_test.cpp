// The sandbox's pure parts: command lines, control group files, descriptors.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "catch.h"
#include "sandbox/command.h"
#include "sandbox/control_group.h"
#include "sandbox/fd.h"
#include "sandbox/own_files.h"
#include "sandbox/user_slot.h"

namespace cudalabs::sandbox {
namespace {

bool has_sequence(const std::vector<std::string>& words, const std::vector<std::string>& sequence) {
  return std::search(words.begin(), words.end(), sequence.begin(), sequence.end()) != words.end();
}

Placement placement_in(Tier tier) {
  Placement placement;
  placement.tier = tier;
  placement.init = "/w/init";
  placement.init_bytes = 10;
  placement.status = 11;
  placement.control = 12;
  placement.filter = 13;
  placement.folder = "/f";
  placement.files = {20};
  placement.descriptors = {{0, 30}, {3, 31}};
  return placement;
}

Job small_job() {
  Job job;
  job.arguments = {"./program", "--", "--user", "0"};
  job.files.push_back({"folder/program", Fd(), true});
  return job;
}

TEST_CASE("bubblewrap gets everything unshared, read-only and closed", "[sandbox]") {
  Placement placement = placement_in(Tier::bubblewrap);
  placement.user = 60706;
  const std::vector<std::string> words = command_line(small_job(), placement);
  CHECK(words[0] == "/w/init");
  CHECK(words[1] == "enter");
  CHECK(has_sequence(words, {"--user", "60706"}));
  for (const char* option : {"--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent",
                             "--new-session", "--as-pid-1", "--clearenv"}) {
    CAPTURE(option);
    CHECK(std::count(words.begin(), words.end(), option) >= 1);
  }
  CHECK(has_sequence(words, {"--cap-drop", "ALL"}));
  CHECK(has_sequence(words, {"--perms", "0555", "--file", "20", "/folder/program"}));
  CHECK(has_sequence(words, {"--remount-ro", "/dev"}));
  CHECK(has_sequence(words, {"--remount-ro", "/"}));
  CHECK(has_sequence(words, {"--fd", "3=31"}));
  CHECK(std::count(words.begin(), words.end(), "/usr") == 0);
  CHECK(std::count(words.begin(), words.end(), "--share-net") == 0);
}

TEST_CASE("a program of our own that every user reads is mounted instead of copied", "[sandbox]") {
  Placement placement = placement_in(Tier::bubblewrap);
  placement.originals = {"/opt/ours/program"};
  const std::vector<std::string> words = command_line(small_job(), placement);
  CHECK(has_sequence(words, {"--ro-bind", "/opt/ours/program", "/folder/program"}));
  CHECK_FALSE(has_sequence(words, {"--file", "20"}));

  std::string name = "/tmp/cudalabs-readable-XXXXXX";
  const std::filesystem::path folder = mkdtemp(name.data());
  const std::filesystem::path program = folder / "program";
  std::ofstream(program) << "text";
  const auto with_modes = [&](unsigned of_folder, unsigned of_program) {
    std::filesystem::permissions(folder, std::filesystem::perms(of_folder));
    std::filesystem::permissions(program, std::filesystem::perms(of_program));
    return everyone_may_execute(program);
  };
  CHECK(with_modes(0711, 0755));
  CHECK_FALSE(with_modes(0710, 0755));
  CHECK_FALSE(with_modes(0711, 0750));
  CHECK_FALSE(with_modes(0711, 0644));
  CHECK_FALSE(everyone_may_execute(folder / "missing"));
  std::filesystem::remove_all(folder);
}

TEST_CASE("the sandbox's init is mounted where the job's user can reach it, and copied elsewhere", "[sandbox]") {
  Placement placement = placement_in(Tier::bubblewrap);
  std::vector<std::string> words = command_line(small_job(), placement);
  CHECK(has_sequence(words, {"--perms", "0555", "--file", "10", "/.init"}));
  placement.warden_shown = true;
  words = command_line(small_job(), placement);
  CHECK(has_sequence(words, {"--ro-bind", "/w/init", "/.init"}));
  CHECK_FALSE(has_sequence(words, {"--file", "10"}));
}

TEST_CASE("bubblewrap makes /dev read-only after the device files are in it", "[sandbox]") {
  Job job = small_job();
  job.visible = {{"/dev/gpu0", true}, {"/sys", false}};
  const std::vector<std::string> words = command_line(job, placement_in(Tier::bubblewrap));
  const auto place = [&words](const std::vector<std::string>& sequence) {
    const auto found = std::search(words.begin(), words.end(), sequence.begin(), sequence.end());
    CHECK(found != words.end());
    return found - words.begin();
  };
  const auto made = place({"--dev", "/dev"});
  const auto bound = place({"--dev-bind", "/dev/gpu0", "/dev/gpu0"});
  const auto read_only = place({"--remount-ro", "/dev"});
  CHECK(made < bound);
  CHECK(bound < read_only);
  CHECK(place({"--ro-bind", "/sys", "/sys"}) < place({"--remount-ro", "/"}));
}

TEST_CASE("a job's own words come last, after the mark that ends options", "[sandbox]") {
  for (const Tier tier : {Tier::bubblewrap, Tier::own_user, Tier::landlock, Tier::none}) {
    const std::vector<std::string> words = command_line(small_job(), placement_in(tier));
    const std::vector<std::string> last(words.end() - 5, words.end());
    CHECK(last == std::vector<std::string>{"--", "./program", "--", "--user", "0"});
  }
}

TEST_CASE("CPU limits are whole seconds, and an accelerator has no address limit", "[sandbox]") {
  Job job = small_job();
  job.limits.cpu_seconds = 1.2;
  CHECK(has_sequence(command_line(job, placement_in(Tier::own_user)), {"--limit", "cpu=2"}));
  const std::vector<std::string> words = command_line(job, placement_in(Tier::own_user));
  CHECK(std::any_of(words.begin(), words.end(), [](const std::string& word) { return word.starts_with("memory="); }));
  job.accelerator = true;
  const std::vector<std::string> driving = command_line(job, placement_in(Tier::own_user));
  CHECK(std::none_of(driving.begin(), driving.end(),
                     [](const std::string& word) { return word.starts_with("memory="); }));
}

TEST_CASE("control group folders are found from the kernel's tables", "[sandbox]") {
  const std::string version_1 =
      "25 1 0:22 / /proc rw - proc proc rw\n"
      "30 25 0:26 / /sys/fs/cgroup/memory rw,relatime shared:5 - cgroup cgroup rw,memory\n"
      "31 25 0:27 / /sys/fs/cgroup/cpu,pids rw,relatime - cgroup cgroup rw,cpu,pids\n";
  CHECK(group_folders(version_1, "4:memory:/a/b\n3:cpu,pids:/\n", "memory") ==
        std::vector<GroupFolder>{{"/sys/fs/cgroup/memory/a/b", false}, {"/sys/fs/cgroup/memory", false}});
  CHECK(group_folders(version_1, "4:memory:/a/b\n3:cpu,pids:/\n", "pids") ==
        std::vector<GroupFolder>{{"/sys/fs/cgroup/cpu,pids", false}});
  CHECK(group_folders(version_1, "", "cpuset").empty());

  const std::string version_2 = "30 25 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
  CHECK(group_folders(version_2, "0::/user.slice\n", "memory") ==
        std::vector<GroupFolder>{{"/sys/fs/cgroup/user.slice", true}, {"/sys/fs/cgroup", true}});
  CHECK(group_folders("", "", "memory").empty());
  CHECK(group_folders("nonsense\n\n", ":\n::\n", "memory").empty());
}

TEST_CASE("a memory file can be sealed against writing and resizing", "[sandbox]") {
  const Fd file =
      make_memory_file("sealed", bytes_of("text"), F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL);
  CHECK(read_all(file.get(), 4) == "text");
  CHECK(write(file.get(), "x", 1) < 0);
  CHECK(ftruncate(file.get(), 0) != 0);
  CHECK_THROWS_AS(read_all(file.get(), 3), std::length_error);
}

TEST_CASE("only regular files are opened", "[sandbox]") {
  CHECK_THROWS_AS(open_file("/dev/null"), std::system_error);
  CHECK_THROWS_AS(open_file("/tmp"), std::system_error);
  CHECK_THROWS_AS(open_file("/nothing/here"), std::system_error);
}

TEST_CASE("two slots are never the same user, and a slot is free again when given back", "[sandbox]") {
  int first = -1;
  {
    const UserSlot one, two;
    CHECK(one.user() != two.user());
    first = one.user();
  }
  const UserSlot again;
  CHECK(again.user() <= first);
  // A number no other test that runs now has.
  const int own = 1'000'000 + getpid();
  setenv("CUDALABS_USERS", (std::to_string(own) + "-" + std::to_string(own)).c_str(), 1);
  {
    const UserSlot only;
    CHECK(only.user() == own);
    CHECK_THROWS_AS(UserSlot(), SandboxError);
  }
  for (const char* wrong : {"", "5", "0-10", "20-10", "5-6x", "a-b"}) {
    CAPTURE(wrong);
    setenv("CUDALABS_USERS", wrong, 1);
    CHECK_THROWS_AS(UserSlot(), SandboxError);
  }
  unsetenv("CUDALABS_USERS");
}

TEST_CASE("root without Landlock still gives each job a user of its own", "[sandbox]") {
  Job job;
  job.arguments = {"./x"};
  job.system_files = true;
  Placement placement;
  placement.tier = Tier::own_user;
  placement.init = "/init";
  placement.folder = "/job";
  placement.user = 60706;
  const auto has = [&](const std::string& word) {
    const auto words = command_line(job, placement);
    return std::ranges::find(words, word) != words.end();
  };
  CHECK(has("--read"));
  CHECK(has("--user"));
  placement.landlock = false;
  CHECK_FALSE(has("--read"));
  CHECK_FALSE(has("--write"));
  CHECK(has("--user"));
}

}  // namespace
}  // namespace cudalabs::sandbox
