// Fuzz target: any bytes are a client. The session must end in order, never fail by its own fault, and its report must
// be one that its readers accept.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "recorded_client.h"
#include "vgpu/cudart/server_report.h"

using namespace cudalabs::vgpu;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const bool device_thread = std::getenv("CUDALABS_FUZZ_THREADS") != nullptr;
  const ServerReport report = fuzz::serve(std::as_bytes(std::span(data, size)), device_thread).report;
  if (!report.internal_error.empty()) {
    std::fprintf(stderr, "internal error: %s\n", report.internal_error.c_str());
    std::abort();
  }
  const std::string text = to_json(report);
  if (to_json(server_report_from_json(text)) != text) {
    std::fprintf(stderr, "the report changes when it is read:\n%s\n", text.c_str());
    std::abort();
  }
  return 0;
}
