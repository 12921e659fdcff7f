// The table of solutions/README.md, from the first lines of the samples.
#include "lint/sample_table.h"

#include "catch.h"

using namespace cudalabs;
using namespace cudalabs::lint;

TEST_CASE("the table of samples has the findings and checks of the wrong ones, each once") {
  const auto sample = [](SampleKind kind, const std::string& first_line) {
    return Sample{.kind = kind, .file = "a.cu", .expected = parse_expectation(first_line).value()};
  };
  Lab lab, empty;
  lab.slug = "lab9_thing";
  empty.slug = "lab10_empty";
  const std::vector<Sample> samples = {
      sample(SampleKind::wrong, "// EXPECT: shared-race, unwritten-output"),
      sample(SampleKind::wrong, "// EXPECT: global-race, shared-race"),
      sample(SampleKind::wrong, "// EXPECT: score < max [edges, complete]"),
      sample(SampleKind::hostile, "// EXPECT: runner-crashed"),
      sample(SampleKind::alternative, "// EXPECT: score < max [fast]"),
  };
  CHECK(table_of_samples({{lab, samples}, {empty, {}}}) ==
        "| lab | findings that `wrong/` must get | checks that fail there without one |\n|---|---|---|\n"
        "| `lab9_thing` | `global-race`, `shared-race`, `unwritten-output` | `complete`, `edges` |\n"
        "| `lab10_empty` | - | - |\n");
}
