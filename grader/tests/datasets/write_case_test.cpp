// A case written to a folder can be read back, number for number.
#include "datasets/write_case.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "catch.h"
#include "datasets/array.h"
#include "datasets/matmul.h"
#include "datasets/npy.h"
#include "sandbox/temporary_folder.h"

using namespace cudalabs::datasets;
using cudalabs::sandbox::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

Case small_case() {
  return matmul_case({"small", "a small one", {{"m", 2}, {"n", 3}, {"p", 4}}, {"edges", "reuse"}}, 11);
}

}  // namespace

TEST_CASE("a case is written as NPY files and a table of contents") {
  const TemporaryFolder root;
  const Case test = small_case();
  const fs::path folder = write_case(test, root.path() / "cases", 7);
  CHECK(folder == root.path() / "cases/07_small");

  std::set<std::string> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    files.insert(entry.path().filename().string());
  CHECK(files == std::set<std::string>{"a.npy", "b.npy", "c_bound.npy", "c_expected.npy", "case.json"});

  CHECK(read_npy(folder / "a.npy", "a").data == test.inputs[0].data);
  CHECK(read_npy(folder / "b.npy", "b").shape == std::vector<std::int64_t>{3, 4});
  CHECK(values_of<double>(read_npy(folder / "c_expected.npy", "c")) == test.expected[0].value);
  CHECK(values_of<double>(read_npy(folder / "c_bound.npy", "c")) == test.expected[0].bound);

  std::ifstream stream(folder / "case.json");
  const nlohmann::json json = nlohmann::json::parse(stream);
  CHECK(json["name"] == "small");
  CHECK(json["seed"] == 11);
  CHECK(json["parameters"] == nlohmann::json{{"m", 2}, {"n", 3}, {"p", 4}});
  CHECK(json["tags"] == nlohmann::json{"edges", "reuse"});
  CHECK(json["inputs"][0]["file"] == "a.npy");
  CHECK(json["outputs"][0]["shape"] == nlohmann::json{2, 4});
  CHECK(json["outputs"][0]["type"] == "f32");
}

TEST_CASE("a case never overwrites another") {
  const TemporaryFolder root;
  write_case(small_case(), root.path(), 1);
  CHECK_THROWS_AS(write_case(small_case(), root.path(), 1), std::runtime_error);
  CHECK_NOTHROW(write_case(small_case(), root.path(), 100));
}
