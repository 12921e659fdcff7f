// Inputs and outputs of one call, and the copies between the grader's memory files and the device.
#include <cuda_runtime_api.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

#include "run/harness/call_owner.h"
#include "run/harness/clock_shift.h"
#include "run/harness/device_state.h"
#include "run/harness/fault.h"

// In our own runtime only: the last error, without counting as the submission's own look at it.
extern "C" __attribute__((weak)) cudaError_t cudalabs_left_behind();
// Likewise: says that the submission may only read an array.
extern "C" __attribute__((weak)) cudaError_t cudalabs_declare_input(const void* pointer, size_t bytes,
                                                                    size_t element_bytes, const char* name,
                                                                    const std::uint64_t* extents);

// Likewise: an array that it may write, but not free; and the end of its work.
extern "C" __attribute__((weak)) cudaError_t cudalabs_declare_output(const void* pointer, size_t bytes,
                                                                     size_t element_bytes, const char* name,
                                                                     const std::uint64_t* extents);
extern "C" __attribute__((weak)) cudaError_t cudalabs_take_back();
extern "C" __attribute__((weak)) cudaError_t cudalabs_next_function();

namespace cudalabs {

namespace harness {

void check(cudaError_t error, const char* during) {
  if (error == cudaSuccess) return;
  char text[256];
  std::snprintf(text, sizeof text, "%s (%s)", cudaGetErrorName(error), cudaGetErrorString(error));
  give_up(device_resets() > 0 ? MessageType::device_reset : MessageType::cuda_error, text, " ", during);
}

void* map(int descriptor, int protection, std::size_t& bytes) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0) give_up(MessageType::misused, "cannot look at the case's data");
  bytes = static_cast<std::size_t>(status.st_size);
  if (bytes == 0) return nullptr;
  void* memory = mmap(nullptr, bytes, protection, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) give_up(MessageType::out_of_memory, "cannot map the case's data");
  return memory;
}

std::size_t bytes_of(const ArrayRecord& record) {
  return record.elements * record.element_bytes;
}

}  // namespace harness

namespace {

using harness::ArrayRecord;
using harness::bytes_of;
using harness::check;
using harness::FileHeader;
using harness::give_up;
using harness::Hit;
using harness::map;
using harness::MessageType;
using harness::ParameterRecord;

void require_type(const ArrayRecord& record, Element type) {
  if (record.type != static_cast<std::uint32_t>(type))
    give_up(MessageType::misused, "`", record.name, "` has another element type");
}

/// Waits until what was enqueued is done. A fill, and a copy from ordinary memory, may return sooner, and a stream of
/// the submission's that does not wait for the default one would begin before them: the contracts promise that
/// everything lies on the device already. The virtual GPU performs both at once.
void settle(bool virtual_device, const char* during) {
  if (!virtual_device) check(cudaDeviceSynchronize(), during);
}

}  // namespace

Call::State::Input& Call::State::input(const char* name) {
  for (int i = 0; i < input_count; ++i) {
    if (std::strcmp(inputs[i].record->name, name) == 0) return inputs[i];
  }
  give_up(MessageType::misused, "the case has no input `", name, "`");
}

Call::State::Output& Call::State::output(const char* name, std::size_t count) {
  for (int i = 0; i < output_count; ++i) {
    if (std::strcmp(outputs[i].record->name, name) != 0) continue;
    if (outputs[i].record->elements == count) return outputs[i];
    char sizes[96];
    std::snprintf(sizes, sizeof sizes, "` has %llu elements, not %llu",
                  static_cast<unsigned long long>(outputs[i].record->elements), static_cast<unsigned long long>(count));
    give_up(MessageType::misused, "the output `", name, sizes);
  }
  give_up(MessageType::misused, "the case has no output `", name, "`");
}

long long Call::integer(const char* name) const {
  for (int i = 0; i < state_->parameter_count; ++i) {
    if (std::strcmp(state_->parameters[i].name, name) == 0) return state_->parameters[i].value;
  }
  give_up(MessageType::misused, "the case has no parameter `", name, "`");
}

std::size_t Call::elements(const char* name) const {
  return state_->input(name).record->elements;
}

const void* Call::host_input(const char* name, Element type) {
  State::Input& input = state_->input(name);
  require_type(*input.record, type);
  if (!state_->guards_host()) return input.host + input.window;
  if (!input.guarded.begin()) input.guarded.make(*input.record, input.host, PROT_READ);
  return input.guarded.begin();
}

const void* Call::device_input(const char* name, Element type) {
  State::Input& input = state_->input(name);
  require_type(*input.record, type);
  if (!input.device) {
    const std::size_t bytes = state_->measured ? input.record->pool_bytes : bytes_of(*input.record);
    void* memory = nullptr;
    check(cudaMalloc(&memory, bytes), "while the inputs were put on the device");
    input.device = static_cast<unsigned char*>(memory);
    check(cudaMemcpy(input.device, input.host, bytes, cudaMemcpyHostToDevice),
          "while the inputs were put on the device");
    settle(state_->virtual_device, "while the inputs were put on the device");
    harness::remember_memory(Hit::device, *input.record, input.device, bytes);
    if (cudalabs_declare_input != nullptr && !state_->measured && bytes > 0) {
      check(cudalabs_declare_input(input.device, bytes, input.record->element_bytes, input.record->name,
                                   input.record->extents),
            "while the inputs were put on the device");
    }
  }
  return input.device + input.window;
}

