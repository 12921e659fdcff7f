// A named GPU as data: the limits the virtual GPU enforces and the properties the runtime reports.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cudalabs::vgpu {

struct DeviceModel {
  std::string name;  // "NVIDIA T4"
  std::uint32_t compute_major = 7, compute_minor = 5;
  std::uint32_t multiprocessors = 40;
  std::uint32_t max_threads_per_block = 1024;
  std::uint32_t max_threads_per_multiprocessor = 1024;
  std::uint32_t max_blocks_per_multiprocessor = 16;
  std::uint32_t max_block_dim[3] = {1024, 1024, 64};
  std::uint32_t max_grid_dim[3] = {2147483647, 65535, 65535};
  std::uint32_t registers_per_block = 65536;
  std::uint32_t registers_per_multiprocessor = 65536;
  std::uint32_t shared_bytes_per_block = 49152;
  std::uint32_t shared_bytes_per_block_optin = 65536;
  std::uint32_t shared_bytes_per_multiprocessor = 65536;
  std::uint64_t global_bytes = 16ull << 30;
  std::uint64_t local_store_bytes = 0;  // for the local memory of all resident threads; 0: as much as global_bytes
  std::uint64_t constant_bytes = 65536;
  std::uint32_t l2_bytes = 4u << 20;
  std::uint32_t clock_khz = 1590000;
  std::uint32_t memory_clock_khz = 5001000;
  std::uint32_t memory_bus_bits = 256;

  // What only the model of time needs.
  double float32_lanes = 64;  // of a multiprocessor
  double float64_lanes = 2, float64_conversion_lanes = 2;
  double l2_gb_per_second = 1270;  // loads that hit
  double l1_cycles = 32, l2_cycles = 236, dram_cycles = 500, shared_cycles = 23, arithmetic_cycles = 4,
         special_cycles = 20;  // until a result is there
  double block_starts_per_microsecond = 1320;
  double launch_microseconds = 5.4;
};

/// The model called `name` ("t4", "rtx3060", "a100", "h200"; case-insensitive). Throws std::invalid_argument naming the
/// known ones.
DeviceModel device_model(std::string_view name);
std::vector<std::string> device_model_names();

/// Where a figure of a model is from.
struct FigureSource {
  std::string figure, source;
};
/// Of every figure in the model's data file, in its order. Throws as device_model does.
std::vector<FigureSource> figure_sources(std::string_view name);

}  // namespace cudalabs::vgpu
