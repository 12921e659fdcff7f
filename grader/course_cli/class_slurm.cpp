// `grade class … --slurm`, and the commands that its jobs are: `grade class shard` and `grade class collect`.
#include "course_cli/class_slurm.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <sstream>
#include <thread>

#include "cli/choices.h"
#include "cli/project.h"
#include "cli/run_tool.h"
#include "cli/usage_error.h"
#include "course/pages.h"
#include "course/provenance.h"
#include "course/shards.h"
#include "course_cli/class.h"
#include "course_cli/class_labs.h"
#include "course_cli/class_places.h"
#include "course_cli/class_runs.h"
#include "course_cli/class_work.h"
#include "report/write_file.h"
#include "sandbox/temporary_folder.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kClassWaitOfJob = 600;  // seconds
constexpr std::size_t kTasksOfShard = 20;  // some minutes of one core
constexpr std::size_t kMostShards = 1000;  // Slurm's own limit, unless it was raised

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// What the tool printed. Throws UsageError with its own words when it fails.
std::string said_by(const std::vector<std::string>& command) {
  const ToolRun run = run_tool(command);
  if (run.status == ToolRun::kNotInstalled)
    throw UsageError(fmt::format("--slurm: there is no {} here; run it where jobs are submitted", command[0]));
  if (run.status != 0) throw UsageError(fmt::format("--slurm: {} failed: {}", command[0], run.errors));
  return run.output;
}

/// Whether the cluster still has the job, or a part of it, to do.
bool is_under_way(const std::string& job) {
  if (job.empty()) return false;
  const ToolRun run =
      run_tool({"squeue", "--noheader", "--states=PENDING,CONFIGURING,RUNNING,SUSPENDED,REQUEUED", "--jobs=" + job});
  if (run.status == 0) return run.output.find_first_not_of(" \n") != std::string::npos;
  // It has forgotten a job that ended some time ago.
  if (run.errors.find("Invalid job id") != std::string::npos) return false;
  throw UsageError(fmt::format("--slurm: squeue does not say how job {} is: {}", job, run.errors));
}

/// A job's script. Words are quoted for the shell.
void write_script(const fs::path& file, const std::vector<std::string>& command) {
  std::string line = "exec";
  for (const std::string& word : command) {
    line += " '";
    for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  write_file(file, "#!/bin/sh\n" + line + " \"$@\"\n");
}

std::string submit(const ClassGradeCommand& command, const std::vector<std::string>& options, const fs::path& script) {
  std::vector<std::string> words{"sbatch", "--parsable"};
  std::ranges::move(words_of(*command.slurm), std::back_inserter(words));
  words.insert(words.end(), options.begin(), options.end());
  words.push_back(script.string());
  const std::string said = said_by(words);
  return said.substr(0, said.find_first_of(";\n"));  // "ID;CLUSTER"
}

/// Takes in what jobs have left. The folders of those that have ended.
std::vector<course::ShardFolder> collect(const fs::path& out, course::Store& store,
                                         std::vector<course::ShardFolder>& under_way) {
  std::vector<course::ShardFolder> ended;
  for (course::ShardFolder& folder : course::shard_folders(out)) {
    // Asked first: what ends afterwards is taken in the next time.
    const bool working = is_under_way(folder.job());
    folder.collect(store);
    (working ? under_way : ended).push_back(std::move(folder));
  }
  return ended;
}

void submit_shards(const ClassGradeCommand& command, const std::vector<course::Task>& tasks, course::Store& store) {
  const std::size_t wanted = command.shards.value_or((tasks.size() + kTasksOfShard - 1) / kTasksOfShard);
  const auto shards = static_cast<unsigned>(std::clamp<std::size_t>(wanted, 1, std::min(kMostShards, tasks.size())));
  const fs::path out = fs::absolute(command.out);
  const course::ShardFolder folder = course::new_shard_folder(out);
  folder.write(tasks, shards, settings_of(command), store.begin_run(asked_of(command), std::time(nullptr)), store);
  const std::string grade = fs::read_symlink("/proc/self/exe").string();
  std::vector<std::string> shard{grade, "class", "shard", folder.path().string()};
  if (!command.tries_patches) shard.emplace_back("--no-patches");
  write_script(folder.path() / "shard.sh", shard);
  write_script(folder.path() / "collect.sh", {grade, "class", "collect", "--out", out.string()});
  const std::string log = (folder.path() / "logs").string();
  const std::string array = submit(
      command, {fmt::format("--array=0-{}", shards - 1), "--job-name=grade-class", "--output=" + log + "/shard-%a"},
      folder.path() / "shard.sh");
  folder.set_job(array);
  const std::string collector =
      submit(command, {"--dependency=afterany:" + array, "--job-name=grade-collect", "--output=" + log + "/collect"},
             folder.path() / "collect.sh");
  fmt::print("{} submissions in {} shards: job {}; job {} collects when all have ended\n", tasks.size(), shards, array,
             collector);
}

}  // namespace

