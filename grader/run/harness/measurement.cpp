// Follows a plan. Patches come to the device in one copy, and samples leave it in one, so that between two calls there
// are copies within the device only.
#include "run/harness/measurement.h"

#include <cuda_runtime_api.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "run/harness/call_owner.h"
#include "run/harness/device_state.h"
#include "run/harness/runner_protocol.h"

namespace cudalabs::harness {
namespace {

constexpr const char* kDuring = "while calls were measured";

/// Owned by the process: it ends with the session.
CallOwner* g_pools = nullptr;
unsigned char *g_patches = nullptr, *g_samples = nullptr;  // device memory
std::size_t g_room = 0;                                    // bytes of each

struct Plan {
  PlanHeader header;
  const PlanWindow* windows = nullptr;
  const PlanPlace *patches = nullptr, *samples = nullptr;
  const unsigned char* patch_bytes = nullptr;
};

Plan read_plan(const unsigned char* file, int inputs) {
  Plan plan;
  std::memcpy(&plan.header, file, sizeof plan.header);
  const PlanHeader& header = plan.header;
  if (header.magic != kMagic) give_up(MessageType::misused, "the plan cannot be read");
  plan.windows = reinterpret_cast<const PlanWindow*>(file + sizeof header);
  plan.patches = reinterpret_cast<const PlanPlace*>(plan.windows + header.calls * static_cast<std::size_t>(inputs));
  plan.samples = plan.patches + header.calls * header.patches;
  plan.patch_bytes = reinterpret_cast<const unsigned char*>(plan.samples + header.calls * header.samples);
  return plan;
}

/// Waits for the device where the submission has streams that the default one does not order: between the call before,
/// what the harness enqueues, and the call that follows.
void wait_for_unordered_streams() {
  if (has_unordered_streams()) check(cudaDeviceSynchronize(), kDuring);
}

/// Seconds between two events that have happened.
float seconds_between(cudaEvent_t begin, cudaEvent_t end) {
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin, end), kDuring);
  return milliseconds * 1e-3f;
}

unsigned char* room_for(std::size_t bytes) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, bytes), "while room for what is measured was made");
  return static_cast<unsigned char*>(memory);
}

void take_sample(const CallOwner::State::Output& output, const PlanPlace& place, unsigned char* device_log,
                 unsigned char* host_log) {
  if (output.device) {
    check(cudaMemcpyAsync(device_log, output.device + place.offset, place.bytes, cudaMemcpyDeviceToDevice), kDuring);
  } else {
    std::memcpy(host_log, output.host + place.offset, place.bytes);
  }
}

}  // namespace

unsigned g_launch_repeats = 1;

void keep_pools(const Received& received) {
  if (g_pools) give_up(MessageType::misused, "the pools came twice");
  g_pools = new CallOwner(received);
  CallOwner::State& state = g_pools->state();
  state.measured = true;
  // Outputs of a measured call stay here; those in device memory are made when the lab asks for them.
  for (int i = 0; i < state.output_count; ++i) {
    const std::size_t bytes = bytes_of(*state.outputs[i].record);
    state.outputs[i].host = static_cast<unsigned char*>(std::malloc(bytes));
    if (!state.outputs[i].host) give_up(MessageType::out_of_memory, "no memory left");
    std::memset(state.outputs[i].host, 0xff, bytes);
  }
  g_room = std::size_t{kMostPlaces} * 1024;
  g_patches = room_for(g_room);
  g_samples = room_for(g_room);
  check(cudaDeviceSynchronize(), kDuring);
  say(MessageType::done);
}

void measure(const Received& received) {
  if (!g_pools) give_up(MessageType::misused, "there are no pools");
  std::size_t plan_bytes = 0, log_bytes = 0;
  const auto* file = static_cast<const unsigned char*>(map(received.inputs, PROT_READ, plan_bytes));
  auto* log = static_cast<unsigned char*>(map(received.outputs, PROT_READ | PROT_WRITE, log_bytes));
  CallOwner::State& state = g_pools->state();
  const Plan plan = read_plan(file, state.input_count);
  const PlanHeader& header = plan.header;
  const std::size_t all_patches = std::size_t{header.calls} * header.patches * header.patch_bytes;
  if (all_patches > g_room || log_bytes > g_room) give_up(MessageType::misused, "the plan is too long");

  g_launch_repeats = header.launch_repeats;
  if (all_patches > 0) check(cudaMemcpy(g_patches, plan.patch_bytes, all_patches, cudaMemcpyHostToDevice), kDuring);
  cudaEvent_t begin = nullptr, end = nullptr;
  check(cudaEventCreate(&begin), kDuring);
  check(cudaEventCreate(&end), kDuring);
  check(cudaEventRecord(begin), kDuring);
  bool on_device = false;
  const unsigned resets = device_resets();
  for (std::uint32_t call = 0; call < header.calls; ++call) {
    for (int i = 0; i < state.input_count; ++i) {
      state.inputs[i].window = plan.windows[call * static_cast<std::size_t>(state.input_count) + i].offset;
    }
    for (std::uint32_t i = call * header.patches; i < (call + 1) * header.patches; ++i) {
      const PlanPlace& place = plan.patches[i];
      unsigned char* pool = state.inputs[place.array].device;
      if (!pool) give_up(MessageType::misused, "a patch for an input that is not on the device");
      check(cudaMemcpyAsync(pool + place.offset, g_patches + std::size_t{i} * header.patch_bytes, place.bytes,
                            cudaMemcpyDeviceToDevice),
            kDuring);
    }
    wait_for_unordered_streams();
    cudalabs_run(g_pools->call());
    g_pools->require_finished();
    wait_for_unordered_streams();
    for (std::uint32_t i = call * header.samples; i < (call + 1) * header.samples; ++i) {
      const PlanPlace& place = plan.samples[i];
      const std::size_t at = std::size_t{i} * header.sample_bytes;
      take_sample(state.outputs[place.array], place, g_samples + at, log + at);
      on_device = on_device || state.outputs[place.array].device != nullptr;
    }
  }
  g_launch_repeats = 1;
  const bool events_live = device_resets() == resets;
  if (events_live) check(cudaEventRecord(end), kDuring);
  const cudaError_t left_behind = cudaGetLastError();
  if (left_behind != cudaErrorNotReady) check(left_behind, "was left behind by the submission");
  check(cudaDeviceSynchronize(), "while the device finished its work");
  if (on_device) check(cudaMemcpy(log, g_samples, log_bytes, cudaMemcpyDeviceToHost), kDuring);
  char claim[32];
  std::snprintf(claim, sizeof claim, "%.6g", events_live ? seconds_between(begin, end) : 0.0f);
  say(MessageType::done, claim);
  if (events_live) {
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
  }
  munmap(const_cast<unsigned char*>(file), plan_bytes);
  munmap(log, log_bytes);
  close(received.inputs);
  close(received.outputs);
}

}  // namespace cudalabs::harness
