// `vgpu-server ORDERS [FILTER]`: serves clients, each in a process of its own, as orders on an inherited socket say.
// A grading starts it in a sandbox. Both arguments are numbers of descriptors, see fork_server.h.
#include <charconv>
#include <cstdio>
#include <exception>
#include <string_view>
#include <system_error>

#include "vgpu/cudart/server/fork_server.h"

namespace {

constexpr int kFailed = 125;

/// -1 for what is no number.
int number_of(std::string_view text) {
  int number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : -1;
}

}  // namespace

int main(int argc, char** argv) {
  cudalabs::vgpu::ForkServerOptions options;
  if (argc > 1) options.orders = number_of(argv[1]);
  if (argc > 2) options.filter = number_of(argv[2]);
  if (argc < 2 || argc > 3 || options.orders < 0 || (argc == 3 && options.filter < 0)) {
    std::fputs("usage: vgpu-server ORDERS [FILTER]: numbers of descriptors\n", stderr);
    return kFailed;
  }
  try {
    return serve_orders(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "vgpu-server: %s\n", error.what());
    return kFailed;
  }
}
