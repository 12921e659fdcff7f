// Commit times of clones, honest and hostile.
#include "course/commit_times.h"

#include <git2.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "catch.h"
#include "course/collect.h"
#include "few_labs.h"
#include "sandbox/landlock.h"
#include "sandbox/temporary_folder.h"

using namespace cudalabs;
using namespace cudalabs::course;
using cudalabs::sandbox::TemporaryFolder;

namespace {

namespace fs = std::filesystem;

/// A clone below `folder`, made without any settings of this machine's.
class Clone {
 public:
  Clone(const TemporaryFolder& folder, std::string name) : folder_(folder), name_(std::move(name)) {
    git_libgit2_init();
    REQUIRE(git_repository_init(&repository_, path().c_str(), 0) == 0);
  }
  ~Clone() {
    git_repository_free(repository_);
    git_libgit2_shutdown();
  }
  Clone(const Clone&) = delete;
  Clone& operator=(const Clone&) = delete;

  fs::path path() const { return folder_.path() / name_; }
  fs::path git() const { return path() / ".git"; }
  void write(const std::string& file, const std::string& text) const { folder_.write(name_ + "/" + file, text); }

  /// Everything that is there, at this time. `second`: of a merge.
  git_oid commit(std::int64_t time, const git_oid* second = nullptr, const char* reference = "HEAD") {
    git_index* index = nullptr;
    git_tree* tree = nullptr;
    git_signature* who = nullptr;
    git_oid id;
    char everything[] = "*";
    char* specs[] = {everything};
    const git_strarray all{specs, 1};
    REQUIRE(git_repository_index(&index, repository_) == 0);
    REQUIRE(git_index_add_all(index, &all, 0, nullptr, nullptr) == 0);
    REQUIRE(git_index_update_all(index, &all, nullptr, nullptr) == 0);
    REQUIRE(git_index_write_tree(&id, index) == 0);
    REQUIRE(git_tree_lookup(&tree, repository_, &id) == 0);
    REQUIRE(git_signature_new(&who, "s", "s@example.org", time, 0) == 0);
    std::vector<git_commit*> parents;
    git_oid head;
    if (git_reference_name_to_id(&head, repository_, "HEAD") == 0) parents.push_back(look_up(head));
    if (second != nullptr) parents.push_back(look_up(*second));
    REQUIRE(git_commit_create(&id, repository_, reference, who, who, nullptr, "m", tree, parents.size(),
                              const_cast<const git_commit**>(parents.data())) == 0);
    for (git_commit* parent : parents) git_commit_free(parent);
    git_signature_free(who);
    git_tree_free(tree);
    git_index_free(index);
    return id;
  }

 private:
  git_commit* look_up(const git_oid& id) const {
    git_commit* commit = nullptr;
    REQUIRE(git_commit_lookup(&commit, repository_, &id) == 0);
    return commit;
  }

  const TemporaryFolder& folder_;
  std::string name_;
  git_repository* repository_ = nullptr;
};

std::optional<std::int64_t> time_of(const TemporaryFolder& folder, const std::string& file) {
  SourceTree tree = read_source_tree(folder.path());
  add_commit_times(tree, folder.path());
  for (const TreeFile& each : tree.files) {
    if (each.path.back() == file) return each.commit_time;
  }
  FAIL("no such file: " << file);
  return std::nullopt;
}

void replace(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::trunc) << text;
}

}  // namespace

