// Times measured on a GPU, as the ladder's benchmark writes them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cudalabs::bench {

struct Timed {
  std::string lab;       // "lab4"
  std::string function;  // "tiled_matmul": called once
  std::string size;      // "4096", "2^24", "8192 × 8192"
  std::string name;      // of the source file, without its extension
  double milliseconds = 0;
};

/// In the files' order. Throws std::runtime_error for what is no such file.
std::vector<Timed> read_measured(const std::vector<std::filesystem::path>& files);

/// "2^24" -> {16777216}; "8192 × 4096" -> {8192, 4096}. Throws std::invalid_argument.
std::vector<long> numbers_of(const std::string& size);

}  // namespace cudalabs::bench
