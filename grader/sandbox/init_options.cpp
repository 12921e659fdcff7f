#include "sandbox/init_options.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "sandbox/init_report.h"

namespace cudalabs::sandbox {
namespace {

int limit_named(std::string_view name) {
  if (name == "cpu") return RLIMIT_CPU;
  if (name == "memory") return RLIMIT_AS;
  if (name == "file") return RLIMIT_FSIZE;
  if (name == "processes") return RLIMIT_NPROC;
  if (name == "files") return RLIMIT_NOFILE;
  if (name == "core") return RLIMIT_CORE;
  errno = EINVAL;
  give_up("unknown limit");
}

}  // namespace

InitOptions read_options(int count, char** arguments) {
  InitOptions options;
  for (int i = 2; i < count; ++i) {
    const std::string_view name = arguments[i];
    if (name == "--") {
      options.command = arguments + i + 1;
      break;
    }
    if (name == "--first-process") {
      options.first_process = true;
      continue;
    }
    if (name == "--new-session") {
      options.new_session = true;
      continue;
    }
    if (i + 1 >= count) break;
    char* value = arguments[++i];
    const char* equals = std::strchr(value, '=');
    if (name == "--join") options.join.push_back(std::atoi(value));
    if (name == "--keep") options.keep.push_back(std::atoi(value));
    if (name == "--user") options.user = std::atoi(value);
    if (name == "--status") options.status = std::atoi(value);
    if (name == "--control") options.control = std::atoi(value);
    if (name == "--filter") options.filter = std::atoi(value);
    if (name == "--root") options.root = value;
    if (name == "--read") options.allowed.push_back({value, false});
    if (name == "--write") options.allowed.push_back({value, true});
    if (name == "--limit" && equals) {
      options.limits.emplace_back(limit_named({value, equals}), std::strtoull(equals + 1, nullptr, 10));
    }
    if (name == "--fd" && equals) options.descriptors.emplace_back(std::atoi(value), std::atoi(equals + 1));
  }
  if (!options.command || !*options.command) {
    errno = EINVAL;
    give_up("no command");
  }
  return options;
}

void give_up(const char* step) {
  std::fprintf(stderr, "sandbox: %s: %s\n", step, std::strerror(errno));
  _exit(kInitFailed);
}

}  // namespace cudalabs::sandbox
