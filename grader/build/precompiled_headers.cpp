// Beside the two files, an entry of the cache lists the system's headers that went into them, with sizes and times.
// They are not among what an entry is named after: which ones there are is known only when the compiler has read them.
#include "build/precompiled_headers.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <set>
#include <sstream>
#include <string>
#include <utility>

#include "build/compile_job.h"
#include "build/digest.h"
#include "sandbox/tier.h"

namespace cudalabs::builder {
namespace {

constexpr std::string_view kFormatOfHeaders = "headers 1";
constexpr const char *kHost = "host", *kDevice = "device", *kSystem = "system";  // files of an entry

/// A file as it is now.
std::string state_of(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return path + " missing\n";
  return fmt::format("{} {} {}.{:09}\n", path, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

/// The states of those of the compiler's dependencies (rules of make) that the job was not given: their paths begin
/// with a slash.
std::string states_of_system(const std::string& dependencies) {
  std::set<std::string> paths;
  std::istringstream words(dependencies);
  for (std::string word; words >> word;) {
    if (word.starts_with("/") && word != "/dev/null") paths.insert(word);
  }
  std::string states;
  for (const std::string& path : paths) states += state_of(path);
  return states;
}

bool are_up_to_date(const std::string& states) {
  std::istringstream lines(states);
  for (std::string line; std::getline(lines, line);) {
    if (state_of(line.substr(0, line.find(' '))) != line + '\n') return false;
  }
  return true;
}

/// What headers are made of, but for the system's.
std::string digest_of_headers(const Inputs& headers, const Recipe& recipe) {
  Digest digest;
  digest.add("format", kFormatOfHeaders);
  digest.add("toolchain", recipe.toolchain.version + "\n" + recipe.toolchain.compiler.string());
  digest.add("script", precompile_script(recipe));
  for (const auto& [path, bytes] : headers) digest.add(path, bytes);
  return digest.finish();
}

/// Of the files of a job, those that headers are made of.
Inputs headers_alone(const Inputs& inputs) {
  Inputs own;
  for (const auto& [path, bytes] : inputs) {
    if (path.starts_with(kRuntimeHeaders)) own.emplace(path, bytes);
  }
  return own;
}

std::optional<Headers> kept_headers(const Cache& cache, const std::string& digest) {
  const auto entry = cache.find_whole(digest);
  if (!entry) return std::nullopt;
  if (are_up_to_date(contents(*entry / kSystem)))
    return Headers{contents(*entry / kHost), contents(*entry / kDevice), {}};
  cache.remove(digest);
  return std::nullopt;
}

}  // namespace

std::optional<Headers> compiled_headers(const Inputs& inputs, const Recipe& recipe, sandbox::Budget* budget) {
  // They name the headers that they are made of by their whole paths, which are the same in every job only where jobs
  // have a root of their own.
  if (sandbox::tier_in_force() != sandbox::Tier::bubblewrap) return std::nullopt;
  const Inputs own = headers_alone(inputs);
  CompileJob job;
  job.script = precompile_script(recipe);
  job.toolchain = &recipe.toolchain;
  job.inputs = &own;
  job.channels = {{kPrecompiledHost, Keep::all},
                  {kPrecompiledDevice, Keep::all},
                  {kIncluded, Keep::beginning},
                  {kHostLog, Keep::beginning}};
  job.budget = budget;
  const Compiled compiled = compile(job);
  if (compiled.outcome.end != sandbox::End::exited || compiled.outcome.status != 0) return std::nullopt;
  return Headers{compiled[kPrecompiledHost], compiled[kPrecompiledDevice], compiled[kIncluded]};
}

void add_headers(Inputs& inputs, const Headers& headers) {
  inputs[std::string(kHostHeaders)] = headers.host;
  inputs[std::string(kDeviceHeaders)] = headers.device;
}

bool add_precompiled_headers(Inputs& inputs, const Recipe& recipe, const Cache& cache) {
  if (sandbox::tier_in_force() != sandbox::Tier::bubblewrap) return false;
  const std::string digest = digest_of_headers(headers_alone(inputs), recipe);
  std::optional<Headers> headers = kept_headers(cache, digest);
  if (!headers) {
    headers = compiled_headers(inputs, recipe, nullptr);
    if (!headers) return false;
    cache.try_store(digest, {{kHost, {headers->host, false}},
                             {kDevice, {headers->device, false}},
                             {kSystem, {states_of_system(headers->included), false}}});
  }
  add_headers(inputs, *headers);
  return true;
}

}  // namespace cudalabs::builder