ExitCode submit_class(const ClassGradeCommand& command) {
  const std::vector<Lab> labs = command.lab == "all" ? all_labs() : std::vector{load_lab(command.lab)};
  const sandbox::Fd lock = hold_class(command.out, kClassWait);
  const course::LocalDatabase local(command.out);
  std::vector<course::ShardFolder> ended, under_way;
  std::size_t open = 0, waiting = 0;
  {
    course::Store store(local.folder(), course::Store::Open::make);
    require_rules(command.out);  // a course.toml that is wrong is better known now
    take_in(command, labs, store);
    print_taken_in(command, labs, store);
    ended = collect(command.out, store, under_way);
    std::map<std::string, course::Audit> audits;
    for (const Lab& lab : labs) audits.emplace(lab.id, course::audit_of(lab));
    course::Plan plan = course::plan(store, labs, settings_of(command), regrade_of(command, store), audits);
    for (const course::ShardFolder& folder : under_way) {
      std::erase_if(plan.missing, [&](const course::Task& task) {
        return std::ranges::find(folder.tasks(), task) != folder.tasks().end();
      });
      fmt::print("job {} is still grading\n", folder.job());
    }
    print_plan(plan, command);
    waiting = plan.missing.size() + under_way.size();
    if (!plan.missing.empty()) submit_shards(command, plan.missing, store);
    open = print_open_rows(labs, store);
    if (command.pages) course::write_pages(command.out, store, class_data(command.out, store));
  }
  local.put_back();
  for (const course::ShardFolder& folder : ended) folder.finish();
  return waiting > 0 || open == 0 ? kFullMarks : kFellShort;
}

ExitCode run_class_command(const ClassShardCommand& command) {
  course::ShardFolder folder(command.folder);
  folder.read();
  const char* task_id = std::getenv("SLURM_ARRAY_TASK_ID");
  if (task_id == nullptr) throw UsageError("grade class shard is what jobs run that grade class --slurm submits");
  const auto shard = static_cast<unsigned>(std::strtoul(task_id, nullptr, 10));
  const char* on_node = std::getenv("SLURM_CPUS_ON_NODE");
  const unsigned processors =
      on_node == nullptr ? 1 : std::clamp(static_cast<unsigned>(std::strtoul(on_node, nullptr, 10)), 1u, 1024u);

  const course::Settings& settings = folder.settings();
  ClassGradeCommand how;
  if (!settings.seed.empty()) how.seed = std::stoull(settings.seed);
  how.device = kDevices.at(settings.device);
  how.tries_patches = command.tries_patches;
  how.frontend = kFrontends.at(settings.frontend);
  if (!settings.sandbox.empty()) how.sandbox = settings.sandbox.front();
  const DeviceChoice device = prepare(how);

  const std::vector<std::size_t> numbers = folder.missing(shard);
  std::vector<course::Task> tasks;
  std::map<std::string, course::Audit> audits;
  std::vector<Lab> labs;
  for (const std::size_t number : numbers) {
    const course::Task& task = folder.tasks()[number];
    tasks.push_back(task);
    if (audits.contains(task.lab)) continue;
    const Lab& lab = labs.emplace_back(load_lab(task.lab));
    audits.emplace(task.lab, course::audit_of(lab));
  }
  const Places places = share_processors(std::nullopt, processors, labs);
  const sandbox::TemporaryFolder work("shard");
  const course::Tally tally = course::grade_tasks(
      tasks, settings, audits,
      {.work =
           [&](const course::Task& task, const std::string& text, int output) {
             return grade_one(how, device, *std::ranges::find(labs, task.lab, &Lab::id),
                              work.path() / std::to_string(getpid()), text, output);
           },
       .progress = [](const course::Tally&) {},
       .places = places.all,
       .places_of = places.places_of},
      [&](const course::Task& task) { return folder.text(task); },
      [&](std::size_t number, const course::Grading& grading) { folder.keep(numbers[number], grading); });
  fmt::print("shard {}: {} graded, {} without a verdict\n", shard, tally.done, tally.failed);
  return kFullMarks;
}

ExitCode run_class_command(const ClassCollectCommand& command) {
  const sandbox::Fd lock = hold_class(command.out, kClassWaitOfJob);
  const course::LocalDatabase local(command.out);
  std::vector<course::ShardFolder> ended, under_way;
  {
    course::Store store(local.folder(), course::Store::Open::existing);
    ended = collect(command.out, store, under_way);
    course::write_pages(command.out, store, class_data(command.out, store));
  }
  local.put_back();
  for (const course::ShardFolder& folder : ended) folder.finish();
  fmt::print("{}\n", (command.out / "index.html").string());
  return kFullMarks;
}

}  // namespace cudalabs
