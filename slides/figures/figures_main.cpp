// `figures write DIR` writes every figure; `figures check DIR` fails when a committed figure is not what the code
// draws.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include "figures/figure.h"

namespace cudalabs::figures {
namespace {

std::map<std::string, Draw>& registry() {
  static std::map<std::string, Draw> figures;
  return figures;
}

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

const std::map<std::string, Draw>& all_figures() {
  return registry();
}

RegisterFigure::RegisterFigure(const std::string& name, Draw draw) {
  registry().emplace(name, draw);
}

namespace {

int run(std::string_view command, const std::filesystem::path& folder) {
  int stale = 0;
  for (const auto& [name, draw] : all_figures()) {
    const std::filesystem::path path = folder / (name + ".svg");
    const std::string text = draw();
    if (command == "write") {
      std::ofstream(path, std::ios::binary) << text;
    } else if (read(path) != text) {
      fmt::print(stderr, "{}: not what the code draws now; run `make figures` and look at it\n", path.string());
      ++stale;
    }
  }
  return stale == 0 ? 0 : 1;
}

}  // namespace
}  // namespace cudalabs::figures

int main(int argc, char** argv) {
  const std::string_view command = argc == 3 ? argv[1] : "";
  if (command != "write" && command != "check") {
    fmt::print(stderr, "usage: figures write|check FOLDER\n");
    return 2;
  }
  try {
    return cudalabs::figures::run(command, argv[2]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "figures: {}\n", error.what());
    return 1;
  }
}
