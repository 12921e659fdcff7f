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

/// To the runner, with the inputs' and the outputs' descriptors attached.
struct Go {
  std::uint32_t magic = kMagic;
  std::uint32_t virtual_device = 1;  // 0: a real GPU, whose memory the harness has to poison itself
  std::uint32_t calls_fail = 0;      // 1: the device makes calls fail, so an error left behind means nothing
};

enum class Said : std::uint32_t {
  ready,          // set up and waiting for GO
  done,           // the outputs are in place
  cuda_error,     // a CUDA call failed: `text`
  out_of_memory,  // operator new found none
  misused,        // runner.cpp asked for something the case does not have: `text`
  fault           // the host code is about to die of a signal: `instruction`, `address`, whose memory it is: `text`
};

/// From the runner.
struct Message {
  std::uint32_t magic = kMagic;
  Said said = Said::ready;
  std::uint64_t instruction = 0;  // relative to the program's load address
  std::uint64_t address = 0;      // of the memory access; 0: none, or address zero
  char text[488] = {};            // NUL-terminated
};

constexpr std::uint32_t kNameBytes = 64;

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
  std::uint64_t offset = 0;  // bytes, in the inputs' file or in the outputs'
};

}  // namespace cudalabs::harness
