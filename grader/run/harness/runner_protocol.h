// What the grader and the harness in the runner say to each other. The harness shares its process with the submission,
// so everything it says is a claim.
//
// Control messages go over a seqpacket socket. The case's data lie in two memory files that come with GO: the inputs,
// sealed, and the outputs, poisoned and of fixed size. C++17: the harness is compiled like a submission.
#pragma once

#include <cstdint>

namespace cudalabs::harness {

constexpr int kControl = 3;  // descriptor of the control socket in the runner
constexpr int kDevice = 4;   // descriptor of the connection to the virtual GPU, where there is one
constexpr std::uint32_t kMagic = 0x43554c41;

/// What the runner is to do. On the virtual GPU the first comes last, after `case_` where the function is called twice.
/// The others make a session on a real one, where a process takes long to start: it ends when the grader closes its
/// end.
enum class Work : std::uint32_t {
  only_case,  // run the case, hand the outputs over, and end
  case_,      // the same, and wait for more
  pools,      // keep the inputs: pools of values, of which each measured call gets a window
  measure     // make the calls of a plan and hand the samples over: the inputs' descriptor is the plan, the outputs'
              // the samples
};

/// To the runner, with the inputs' and the outputs' descriptors attached.
struct Go {
  std::uint32_t magic = kMagic;
  std::uint32_t virtual_device = 1;  // 0: a real GPU, whose memory the harness has to poison itself
  std::uint32_t calls_fail = 0;      // 1: the device makes calls fail, so an error left behind means nothing
  std::uint32_t kernel_fails = 0;    // 1: it makes a kernel fail, and is lost then with the outputs that lie on it
  std::uint32_t outputs_wanted = 1;  // 0: they are worthless, and stay on the device
  Work work = Work::only_case;
};

enum class MessageType : std::uint32_t {
  ready,          // set up and waiting for GO; of a device that does not work: `text`
  done,           // the outputs are in place; in a session: and waiting for the next GO; of a measurement: `text` is
                  // how many seconds CUDA events saw
  cuda_error,     // a CUDA call failed: `text`
  out_of_memory,  // operator new found none
  misused,        // runner.cpp asked for something the case does not have: `text`
  fault,          // the host code is about to die of a signal, or to end the program: `instruction`, `callers`,
                  // `address`; `hit` an array, its `elements` and its name: `text`
  device_reset    // the submission has reset the device, or a call of the harness failed after that: `text`
};
constexpr MessageType kLastMessageType = MessageType::device_reset;

/// What an access of the host hit.
enum class Hit : std::uint32_t {
  nothing,   // that is known
  device,    // an array in device memory
  before,    // memory in front of an array on the host
  past_end,  // memory behind it
};

constexpr int kMostCallers = 24;  // an exception that nobody catches dies eleven calls deep

/// From the runner.
struct Message {
  std::uint32_t magic = kMagic;
  MessageType type = MessageType::ready;
  std::uint64_t instruction = 0;  // relative to the program's load address
  std::uint64_t address = 0;      // of the memory access; 0: none, or address zero
  std::uint64_t elements = 0;     // of the array that was hit
  Hit hit = Hit::nothing;
  std::uint64_t callers[kMostCallers] = {};  // of a fault: where the functions around it were called, from inside out
  char text[472 - sizeof callers] = {};      // NUL-terminated
};
static_assert(sizeof(Message) == 512);  // one packet, without padding

constexpr std::uint32_t kNameBytes = 64;
constexpr std::uint32_t kMostExtents = 3;  // dimensions of an array

/// At the start of the inputs: this, then the parameters, the inputs and the outputs, then data at 64-byte boundaries.
struct FileHeader {
  std::uint32_t magic = kMagic;
  std::uint32_t parameters = 0, inputs = 0, outputs = 0;
};

struct ParameterRecord {
  char name[kNameBytes] = {};  // NUL-terminated
  std::int64_t value = 0;
};

struct ArrayRecord {
  char name[kNameBytes] = {};
  std::uint32_t type = 0;  // Element
  std::uint32_t element_bytes = 0;
  std::uint64_t elements = 0;
  std::uint64_t offset = 0;                  // bytes, in the inputs' file or in the outputs'
  std::uint64_t pool_bytes = 0;              // of an input that is a pool: all of it; `elements` are those of a window
  std::uint64_t extents[kMostExtents] = {};  // outermost first; 0: no such dimension, and all 0: not known
};

/// A plan: this, then for each call the windows (a PlanWindow an input), the patches and the samples, then the patches'
/// bytes, `patch_bytes` each. The samples' file holds `sample_bytes` for every sample, in the same order.
struct PlanHeader {
  std::uint32_t magic = kMagic;
  std::uint32_t calls = 0;
  std::uint32_t launch_repeats = 1;  // every launch is made so many times
  std::uint32_t patches = 0;         // a call
  std::uint32_t samples = 0;         // a call
  std::uint32_t patch_bytes = 0, sample_bytes = 0;
  std::uint32_t reserved = 0;
};
struct PlanWindow {
  std::uint64_t offset = 0;  // bytes into the pool
};
/// Fresh bytes in an input's pool before a call, or bytes of an output to keep after it.
struct PlanPlace {
  std::uint32_t array = 0;   // index of the input, or of the output
  std::uint32_t bytes = 0;   // at most patch_bytes, or sample_bytes
  std::uint64_t offset = 0;  // bytes into the pool, or into the output
};
constexpr std::uint32_t kMostPlaces = 1u << 14;  // patches of a plan together, and samples

}  // namespace cudalabs::harness
