// The GPUs known by name, as data. Nothing here is computed: every number is one that the vendor publishes.
//
// Limits of threads, blocks, registers and shared memory: CUDA C++ Programming Guide, appendix "Compute Capabilities",
// tables "Technical Specifications per Compute Capability". Where the capability is 8.0 or higher the runtime keeps
// 1 KiB of shared memory for each block, so a block can opt in to 1 KiB less than a multiprocessor has.
// Multiprocessors, L2, clocks and memory: the document named with each entry. A memory clock is half the data rate of a
// pin, as the runtime reports it: bandwidth = 2 * memory_clock_khz * 1000 * memory_bus_bits / 8.
#include "vgpu/model/device_model.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace cudalabs::vgpu {
namespace {

struct NamedModel {
  std::string_view name;
  DeviceModel model;
};

// Turing. "NVIDIA Turing GPU Architecture" white paper (TU104, Tesla T4 column) and the T4 product brief: 40 SMs,
// 1590 MHz boost, 4 MiB L2, 16 GB GDDR6 at 10 Gbit/s on 256 bits, 320 GB/s.
DeviceModel t4() {
  return DeviceModel{.name = "NVIDIA T4",
                     .compute_major = 7,
                     .compute_minor = 5,
                     .multiprocessors = 40,
                     .max_threads_per_multiprocessor = 1024,
                     .max_blocks_per_multiprocessor = 16,
                     .shared_bytes_per_block_optin = 64u << 10,
                     .shared_bytes_per_multiprocessor = 64u << 10,
                     .global_bytes = 16ull << 30,
                     .l2_bytes = 4u << 20,
                     .clock_khz = 1590000,
                     .memory_clock_khz = 5001000,
                     .memory_bus_bits = 256};
}

// Ampere for games. "NVIDIA Ampere GA102 GPU Architecture" white paper (its family's GA106) and the GeForce RTX 3060
// specification page: 28 SMs, 1777 MHz boost, 3 MiB L2, 12 GB GDDR6 at 15 Gbit/s on 192 bits, 360 GB/s.
DeviceModel rtx3060() {
  return DeviceModel{.name = "NVIDIA GeForce RTX 3060",
                     .compute_major = 8,
                     .compute_minor = 6,
                     .multiprocessors = 28,
                     .max_threads_per_multiprocessor = 1536,
                     .max_blocks_per_multiprocessor = 16,
                     .shared_bytes_per_block_optin = 99u << 10,
                     .shared_bytes_per_multiprocessor = 100u << 10,
                     .global_bytes = 12ull << 30,
                     .l2_bytes = 3u << 20,
                     .clock_khz = 1777000,
                     .memory_clock_khz = 7501000,
                     .memory_bus_bits = 192};
}

// Ampere for data centres, 40 GB. "NVIDIA A100 Tensor Core GPU Architecture" white paper: 108 SMs, 1410 MHz boost, 40
// MiB L2, 40 GB HBM2 at 1215 MHz on 5120 bits, 1555 GB/s.
DeviceModel a100() {
  return DeviceModel{.name = "NVIDIA A100-SXM4-40GB",
                     .compute_major = 8,
                     .compute_minor = 0,
                     .multiprocessors = 108,
                     .max_threads_per_multiprocessor = 2048,
                     .max_blocks_per_multiprocessor = 32,
                     .shared_bytes_per_block_optin = 163u << 10,
                     .shared_bytes_per_multiprocessor = 164u << 10,
                     .global_bytes = 40ull << 30,
                     .l2_bytes = 40u << 20,
                     .clock_khz = 1410000,
                     .memory_clock_khz = 1215000,
                     .memory_bus_bits = 5120};
}

// Hopper. "NVIDIA H100 Tensor Core GPU Architecture" white paper (SXM5: 132 SMs, 1980 MHz boost) and the H200 datasheet
// (141 GB HBM3e on 6144 bits, 4.8 TB/s); the L2 is the 60 MiB that the card itself reports.
DeviceModel h200() {
  return DeviceModel{.name = "NVIDIA H200",
                     .compute_major = 9,
                     .compute_minor = 0,
                     .multiprocessors = 132,
                     .max_threads_per_multiprocessor = 2048,
                     .max_blocks_per_multiprocessor = 32,
                     .shared_bytes_per_block_optin = 227u << 10,
                     .shared_bytes_per_multiprocessor = 228u << 10,
                     .global_bytes = 141ull << 30,
                     .l2_bytes = 60u << 20,
                     .clock_khz = 1980000,
                     .memory_clock_khz = 3201000,
                     .memory_bus_bits = 6144};
}

const std::array<NamedModel, 4>& models() {
  static const std::array<NamedModel, 4> all{
      {{"t4", t4()}, {"rtx3060", rtx3060()}, {"a100", a100()}, {"h200", h200()}}};
  return all;
}

bool same_ignoring_case(std::string_view left, std::string_view right) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [&](char a, char b) { return lower(a) == lower(b); });
}

}  // namespace

DeviceModel device_model(std::string_view name) {
  std::string known;
  for (const NamedModel& entry : models()) {
    if (same_ignoring_case(entry.name, name)) return entry.model;
    known.append(known.empty() ? "" : ", ").append(entry.name);
  }
  throw std::invalid_argument("unknown device model `" + std::string(name) + "`; known: " + known);
}

std::vector<std::string> device_model_names() {
  std::vector<std::string> names;
  for (const NamedModel& entry : models()) names.emplace_back(entry.name);
  return names;
}

}  // namespace cudalabs::vgpu
