// Built things by the digest of what they were built from; shared by all graders of a user, safe against crashes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace cudalabs::builder {

class Cache {
 public:
  /// Entries live under `folder`, made when needed; together they stay below `most_bytes`.
  Cache(std::filesystem::path folder, std::uint64_t most_bytes);

  /// $CUDALABS_CACHE, else $XDG_CACHE_HOME/cudalabs, else ~/.cache/cudalabs, else a folder of this user beneath the
  /// system's folder for temporary files. $CUDALABS_CACHE_MIB MiB, else 1 GiB.
  static Cache of_user();

  /// The folder of a complete entry, now the most recently used; nothing when there is none.
  std::optional<std::filesystem::path> find(const std::string& digest) const;

  /// The same, but only when every byte is as it was stored: a damaged entry is removed, so that it is built again.
  std::optional<std::filesystem::path> find_whole(const std::string& digest) const;

  struct File {
    std::string bytes;
    bool executable = false;
  };
  /// Stores an entry and returns its folder. Written beside, synced and renamed: a reader sees all of it or nothing.
  /// When another grader was faster, its entry stands. Throws std::system_error when the disk is full or not writable.
  std::filesystem::path store(const std::string& digest, const std::map<std::string, File>& files) const;
  /// The same; nothing where store() throws: a cache that is full, read-only or something else is worked without.
  std::optional<std::filesystem::path> try_store(const std::string& digest,
                                                 const std::map<std::string, File>& files) const;

  /// Removes an entry that is no longer good. Where that fails, what is built in its place is not stored.
  void remove(const std::string& digest) const;

 private:
  void prune() const;

  std::filesystem::path folder_;
  std::uint64_t most_bytes_;
};

}  // namespace cudalabs::builder
