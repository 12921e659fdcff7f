// The pinned baselines: whole, known to the timed work, and fit for what the labs ask of them.
#include "speed/baseline.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "catch.h"
#include "datasets/timed_work.h"
#include "lab/lab.h"
#include "tests/lab/message_of.h"
#include "tree/tree_paths.h"

using namespace cudalabs;
using namespace cudalabs::speed;
namespace fs = std::filesystem;

namespace {

const fs::path kRoot = source_path();

/// Bytes of all that a call may read and has to write.
double bytes_of(const datasets::TimedWork& work) {
  double bytes = 0;
  const auto add = [&](std::int64_t elements, datasets::ElementType type) {
    bytes += static_cast<double>(elements) * static_cast<double>(datasets::size_in_bytes(type));
  };
  for (const auto& pool : work.pools()) add(pool.window, pool.type);
  for (const auto& output : work.outputs()) add(output.elements, output.type);
  return bytes;
}

}  // namespace

TEST_CASE("every folder of a baseline has its files, its words and its timed work") {
  const std::vector<std::string> names = baseline_names();
  REQUIRE(names == std::vector<std::string>{"coalesced_product", "copy", "host_product", "uncoalesced_product"});
  for (const std::string& name : names) {
    CAPTURE(name);
    const Baseline baseline = read_baseline(name);
    const Contract& contract = baseline.program.contract;
    for (const std::string& file : {contract.header, contract.source, contract.runner}) {
      CAPTURE(file);
      CHECK(fs::is_regular_file(baseline.program.folder / file));
    }
    CHECK(contract.functions.size() == 1);
    CHECK(baseline.name == name);
    CHECK_FALSE(baseline.title.empty());
    CHECK(datasets::timed_work_for(baseline.work) != nullptr);
    CHECK(baseline.on_host == (name == "host_product"));
    CHECK(baseline.copies == (name == kCopy));
  }
  // A folder more would be a baseline that nobody can name.
  const fs::path folder = read_baseline(names.front()).program.folder.parent_path();
  CHECK(std::distance(fs::directory_iterator(folder), {}) == static_cast<std::ptrdiff_t>(names.size()));
}

TEST_CASE("a baseline that there is not is refused by its name") {
  for (const char* name : {"no_such_baseline", "", "copy ", "../pinned/copy"}) {
    CAPTURE(name);
    CHECK_THROWS_AS(read_baseline(name), std::runtime_error);
  }
  CHECK_THROWS_AS(timed_work("no_such_work", {}), std::runtime_error);
  CHECK(tests::contains(tests::message_of([] { read_baseline("no_such_baseline"); }), "no_such_baseline"));
}

TEST_CASE("what the labs say of the work of a call is what there is to do") {
  std::size_t tests = 0;
  for (const fs::path& folder : find_labs(kRoot / "labs")) {
    const Lab lab = read_lab(folder, kRoot / "solutions");
    for (const SpeedTest& test : lab.speed) {
      ++tests;
      CAPTURE(lab.id, test.check);
      const auto work = timed_work(test.work, test.parameters);
      const auto baseline = timed_work(read_baseline(test.baseline).work, test.baseline_parameters);
      CHECK(test.bytes > 0.99 * bytes_of(*work));
      CHECK(test.bytes <= bytes_of(*work));
      if (test.baseline_bytes > 0) CHECK(test.baseline_bytes == bytes_of(*baseline));
      // A model has no rate of its own.
      const double modelled =
          bytes_of(*timed_work(test.work, test.modelled_parameters)) /
          bytes_of(*timed_work(read_baseline(test.baseline).work, test.modelled_baseline_parameters));
      if (!read_baseline(test.baseline).on_host) CHECK(modelled == Approx(test.share_of_baseline()).epsilon(0.001));
    }
  }
  CHECK(tests == 6);
}
