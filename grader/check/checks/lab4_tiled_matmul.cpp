// Lab 4: what a line of its rubric asks that only a tiled product is asked.
#include <fmt/format.h>

#include "check/matchers.h"
#include "vgpu/profile/counter_names.h"

namespace cudalabs {
namespace {
using vgpu::counter_names::kGlobalLoadBytes;

/// Fetches at most a quarter of what one thread an element would: README.md promises the points for that.
class ReuseWhatTheyFetch : public CaseMatcher {
  static constexpr std::uint64_t kLeastReuse = 4;

  std::string objection(const CaseRun& case_run) const override {
    const auto size = [&](const char* name) {
      return static_cast<std::uint64_t>(case_run.test.spec.parameters.at(name));
    };
    // Lab 3's kernel: each of m·p threads reads n values of A and n of B.
    const std::uint64_t naive = 2 * size("m") * size("n") * size("p") * sizeof(float);
    const auto fetched = total_of(case_run, kGlobalLoadBytes);
    if (!fetched) return why_uncounted(case_run);
    if (kLeastReuse * *fetched <= naive) return {};
    constexpr std::uint64_t kKib = 1024;
    return fmt::format(
        "fetches {} KiB from global memory; lab 3's kernel fetches {} KiB, and this one may fetch {} KiB",
        *fetched / kKib, naive / kKib, naive / kLeastReuse / kKib);
  }
  std::string_view property() const override { return "did not reuse what they fetched"; }
};

}  // namespace

TEST_CASE("lab4: a value fetched from global memory is used by many threads", "[lab4][reuse]") {
  CHECK_THAT(counted(cases("reuse")), ReuseWhatTheyFetch());
}

}  // namespace cudalabs
