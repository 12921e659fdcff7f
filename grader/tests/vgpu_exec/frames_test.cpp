// The frames that a worker keeps for the activations of functions.
#include "vgpu/exec/frames.h"

#include <cstring>

#include "catch/catch.h"

using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::exec;

namespace {

constexpr std::uint32_t kUnsetWord = std::uint32_t{kUnsetBits} << 16 | kUnsetBits;

/// A row of constants, one of a register that may be read before it is written, and a predicate like that.
FunctionCode small_function() {
  FunctionCode code;
  code.frame_bytes = 3 * 128;
  code.constants = {{.offset = 0, .bytes = 4, .value = 7}};
  code.unset = {{.offset = 128, .bytes = 128}, {.offset = 256, .bytes = 0}};
  return code;
}

std::uint32_t word(const Frame* frame, std::uint32_t offset) {
  std::uint32_t value = 0;
  std::memcpy(&value, frame->registers() + offset, sizeof value);
  return value;
}

}  // namespace

TEST_CASE("a fresh frame has its constants in every lane, and shows what nobody has set", "[vgpu]") {
  const FunctionCode code = small_function();
  Worker worker(std::nullopt);
  worker.spare_frames.resize(1);
  const Frame* frame = take_frame(&worker, &code);
  CHECK(frame->code == &code);
  CHECK(word(frame, 0) == 7);
  CHECK(word(frame, 4 * 31) == 7);
  CHECK(word(frame, 128) == kUnsetWord);
  CHECK(word(frame, 128 + 4 * 31) == kUnsetWord);
  CHECK(word(frame, 256) == 0);
}

TEST_CASE("a frame is used again when its last lane has left it", "[vgpu]") {
  const FunctionCode code = small_function();
  Worker worker(std::nullopt);
  worker.spare_frames.resize(1);
  Frame* frame = take_frame(&worker, &code);
  frame->inside = 0b11;
  std::memset(frame->registers() + 128, 0, 256);
  leave_frame(&worker, frame, 0b01);
  CHECK(take_frame(&worker, &code) != frame);
  leave_frame(&worker, frame, 0b10);
  CHECK(take_frame(&worker, &code) == frame);
  CHECK(word(frame, 0) == 7);
  CHECK(word(frame, 128) == kUnsetWord);  // not what the activation before left there
}

TEST_CASE("of an activation it is known where the kernel's own code called", "[vgpu]") {
  CallSite of_kernel, of_function;
  of_kernel.instruction = 7;
  of_function.instruction = 19;
  Frame kernel, function, inner;
  function.caller = &kernel;
  function.site = &of_kernel;
  inner.caller = &function;
  inner.site = &of_function;
  CHECK_FALSE(call_in_kernel(kernel));
  CHECK(call_in_kernel(function) == 7u);
  CHECK(call_in_kernel(inner) == 7u);
}