void* Call::host_output(const char* name, Element type, std::size_t count) {
  State::Output& output = state_->output(name, count);
  require_type(*output.record, type);
  if (!state_->guards_host()) return output.host;
  if (!output.guarded.begin()) output.guarded.make(*output.record, output.host, PROT_READ | PROT_WRITE);
  return output.guarded.begin();
}

void* Call::device_output(const char* name, Element type, std::size_t count) {
  State::Output& output = state_->output(name, count);
  require_type(*output.record, type);
  if (!output.device) {
    void* memory = nullptr;
    check(cudaMalloc(&memory, bytes_of(*output.record)), "while room for the outputs was made");
    output.device = static_cast<unsigned char*>(memory);
    harness::remember_memory(Hit::device, *output.record, output.device, bytes_of(*output.record));
    if (cudalabs_declare_output != nullptr && !state_->measured && bytes_of(*output.record) > 0) {
      check(cudalabs_declare_output(output.device, bytes_of(*output.record), output.record->element_bytes,
                                    output.record->name, output.record->extents),
            "while room for the outputs was made");
    }
    // The virtual GPU poisons new memory by itself and knows what was written; a fill would count as writing.
    if (!state_->virtual_device) {
      check(cudaMemset(output.device, 0xff, bytes_of(*output.record)), "while room for the outputs was made");
      settle(state_->virtual_device, "while room for the outputs was made");
    }
  }
  return output.device;
}

void Call::next_function() {
  if (!state_->calls_fail) return;
  if (cudalabs_left_behind != nullptr) cudalabs_left_behind();
  if (cudalabs_next_function != nullptr) cudalabs_next_function();
}

void Call::set_clocks_ahead() {
  harness::set_clocks_ahead();
}

void Call::finish() {
  state_->finished = true;
  if (state_->measured) return;
  const cudaError_t left_behind = cudalabs_left_behind != nullptr ? cudalabs_left_behind() : cudaGetLastError();
  // "Not ready" is what a query answers, and no error.
  if (!state_->calls_fail && left_behind != cudaErrorNotReady) check(left_behind, "was left behind by the submission");
  if (cudalabs_take_back != nullptr) cudalabs_take_back();  // a dead context is found below
  const cudaError_t worked = cudaDeviceSynchronize();
  const bool lost = state_->kernel_fails && (worked == cudaErrorLaunchFailure || worked == cudaErrorIllegalAddress);
  if (!lost) check(worked, "while the device finished its work");
  if (harness::device_resets() > 0) give_up(MessageType::device_reset, "");
  if (!state_->outputs_wanted) return;
  for (int i = 0; i < state_->output_count; ++i) {
    const State::Output& output = state_->outputs[i];
    output.guarded.copy_to(output.host);
    if (!output.device || lost) continue;
    check(cudaMemcpy(output.host, output.device, bytes_of(*output.record), cudaMemcpyDeviceToHost),
          "while the outputs were copied back");
  }
}

CallOwner::CallOwner(const harness::Received& received) : call_(state_) {
  const auto* inputs = static_cast<const unsigned char*>(map(received.inputs, PROT_READ, input_bytes_));
  auto* outputs = static_cast<unsigned char*>(map(received.outputs, PROT_READ | PROT_WRITE, output_bytes_));
  close(received.inputs);
  close(received.outputs);
  inputs_ = inputs;
  outputs_ = outputs;
  FileHeader header;
  std::memcpy(&header, inputs, sizeof header);
  const bool too_many = header.inputs > Call::State::kMostArrays || header.outputs > Call::State::kMostArrays;
  if (header.magic != harness::kMagic || too_many) give_up(MessageType::misused, "the case's data cannot be read");

  harness::forget_resets();
  state_.virtual_device = received.go.virtual_device != 0;
  state_.calls_fail = received.go.calls_fail != 0;
  state_.kernel_fails = received.go.kernel_fails != 0;
  state_.outputs_wanted = received.go.outputs_wanted != 0;
  state_.parameters = reinterpret_cast<const ParameterRecord*>(inputs + sizeof header);
  state_.parameter_count = static_cast<int>(header.parameters);
  const auto* records = reinterpret_cast<const ArrayRecord*>(state_.parameters + header.parameters);
  for (std::uint32_t i = 0; i < header.inputs; ++i, ++records)
    state_.inputs[i] = {records, inputs + records->offset, nullptr, 0, {}};
  for (std::uint32_t i = 0; i < header.outputs; ++i, ++records)
    state_.outputs[i] = {records, outputs + records->offset, nullptr, {}};
  state_.input_count = static_cast<int>(header.inputs);
  state_.output_count = static_cast<int>(header.outputs);
}

void CallOwner::require_finished() const {
  if (!state_.finished) give_up(MessageType::misused, "runner.cpp returned without finish()");
}

void CallOwner::clean_up() {
  harness::forget_memory();
  for (int i = 0; i < state_.input_count; ++i) {
    cudaFree(state_.inputs[i].device);
    state_.inputs[i].guarded.free();
  }
  for (int i = 0; i < state_.output_count; ++i) {
    cudaFree(state_.outputs[i].device);
    state_.outputs[i].guarded.free();
  }
  if (inputs_) munmap(const_cast<void*>(inputs_), input_bytes_);
  if (outputs_) munmap(outputs_, output_bytes_);
}

}  // namespace cudalabs
