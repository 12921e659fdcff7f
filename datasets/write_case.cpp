// One folder a case: NPY files and a table of contents in JSON.
#include "datasets/write_case.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>

#include "datasets/array.h"
#include "datasets/npy.h"

namespace cudalabs::datasets {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string_view name_of(ElementType type) {
  switch (type) {
    case ElementType::f32:
      return "f32";
    case ElementType::f64:
      return "f64";
    case ElementType::i32:
      return "i32";
    case ElementType::u8:
      return "u8";
  }
  throw std::invalid_argument("unknown element type");
}

Array doubles(const ExpectedArray& expected, std::span<const double> values) {
  return make_array<double>(expected.name, expected.shape, values);
}

}  // namespace

fs::path write_case(const Case& test, const fs::path& parent, unsigned number) {
  fs::path folder = parent / fmt::format("{:02}_{}", number, test.spec.name);
  fs::create_directories(parent);
  if (!fs::create_directory(folder)) throw std::runtime_error(folder.string() + ": is there already");

  Json json;
  json["name"] = test.spec.name;
  json["title"] = test.spec.title;
  if (test.spec.seed) json["seed"] = *test.spec.seed;
  json["parameters"] = test.spec.parameters;
  json["tags"] = test.spec.tags;
  for (const Array& input : test.inputs) {
    const std::string file = input.name + ".npy";
    write_npy(folder / file, input);
    json["inputs"].push_back(
        {{"name", input.name}, {"type", name_of(input.type)}, {"shape", input.shape}, {"file", file}});
  }
  for (const ExpectedArray& output : test.expected) {
    if (!output.questions.empty()) {  // the answers are the students' to find
      json["outputs"].push_back({{"name", output.name}, {"type", name_of(output.type)}, {"shape", output.shape}});
      continue;
    }
    const std::string value_file = output.name + "_expected.npy", bound_file = output.name + "_bound.npy";
    write_npy(folder / value_file, doubles(output, output.value));
    write_npy(folder / bound_file, doubles(output, output.bound));
    json["outputs"].push_back({{"name", output.name},
                               {"type", name_of(output.type)},
                               {"shape", output.shape},
                               {"expected", value_file},
                               {"bound", bound_file}});
  }
  const fs::path contents = folder / "case.json";
  std::ofstream stream(contents, std::ios::trunc);
  stream << json.dump(2) << '\n';
  stream.close();
  if (!stream) throw std::runtime_error(contents.string() + ": cannot be written");
  return folder;
}

}  // namespace cudalabs::datasets
