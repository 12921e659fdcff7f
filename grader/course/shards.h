// Gradings spread over the machines of a cluster, which share nothing but files: what is to be graded lies in a folder,
// and every result is a file of its own, written whole. No machine but the one that collects opens the database.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "course/grade_class.h"
#include "course/records.h"
#include "course/store.h"
#include "sandbox/temporary_folder.h"

namespace cudalabs::course {

/// One submission of jobs: a folder `class folder`/slurm/NUMBER.
class ShardFolder {
 public:
  explicit ShardFolder(std::filesystem::path path) : path_(std::move(path)) {}
  const std::filesystem::path& path() const { return path_; }

  /// Writes down what is to be graded, with the submissions themselves, as gradings of `run`. Throws std::runtime_error
  /// naming the file.
  void write(const std::vector<Task>& tasks, unsigned shards, const Settings& settings, std::int64_t run,
             Store& store) const;
  /// Throws std::runtime_error when it is not there or not whole.
  void read();

  const std::vector<Task>& tasks() const { return tasks_; }
  unsigned shards() const { return shards_; }
  const Settings& settings() const { return settings_; }

  /// Of the tasks of one shard (counted from 0), those without a result: their numbers.
  std::vector<std::size_t> missing(unsigned shard) const;
  std::string text(const Task& task) const;
  /// Puts a result where the collector finds it. Throws std::runtime_error naming the file.
  void keep(std::size_t task, const Grading& grading) const;

  /// The job that grades it, as the cluster knows it; empty while there is none.
  std::string job() const;
  void set_job(const std::string& job) const;

  /// Adds results to the store; those that are there already are not added again. Returns how many there were.
  std::size_t collect(Store& store) const;
  /// What was collected is in the database for good, and nobody works here any more: removes the folder, but for the
  /// logs when results are missing.
  void finish() const;

 private:
  std::filesystem::path result(std::size_t task) const;

  std::filesystem::path path_;
  std::vector<Task> tasks_;
  unsigned shards_ = 0;
  Settings settings_;
  std::int64_t run_ = 0;
};

/// Those in the folder of a class that are whole, by number.
std::vector<ShardFolder> shard_folders(const std::filesystem::path& class_folder);
/// A fresh one. Throws std::filesystem::filesystem_error.
ShardFolder new_shard_folder(const std::filesystem::path& class_folder);

/// The database of a class, copied to this machine: SQLite's locks cannot be relied on between machines.
class LocalDatabase {
 public:
  /// Copies `class_folder`/class.db, if there is one, to a folder of this machine's own.
  explicit LocalDatabase(const std::filesystem::path& class_folder);
  /// Where to open a store. It has to be closed before put_back().
  const std::filesystem::path& folder() const { return local_.path(); }
  /// Replaces the class's database, all at once. Throws std::runtime_error naming the file.
  void put_back() const;

 private:
  std::filesystem::path class_folder_;
  sandbox::TemporaryFolder local_{"class"};
};

}  // namespace cudalabs::course