TEST_CASE("the last commit that changed a file is when it was handed in") {
  const TemporaryFolder folder;
  Clone ada(folder, "lab3-ada"), grace(folder, "lab3-grace");
  ada.write("matmul.cu", "one");
  ada.write("src/other.cu", "o");
  ada.commit(1'700'000'100);
  ada.write("matmul.cu", "two");
  ada.commit(1'700'000'200);
  ada.write("README.md", "text");
  ada.write("src/other.cu", "p");
  ada.commit(1'700'000'300);
  grace.write("matmul.cu", "her own");
  grace.commit(1'700'000'400);
  CHECK(time_of(folder, "other.cu") == 1'700'000'300);
  const Collected collected = collect(folder.path(), kOne, read_roster("id,github\ns1,ada\ns2,grace\n", "r"));
  REQUIRE(collected.attempts.size() == 2);
  CHECK(collected.attempts[0].handed_in == 1'700'000'200);
  CHECK(collected.attempts[0].time_source == TimeSource::commit);
  CHECK(collected.attempts[1].handed_in == 1'700'000'400);
}

TEST_CASE("a merge is no change of what one side had already") {
  const TemporaryFolder folder;
  Clone clone(folder, "lab3-ada");
  clone.write("matmul.cu", "one");
  clone.commit(1'700'000'100);
  clone.write("matmul.cu", "two");
  const git_oid branch = clone.commit(1'700'000'200, nullptr, nullptr);  // on no branch
  clone.write("notes.txt", "n");
  clone.write("matmul.cu", "one");
  clone.commit(1'700'000'300);
  clone.write("matmul.cu", "two");
  clone.commit(1'700'000'400, &branch);
  CHECK(time_of(folder, "matmul.cu") == 1'700'000'200);
}

TEST_CASE("a file that is not what was committed has the time of the file") {
  const TemporaryFolder folder;
  Clone clone(folder, "lab3-ada");
  clone.write("matmul.cu", "one");
  clone.commit(1'700'000'100);
  clone.write("matmul.cu", "changed by hand");
  CHECK_FALSE(time_of(folder, "matmul.cu"));
  const Collected collected = collect(folder.path(), kOne, {});
  REQUIRE(collected.attempts.size() == 1);
  CHECK(collected.attempts[0].time_source == TimeSource::file);
}

TEST_CASE("nothing that a clone asks for is done") {
  const TemporaryFolder folder;
  Clone clone(folder, "lab3-ada");
  clone.write("matmul.cu", "one");
  clone.commit(1'700'000'100);
  const fs::path proof = folder.path() / "proof";
  const std::string touch = "touch " + proof.string();
  folder.write("program", "#!/bin/sh\n" + touch + "\n");
  fs::permissions(folder.path() / "program", fs::perms::owner_all);
  const std::string program = (folder.path() / "program").string();
  std::ofstream(clone.git() / "config", std::ios::app)
      << "[core]\n fsmonitor = " << program << "\n pager = " << program << "\n hooksPath = " << folder.path().string()
      << "\n sshCommand = " << program << "\n[diff]\n external = " << program
      << "\n[filter \"x\"]\n clean = " << program << "\n smudge = " << program
      << "\n[remote \"origin\"]\n url = ext::" << program << "\n promisor = true\n uploadpack = " << program << "\n";
  for (const char* hook : {"post-checkout", "fsmonitor-watchman", "pre-auto-gc"})
    fs::create_symlink(program, clone.git() / "hooks" / hook);
  clone.write(".gitattributes", "* filter=x diff=x\n");
  CHECK(time_of(folder, "matmul.cu") == 1'700'000'100);
  CHECK_FALSE(fs::exists(proof));
}

TEST_CASE("a damaged or hostile clone costs its own commit times alone") {
  const TemporaryFolder folder;
  Clone honest(folder, "lab3-grace"), hostile(folder, "lab3-mallory");
  honest.write("honest.cu", "one");
  honest.commit(1'700'000'100);
  hostile.write("matmul.cu", "one");
  hostile.commit(1'700'000'200);
  const fs::path git = hostile.git();
  SECTION("no HEAD") {
    fs::remove(git / "HEAD");
  }
  SECTION("HEAD leads out of it") {
    replace(git / "HEAD", "ref: ../../lab3-grace/.git/refs/heads/master\n");
  }
  SECTION("HEAD is a link to nowhere") {
    fs::remove(git / "HEAD");
    fs::create_symlink("/dev/zero", git / "HEAD");
  }
  SECTION("its .git is a file that leads to another") {
    fs::rename(git, hostile.path() / "moved");
    folder.write("lab3-mallory/.git", "gitdir: " + honest.git().string() + "\n");
  }
  SECTION("its .git is a link") {
    fs::rename(git, folder.path() / "moved");
    fs::create_symlink(folder.path() / "moved", git);
  }
  SECTION("its objects are elsewhere") {
    if (sandbox::landlock::version() == 0) return;  // this kernel refuses no file
    fs::rename(git / "objects", folder.path() / "objects");
    fs::create_symlink(folder.path() / "objects", git / "objects");
  }
  SECTION("its settings are endless") {
    fs::remove(git / "config");
    fs::create_symlink("/dev/zero", git / "config");
  }
  SECTION("its objects are damaged") {
    for (const auto& entry : fs::recursive_directory_iterator(git / "objects")) {
      if (!entry.is_regular_file()) continue;
      fs::permissions(entry.path(), fs::perms::owner_all);
      replace(entry.path(), "x");
    }
  }
  CHECK_FALSE(time_of(folder, "matmul.cu"));
  CHECK(time_of(folder, "honest.cu") == 1'700'000'100);
}
