// Every path, limit and descriptor of a job, written as arguments. Nothing here comes from a student but the bytes of
// files.
#include "sandbox/command.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>

namespace cudalabs::sandbox {
namespace {

using Arguments = std::vector<std::string>;

void add(Arguments& to, std::initializer_list<std::string> words) {
  to.insert(to.end(), words);
}

// What compilers need of the system, where it exists. /usr is there always; the rest are links into it, or small files.
constexpr std::array kSystemLinks = {"bin", "sbin", "lib", "lib32", "lib64", "libx32"};
constexpr std::array kSystemFiles = {"/etc/ld.so.cache", "/etc/alternatives"};

// What a job without a /proc of its own sees of the machine's: itself, for the sandbox's init opens these in the
// process that becomes the job, and what drivers ask about.
constexpr std::array kOwnProc = {"/proc/self",    "/proc/cpuinfo", "/proc/devices", "/proc/driver",
                                 "/proc/meminfo", "/proc/modules", "/proc/stat",    "/proc/version"};

/// With reading alone, most of what a job maps is code: its own limit leaves that much room beyond it.
constexpr std::uint64_t kAddressSlack = 512ull << 20;

Arguments limits_of(const Job& job, const Placement& placement) {
  const Limits& limits = job.limits;
  Arguments words;
  const auto limit = [&words](const char* name, std::uint64_t value) {
    add(words, {"--limit", std::string(name) + "=" + std::to_string(value)});
  };
  limit("core", 0);
  limit("cpu", static_cast<std::uint64_t>(std::ceil(limits.cpu_seconds)));
  // A GPU's driver reserves address space by the terabyte, and so does the virtual GPU for its shadow memory.
  if (!job.accelerator && !job.reserves_addresses) limit("memory", limits.memory_bytes + kAddressSlack);
  limit("file", limits.file_bytes);
  limit("processes", limits.processes + placement.process_allowance);
  limit("files", limits.open_files);
  return words;
}

Arguments guard_words(const Job& job, const Placement& placement) {
  Arguments words{"guard",
                  "--status",
                  std::to_string(placement.status),
                  "--control",
                  std::to_string(placement.control),
                  "--filter",
                  std::to_string(placement.filter)};
  for (const auto& [number, source] : placement.descriptors) {
    add(words, {"--fd", std::to_string(number) + "=" + std::to_string(source)});
  }
  // The sandbox's init keeps the user reserved until the last of the job's processes is gone.
  if (placement.hold >= 0) add(words, {"--keep", std::to_string(placement.hold)});
  for (std::string& word : limits_of(job, placement)) words.push_back(std::move(word));
  return words;
}

void append_job(Arguments& words, const Job& job) {
  words.push_back("--");
  words.insert(words.end(), job.arguments.begin(), job.arguments.end());
}

Arguments bubblewrap_words(const Job& job, const Placement& placement) {
  const std::string scratch = std::to_string(std::max<std::uint64_t>(job.limits.file_bytes, 1 << 20));
  Arguments words{"bwrap",
                  "--unshare-all",
                  "--unshare-user",
                  "--disable-userns",
                  "--die-with-parent",
                  "--new-session",
                  "--as-pid-1",
                  "--cap-drop",
                  "ALL",
                  "--hostname",
                  "sandbox",
                  "--clearenv"};
  for (const auto& [name, value] : job_environment(job, placement)) add(words, {"--setenv", name, value});

  if (job.system_files) {
    add(words, {"--ro-bind", "/usr", "/usr"});
    for (const char* link : kSystemLinks) {
      const std::filesystem::path path = std::filesystem::path("/") / link;
      std::error_code error;
      if (std::filesystem::is_symlink(path, error)) {
        add(words, {"--symlink", std::filesystem::read_symlink(path, error), path});
      } else if (std::filesystem::is_directory(path, error)) {
        add(words, {"--ro-bind", path, path});
      }
    }
    for (const char* file : kSystemFiles) add(words, {"--ro-bind-try", file, file});
  }
  if (job.proc) add(words, {"--proc", "/proc"});
  // bubblewrap's /dev is a file system of its own without a limit: make its shared memory small, and the rest read-only
  // once the device files are in it, for a bind needs a file to be made there first.
  add(words, {"--dev", "/dev", "--size", scratch, "--tmpfs", "/dev/shm"});
  for (const Visible& visible : job.visible) {
    add(words, {visible.device ? "--dev-bind" : "--ro-bind", visible.path, visible.path});
  }
  add(words, {"--remount-ro", "/dev"});
  add(words, {"--size", scratch, "--tmpfs", "/tmp"});
  // Copied into the root, which is made read-only at the end: cheaper than a mount a file, if it is small.
  for (std::size_t i = 0; i < job.files.size(); ++i) {
    if (i < placement.originals.size() && !placement.originals[i].empty()) {
      add(words, {"--ro-bind", placement.originals[i], "/" + job.files[i].path});
      continue;
    }
    add(words, {"--perms", job.files[i].executable ? "0555" : "0444", "--file", std::to_string(placement.files[i]),
                "/" + job.files[i].path});
  }
  if (placement.warden_shown) {
    add(words, {"--ro-bind", placement.init, "/.init"});
  } else {
    add(words, {"--perms", "0555", "--file", std::to_string(placement.init_bytes), "/.init"});
  }
  add(words, {"--remount-ro", "/", "--chdir", "/", "--", "/.init"});
  for (std::string& word : guard_words(job, placement)) words.push_back(std::move(word));
  words.push_back("--first-process");
  append_job(words, job);
  return words;
}

Arguments in_namespaces(const Job& job, const Placement& placement) {
  Arguments words{placement.init, "enter", "--new-session", "--control", std::to_string(placement.control)};
  for (const int group : placement.join) add(words, {"--join", std::to_string(group)});
  if (placement.user >= 0) add(words, {"--user", std::to_string(placement.user)});
  std::vector<int> keep{placement.init_bytes, placement.status, placement.control, placement.filter};
  if (placement.hold >= 0) keep.push_back(placement.hold);
  keep.insert(keep.end(), placement.files.begin(), placement.files.end());
  for (const auto& [number, source] : placement.descriptors) keep.push_back(source);
  for (const int descriptor : keep) add(words, {"--keep", std::to_string(descriptor)});
  words.push_back("--");
  for (std::string& word : bubblewrap_words(job, placement)) words.push_back(std::move(word));
  return words;
}

Arguments without_namespaces(const Job& job, const Placement& placement) {
  Arguments words{placement.init};
  for (std::string& word : guard_words(job, placement)) words.push_back(std::move(word));
  for (const int group : placement.join) add(words, {"--join", std::to_string(group)});
  if (placement.user >= 0) add(words, {"--user", std::to_string(placement.user)});
  add(words, {"--root", placement.folder});
  if (placement.tier != Tier::none && placement.landlock) {
    add(words, {"--read", placement.folder, "--write", placement.folder + "/tmp", "--write", "/dev/null", "--write",
                "/dev/zero", "--read", "/dev/urandom"});
    if (job.system_files) {
      add(words, {"--read", "/usr"});
      for (const char* link : kSystemLinks) add(words, {"--read", std::string("/") + link});
      for (const char* file : kSystemFiles) add(words, {"--read", file});
    }
    if (job.proc) {
      for (const char* path : kOwnProc) add(words, {"--read", path});
      add(words, {"--write", "/proc/self/task"});  // where a thread gets its name
    }
    for (const Visible& visible : job.visible) add(words, {visible.device ? "--write" : "--read", visible.path});
  }
  append_job(words, job);
  return words;
}

}  // namespace

std::vector<std::string> command_line(const Job& job, const Placement& placement) {
  return placement.tier == Tier::bubblewrap ? in_namespaces(job, placement) : without_namespaces(job, placement);
}

std::vector<std::pair<std::string, std::string>> job_environment(const Job& job, const Placement& placement) {
  const std::string scratch = placement.tier == Tier::bubblewrap ? "/tmp" : placement.folder + "/tmp";
  std::vector<std::pair<std::string, std::string>> environment{
      {"PATH", "/usr/bin:/bin"}, {"HOME", scratch}, {"TMPDIR", scratch}, {"LC_ALL", "C.UTF-8"}};
  environment.insert(environment.end(), job.environment.begin(), job.environment.end());
  return environment;
}

}  // namespace cudalabs::sandbox
