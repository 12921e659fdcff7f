// Lays a plan out as run/harness/runner_protocol.h says.
#include "run/plan.h"

#include <fcntl.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <stdexcept>

#include "run/append_record.h"
#include "run/exchange.h"
#include "run/harness/runner_protocol.h"
#include "run/memory_file.h"

namespace cudalabs {
namespace {

std::size_t samples_of(const Plan& plan) {
  return plan.calls.size() * (plan.calls.empty() ? 0 : plan.calls.front().samples.size());
}

void require_even(const Plan& plan) {
  for (const Plan::Call& call : plan.calls) {
    const Plan::Call& first = plan.calls.front();
    if (call.windows.size() != first.windows.size() || call.patches.size() != first.patches.size() ||
        call.samples.size() != first.samples.size()) {
      throw std::logic_error("the calls of a plan are not alike");
    }
  }
  const std::size_t patches = plan.calls.size() * (plan.calls.empty() ? 0 : plan.calls.front().patches.size());
  if (std::max(patches, samples_of(plan)) > harness::kMostPlaces) {
    throw std::logic_error("a plan has more calls than a runner has room for");
  }
}

}  // namespace

sandbox::Fd plan_file(const Plan& plan) {
  require_even(plan);
  harness::PlanHeader header;
  header.calls = static_cast<std::uint32_t>(plan.calls.size());
  header.launch_repeats = plan.launch_repeats;
  if (!plan.calls.empty()) {
    header.patches = static_cast<std::uint32_t>(plan.calls.front().patches.size());
    header.samples = static_cast<std::uint32_t>(plan.calls.front().samples.size());
  }
  header.patch_bytes = Plan::kPatchBytes;
  header.sample_bytes = Plan::kSampleBytes;
  std::vector<std::byte> file;
  runner::append_record(file, header);
  for (const Plan::Call& call : plan.calls) {
    for (const std::uint64_t offset : call.windows) runner::append_record(file, harness::PlanWindow{offset});
  }
  for (const Plan::Call& call : plan.calls) {
    for (const Plan::Patch& patch : call.patches) {
      runner::append_record(
          file, harness::PlanPlace{patch.pool, static_cast<std::uint32_t>(patch.bytes.size()), patch.offset});
    }
  }
  for (const Plan::Call& call : plan.calls) {
    for (const Plan::Sample& sample : call.samples) {
      if (sample.bytes > Plan::kSampleBytes) throw std::logic_error("a sample is too long");
      runner::append_record(file, harness::PlanPlace{sample.output, sample.bytes, sample.offset});
    }
  }
  for (const Plan::Call& call : plan.calls) {
    for (const Plan::Patch& patch : call.patches) {
      if (patch.bytes.size() > Plan::kPatchBytes) throw std::logic_error("a patch is too long");
      const std::size_t at = file.size();
      file.resize(at + Plan::kPatchBytes);
      std::memcpy(file.data() + at, patch.bytes.data(), patch.bytes.size());
    }
  }
  return sandbox::make_memory_file("plan", file, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL);
}

sandbox::Fd samples_file(const Plan& plan) {
  runner::MemoryFile memory("samples");
  memory.fill(samples_of(plan) * Plan::kSampleBytes, std::byte{runner::kPoison});
  return memory.sealed(runner::MemoryFile::Seals::size);
}

std::vector<std::byte> copy_samples(const Plan& plan, const sandbox::Fd& file) {
  const std::string bytes = sandbox::read_all(file.get(), samples_of(plan) * Plan::kSampleBytes);
  const std::span<const std::byte> samples = std::as_bytes(std::span(bytes));
  return {samples.begin(), samples.end()};
}

}  // namespace cudalabs
