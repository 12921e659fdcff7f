// When the files of a clone were last changed, by its commits.
#include "course/commit_times.h"

#include <fmt/format.h>
#include <git2.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <memory>
#include <sstream>

#include "course/entry_path.h"
#include "course/workers.h"
#include "sandbox/landlock.h"

namespace cudalabs::course {
namespace {

namespace fs = std::filesystem;
using Path = std::vector<std::string>;

constexpr std::chrono::seconds kLongestForClone{10};
constexpr rlim_t kMostMemoryForClone = 2ull << 30;
constexpr std::size_t kMostObject = 16u << 20;  // of a commit or a folder's list
constexpr unsigned kMostCommits = 100'000;      // looked at for a file
constexpr std::int64_t kLatest = 253402300799;  // the end of the year 9999

/// A file of a clone that could be a submission.
struct Source {
  std::string path;  // in the clone
  TreeFile* file;
};

// What libgit2 makes and wants to have freed.
template <auto free>
struct Freer {
  template <typename T>
  void operator()(T* object) const {
    free(object);
  }
};
using Repository = std::unique_ptr<git_repository, Freer<git_repository_free>>;
using Reference = std::unique_ptr<git_reference, Freer<git_reference_free>>;
using Objects = std::unique_ptr<git_odb, Freer<git_odb_free>>;
using Commit = std::unique_ptr<git_commit, Freer<git_commit_free>>;
using Tree = std::unique_ptr<git_tree, Freer<git_tree_free>>;

/// From now on what is in `folder` may be read, and nothing else be opened, whatever links and settings say. Throws
/// std::runtime_error.
void confine(const fs::path& folder) {
  const rlimit seconds{kLongestForClone.count(), kLongestForClone.count()};
  setrlimit(RLIMIT_CPU, &seconds);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  // With a sanitizer a process has reserved terabytes already.
  const rlimit memory{kMostMemoryForClone, kMostMemoryForClone};
  setrlimit(RLIMIT_AS, &memory);
#endif
  using namespace sandbox;
  const int abi = landlock::version();
  if (abi == 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;
  const Fd ruleset(landlock::make_ruleset(abi));
  if (!ruleset || !landlock::allow(ruleset.get(), folder.c_str(), landlock::kReadFile | landlock::kReadFolder, true) ||
      !landlock::restrict_self(ruleset.get()))
    throw std::runtime_error("cannot be confined");
}

class History {
 public:
  /// Nobody's settings count but the clone's own, and it may be another user's. Throws std::runtime_error.
  explicit History(const fs::path& git_folder) {
    git_repository* repository = nullptr;
    git_odb* objects = nullptr;
    if (git_repository_open_ext(&repository, git_folder.c_str(),
                                GIT_REPOSITORY_OPEN_NO_SEARCH | GIT_REPOSITORY_OPEN_BARE, nullptr) != 0)
      throw std::runtime_error("is no repository");
    repository_.reset(repository);
    if (git_repository_odb(&objects, repository) != 0) throw std::runtime_error("has no objects");
    objects_.reset(objects);
  }

  /// When the last commit was made that changed the file, if it is what `bytes` are.
  std::optional<std::int64_t> last_change(const std::string& path, const std::string& bytes) const {
    git_oid blob;
    git_reference* head = nullptr;
    if (git_odb_hash(&blob, bytes.data(), bytes.size(), GIT_OBJECT_BLOB) != 0) return std::nullopt;
    if (git_repository_head(&head, repository_.get()) != 0) return std::nullopt;
    const Reference owned(head);
    if (git_reference_target(head) == nullptr) return std::nullopt;
    Commit at = commit(*git_reference_target(head));
    if (!at || !holds(*at, path, blob)) return std::nullopt;
    // As `git log -1 -- path` does: where a parent has the same file, the change came from there.
    for (unsigned count = 0; count < kMostCommits; ++count) {
      Commit before = parent_that_holds(*at, path, blob);
      if (!before) return git_commit_time(at.get());
      at = std::move(before);
    }
    return std::nullopt;
  }

 private:
  bool is_small(const git_oid& id) const {
    std::size_t size = 0;
    git_object_t type = GIT_OBJECT_INVALID;
    return git_odb_read_header(&size, &type, objects_.get(), &id) == 0 && size <= kMostObject;
  }

  Commit commit(const git_oid& id) const {
    git_commit* found = nullptr;
    if (!is_small(id) || git_commit_lookup(&found, repository_.get(), &id) != 0) return nullptr;
    return Commit(found);
  }

  bool holds(const git_commit& commit, const std::string& path, const git_oid& blob) const {
    git_oid folder = *git_commit_tree_id(&commit);
    for (std::size_t start = 0;;) {
      const std::size_t end = path.find('/', start);
      git_tree* tree = nullptr;
      if (!is_small(folder) || git_tree_lookup(&tree, repository_.get(), &folder) != 0) return false;
      const Tree owned(tree);
      const git_tree_entry* entry = git_tree_entry_byname(tree, path.substr(start, end - start).c_str());
      if (entry == nullptr) return false;
      if (end == std::string::npos) return git_oid_equal(git_tree_entry_id(entry), &blob) != 0;
      folder = *git_tree_entry_id(entry);
      start = end + 1;
    }
  }

  /// A shallow clone lacks parents: its oldest commits count as changes.
  Commit parent_that_holds(const git_commit& child, const std::string& path, const git_oid& blob) const {
    for (unsigned i = 0; i < git_commit_parentcount(&child); ++i) {
      Commit parent = commit(*git_commit_parent_id(&child, i));
      if (parent && holds(*parent, path, blob)) return parent;
    }
    return nullptr;
  }

  Repository repository_;
  Objects objects_;
};

/// Writes a line a source whose time is known: its number and the time.
int read_history(const fs::path& git_folder, const std::vector<Source>& sources, int output) {
  git_libgit2_init();
  for (const int level :
       {GIT_CONFIG_LEVEL_PROGRAMDATA, GIT_CONFIG_LEVEL_SYSTEM, GIT_CONFIG_LEVEL_XDG, GIT_CONFIG_LEVEL_GLOBAL})
    git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, level, "");
  git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
  confine(git_folder);
  const History history(git_folder);
  std::string lines;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (const auto time = history.last_change(sources[i].path, sources[i].file->bytes))
      lines += fmt::format("{} {}\n", i, *time);
  }
  sandbox::write_all(output, sandbox::bytes_of(lines));
  return 0;
}

std::vector<Source> sources_below(SourceTree& tree, const Path& clone) {
  std::vector<Source> sources;
  for (TreeFile& file : tree.files) {
    if (!file.kept || file.path.size() <= clone.size() || !std::equal(clone.begin(), clone.end(), file.path.begin()))
      continue;
    sources.push_back(
        {joined(Path(file.path.begin() + static_cast<std::ptrdiff_t>(clone.size()), file.path.end())), &file});
  }
  return sources;
}

}  // namespace

void add_commit_times(SourceTree& tree, const fs::path& folder) {
  for (const Path& clone : tree.clones) {
    const fs::path git_folder = folder / joined(clone) / ".git";
    struct stat status {};
    // A worktree's or submodule's .git is a file that leads elsewhere; a clone in an archive is in no folder.
    if (lstat(git_folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) continue;
    const std::vector<Source> sources = sources_below(tree, clone);
    if (sources.empty()) continue;
    Workers workers(kLongestForClone);
    workers.start(0, [&](int output) { return read_history(git_folder, sources, output); });
    std::optional<Ended> ended;
    while (!ended) ended = workers.wait(kLongestForClone);
    std::istringstream lines(ended->output);
    std::size_t number = 0;
    for (std::int64_t time = 0; lines >> number >> time;) {
      if (number < sources.size() && time >= 0 && time <= kLatest) sources[number].file->commit_time = time;
    }
  }
}

}  // namespace cudalabs::course
