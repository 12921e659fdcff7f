// A submission's tokens and optimised PTX, made in a sandbox and kept in the cache.
#include "course/similar/extract.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <stdexcept>

#include "build/cache.h"
#include "build/digest.h"
#include "build/intake.h"
#include "build/job_inputs.h"
#include "build/recipe.h"
#include "sandbox/fd.h"
#include "sandbox/sandbox.h"

namespace cudalabs::similar {
namespace {

namespace fs = std::filesystem;
using sandbox::Fd;

constexpr std::string_view kFormat = "1";  // of the cache entry
constexpr std::size_t kMostTokenBytes = 4u << 20, kMostPtxBytes = 2u << 20;

/// All of it, or nothing of what is longer.
std::string all_or_nothing(const Fd& file, std::size_t most) {
  const off_t size = lseek(file.get(), 0, SEEK_END);
  if (size < 0 || static_cast<std::size_t>(size) > most) return "";
  return sandbox::read_all(file.get(), most);
}

std::string beginning(const Fd& file, std::size_t most) {
  std::string bytes(most, '\0');
  const ssize_t count = pread(file.get(), bytes.data(), bytes.size(), 0);
  bytes.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return bytes;
}

std::string script(const Toolchain& toolchain, const std::string& tokenizer, const std::string& source) {
  builder::Recipe recipe;
  recipe.toolchain = toolchain;
  recipe.kind = BuildKind::fast;
  recipe.source = source;
  // The tokenizer takes a file by its name: an option it is not.
  const std::string file = builder::shell_word(std::string(builder::kSubmissionFolder) + "/" + source);
  const std::string tokens =
      tokenizer.empty() ? std::string() : builder::shell_word(tokenizer) + " -- " + file + " >&3 2>/dev/null\n";
  return tokens + builder::device_code_command(recipe, "tmp/device.ptx") +
         " >/dev/null 2>&1 && cat tmp/device.ptx >&4\n";
}

}  // namespace

std::string find_tokenizer() {
  for (const char* path : {"/usr/bin/sim_c++", "/usr/local/bin/sim_c++"}) {
    if (access(path, X_OK) == 0) return path;
  }
  return "";
}

Extract extract(const Lab& lab, const Toolchain& toolchain, const std::string& tokenizer, std::string_view source) {
  if (source.empty() || source.size() > builder::kMostSourceBytes) return {};
  const std::string commands = script(toolchain, tokenizer, lab.contract.source);
  builder::Inputs inputs;
  inputs[std::string(builder::kLabFolder) + "/" + lab.contract.header] =
      builder::contents(lab.folder / lab.contract.header);
  builder::add_folder(inputs, builder::runtime_headers(), builder::kRuntimeHeaders);
  builder::Digest digest;
  digest.add("similar", kFormat);
  digest.add("toolchain", toolchain.version + "\n" + toolchain.compiler.string());
  digest.add("script", commands);
  digest.add("submission", source);
  for (const auto& [path, bytes] : inputs) digest.add(path, bytes);
  const std::string name = digest.finish();
  const builder::Cache cache = builder::Cache::of_user();
  if (const auto entry = cache.find_whole(name))
    return {builder::contents(*entry / "tokens"), builder::contents(*entry / "ptx")};

  sandbox::Job job;
  job.arguments = {"/bin/sh", "-c", commands};
  job.system_files = true;
  job.started_beside = sandbox::kAnyStartedBeside;
  job.proc = true;  // compilers find their own files through /proc/self/exe
  for (const fs::path& folder : builder::toolchain_folders(toolchain)) job.visible.push_back({folder, false});
  inputs[std::string(builder::kSubmissionFolder) + "/" + lab.contract.source] = source;
  builder::give(job, inputs);
  std::array<Fd, 2> written;
  for (std::size_t i = 0; i < written.size(); ++i) {
    written.at(i) = sandbox::make_memory_file("output", {});
    job.descriptors.push_back({static_cast<int>(i) + 3, Fd(fcntl(written.at(i).get(), F_DUPFD_CLOEXEC, 0))});
  }
  job.limits.cpu_seconds = 20;
  job.limits.wall_seconds = 120;
  job.limits.memory_bytes = 2ull << 30;
  job.limits.file_bytes = builder::kMostProgram;
  job.limits.processes = 64;
  job.limits.open_files = 256;
  const sandbox::Outcome outcome = sandbox::run(std::move(job));
  Extract result{beginning(written[0], kMostTokenBytes), all_or_nothing(written[1], kMostPtxBytes)};
  // How a limit was reached may have been the machine's doing: that is not kept.
  if (outcome.end == sandbox::End::exited) {
    try {
      cache.store(name, {{"tokens", {result.tokens, false}}, {"ptx", {result.ptx, false}}});
    } catch (const std::exception&) {
      // A cache that is full, read-only or something else is worked without.
    }
  }
  return result;
}

}  // namespace cudalabs::similar
