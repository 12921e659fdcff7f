// Gradings spread over the machines of a cluster.
#include "course/shards.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "course/grading_file.h"
#include "report/write_file.h"
#include "text/file_text.h"

namespace cudalabs::course {
namespace {

namespace fs = std::filesystem;

constexpr int kShardsVersion = 2;

}  // namespace

void ShardFolder::write(const std::vector<Task>& tasks, unsigned shards, const Settings& settings, std::int64_t run,
                        Store& store) const {
  for (const char* name : {"submissions", "results", "logs"}) fs::create_directories(path_ / name);
  nlohmann::json list = nlohmann::json::array();
  for (const Task& task : tasks) {
    write_file(path_ / "submissions" / task.digest, store.submission(task.digest));
    list.push_back({{"lab", task.lab}, {"digest", task.digest}});
  }
  const nlohmann::json json{{"version", kShardsVersion},
                            {"shards", shards},
                            {"tasks", list},
                            {"seed", settings.seed},
                            {"device", settings.device},
                            {"frontend", settings.frontend},
                            {"sandbox", settings.sandbox},
                            {"run", run}};
  write_file(path_ / "tasks.json", json.dump(1) + "\n");  // last: with it the folder is whole
}

void ShardFolder::read() {
  const fs::path file = path_ / "tasks.json";
  try {
    const nlohmann::json json = nlohmann::json::parse(readable_text_of(file));
    if (json.at("version") != kShardsVersion)
      throw std::runtime_error(fmt::format("{}: of another version", file.string()));
    shards_ = json.at("shards");
    settings_ = {json.at("seed"), json.at("device"), json.at("frontend"), json.at("sandbox")};
    run_ = json.at("run");
    tasks_.clear();
    for (const nlohmann::json& each : json.at("tasks")) tasks_.push_back({each.at("lab"), each.at("digest")});
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(fmt::format("{}: {}", file.string(), error.what()));
  }
}

fs::path ShardFolder::result(std::size_t task) const {
  return path_ / "results" / fmt::format("{}.json", task);
}

std::vector<std::size_t> ShardFolder::missing(unsigned shard) const {
  std::vector<std::size_t> numbers;
  for (std::size_t i = shard; i < tasks_.size(); i += std::max(shards_, 1u)) {
    if (!fs::exists(result(i))) numbers.push_back(i);
  }
  return numbers;
}

std::string ShardFolder::text(const Task& task) const {
  return readable_text_of(path_ / "submissions" / task.digest);
}

void ShardFolder::keep(std::size_t task, const Grading& grading) const {
  write_file(result(task), grading_as_text(grading));
}

std::string ShardFolder::job() const {
  std::ifstream stream(path_ / "job");
  std::string job;
  stream >> job;
  return job;
}

void ShardFolder::set_job(const std::string& job) const {
  write_file(path_ / "job", job + "\n");
}

std::size_t ShardFolder::collect(Store& store) const {
  const auto known = store.latest_gradings();
  std::size_t count = 0;
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    if (!fs::exists(result(i))) continue;
    std::optional<Grading> grading = grading_from_text(readable_text_of(result(i)));
    if (!grading || !(Task{grading->lab, grading->digest} == tasks_[i])) continue;  // graded again one day
    ++count;
    const auto same = known.find({grading->lab, grading->digest});
    const bool there = same != known.end() && same->second.ended == grading->ended &&
                       same->second.audit.host == grading->audit.host && same->second.settings == grading->settings;
    if (there) continue;
    grading->run = run_;
    store.add(*grading);
  }
  return count;
}

void ShardFolder::finish() const {
  bool whole = true;
  for (std::size_t i = 0; i < tasks_.size(); ++i) whole = whole && fs::exists(result(i));
  fs::remove(path_ / "tasks.json");  // first: without it the folder is none
  for (const char* name : {"submissions", "results", "job"}) fs::remove_all(path_ / name);
  if (whole) fs::remove_all(path_);
}

std::vector<ShardFolder> shard_folders(const fs::path& class_folder) {
  std::vector<std::pair<unsigned, fs::path>> found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(class_folder / "slurm", error)) {
    const std::string name = entry.path().filename().string();
    unsigned number = 0;
    const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (problem == std::errc() && end == name.data() + name.size() && fs::exists(entry.path() / "tasks.json"))
      found.emplace_back(number, entry.path());
  }
  std::ranges::sort(found);
  std::vector<ShardFolder> folders;
  for (const auto& [number, path] : found) {
    folders.emplace_back(path);
    folders.back().read();
  }
  return folders;
}

ShardFolder new_shard_folder(const fs::path& class_folder) {
  const fs::path around = class_folder / "slurm";
  fs::create_directories(around);
  for (unsigned number = 1;; ++number) {
    if (fs::create_directory(around / std::to_string(number))) return ShardFolder(around / std::to_string(number));
  }
}

LocalDatabase::LocalDatabase(const fs::path& class_folder) : class_folder_(class_folder) {
  // The log goes along: it holds what was committed and not yet moved when a process was killed.
  for (const char* file : {"class.db", "class.db-wal"}) {
    if (fs::exists(class_folder_ / file)) fs::copy_file(class_folder_ / file, folder() / file);
  }
}

void LocalDatabase::put_back() const {
  const std::string name = (folder() / "class.db").string();
  if (fs::exists(folder() / "class.db-wal")) throw std::runtime_error(name + ": this database is still open");
  write_file(class_folder_ / "class.db", readable_text_of(name));
  for (const char* file : {"class.db-wal", "class.db-shm"}) fs::remove(class_folder_ / file);
}

}  // namespace cudalabs::course
