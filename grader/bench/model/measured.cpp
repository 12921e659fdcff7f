// Reads the results of the ladder's benchmark.
#include "bench/model/measured.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace cudalabs::bench {

std::vector<Timed> read_measured(const std::vector<std::filesystem::path>& files) {
  std::vector<Timed> all;
  for (const std::filesystem::path& file : files) {
    try {
      std::ifstream stream(file);
      const auto results = nlohmann::json::parse(stream);
      for (const auto& ladder : results.at("ladders")) {
        for (const auto& size : ladder.at("sizes")) {
          for (const auto& result : size.at("results")) {
            all.push_back({ladder.at("lab"), ladder.at("function"), size.at("size"), result.at("name"),
                           result.at("median_ms").get<double>()});
          }
        }
      }
    } catch (const nlohmann::json::exception& error) {
      throw std::runtime_error(file.string() + ": " + error.what());
    }
  }
  return all;
}

std::vector<long> numbers_of(const std::string& size) {
  std::vector<long> numbers;
  for (std::size_t at = 0; at < size.size();) {
    if (size[at] < '0' || size[at] > '9') {  // " × "
      ++at;
      continue;
    }
    std::size_t length = 0;
    numbers.push_back(std::stol(size.substr(at), &length));
    at += length;
    if (at < size.size() && size[at] == '^') {
      const long power = std::stol(size.substr(at + 1), &length);
      at += 1 + length;
      long product = 1;
      for (long i = 0; i < power; ++i) product *= numbers.back();
      numbers.back() = product;
    }
  }
  if (numbers.empty()) throw std::invalid_argument("no size: " + size);
  return numbers;
}

}  // namespace cudalabs::bench
