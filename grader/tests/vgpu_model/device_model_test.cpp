// Named GPUs: every name resolves, and the numbers agree with each other and with the published bandwidth.
#include "vgpu/model/device_model.h"

#include <set>
#include <stdexcept>

#include "catch/catch.h"

using namespace cudalabs::vgpu;

TEST_CASE("device models are found by name, whatever the case of its letters") {
  CHECK(device_model("t4").name == "NVIDIA T4");
  CHECK(device_model("RTX3060").name == "NVIDIA GeForce RTX 3060");
  CHECK(device_model("A100").compute_major == 8);
  CHECK(device_model("h200").multiprocessors == 132);
}

TEST_CASE("an unknown device model is refused with the names that are known") {
  for (const char* name : {"", "t", "t44", "NVIDIA T4", "h100"}) {
    INFO(name);
    CHECK_THROWS_AS(device_model(name), std::invalid_argument);
  }
  try {
    device_model("voodoo2");
    FAIL("not refused");
  } catch (const std::invalid_argument& error) {
    CHECK(std::string(error.what()) == "unknown device model `voodoo2`; known: t4, rtx3060, a100, h200");
  }
}

TEST_CASE("every device model is consistent") {
  std::set<std::string> names;
  for (const std::string& name : device_model_names()) {
    INFO(name);
    const DeviceModel model = device_model(name);
    CHECK(names.insert(model.name).second);
    CHECK(model.max_threads_per_block == 1024);
    CHECK(model.max_threads_per_multiprocessor % 512 == 0);
    CHECK(model.max_threads_per_multiprocessor >= model.max_threads_per_block);
    CHECK(model.shared_bytes_per_block == 48 * 1024);
    CHECK(model.shared_bytes_per_block_optin <= model.shared_bytes_per_multiprocessor);
    CHECK(model.shared_bytes_per_block_optin >= model.shared_bytes_per_block);
    // From capability 8.0 on, one KiB of each block's shared memory is the system's.
    const std::uint32_t reserved = model.compute_major >= 8 ? 1024 : 0;
    CHECK(model.shared_bytes_per_block_optin + reserved == model.shared_bytes_per_multiprocessor);
    CHECK(model.registers_per_multiprocessor == 65536);
    CHECK(model.constant_bytes == 65536);
  }
  CHECK(names.size() == 4);
}

TEST_CASE("memory clock and bus width give the published bandwidth") {
  const auto gigabytes_per_second = [](const char* name) {
    const DeviceModel model = device_model(name);
    return 2.0 * model.memory_clock_khz * 1e3 * model.memory_bus_bits / 8 / 1e9;
  };
  CHECK(gigabytes_per_second("t4") == Approx(320).epsilon(0.005));
  CHECK(gigabytes_per_second("rtx3060") == Approx(360).epsilon(0.005));
  CHECK(gigabytes_per_second("a100") == Approx(1555).epsilon(0.005));
  CHECK(gigabytes_per_second("h200") == Approx(4800).epsilon(0.03));
}

TEST_CASE("every figure of a GPU says where it is from") {
  for (const std::string& name : device_model_names()) {
    const std::vector<FigureSource> figures = figure_sources(name);
    CHECK(figures.size() == 25);
    CHECK(figures.front().figure == "name");
    for (const FigureSource& figure : figures) {
      INFO(name << " " << figure.figure);
      CHECK(figure.source.size() > 10);
    }
  }
  CHECK_THROWS_AS(figure_sources("voodoo2"), std::invalid_argument);
}

TEST_CASE("what is nearer answers sooner") {
  for (const std::string& name : device_model_names()) {
    INFO(name);
    const DeviceModel model = device_model(name);
    CHECK(model.arithmetic_cycles < model.shared_cycles);
    CHECK(model.shared_cycles < model.l1_cycles);
    CHECK(model.l1_cycles < model.l2_cycles);
    CHECK(model.l2_cycles < model.dram_cycles);
    CHECK(model.l2_gb_per_second > 2e-6 * model.memory_clock_khz * model.memory_bus_bits / 8);
    CHECK(model.float32_lanes >= 64);
  }
}
