// Lines of many addresses at once: more than a command line would take.
#include "run/call_sites.h"

#include <filesystem>
#include <numeric>
#include <vector>

#include "catch.h"

using namespace cudalabs;
using namespace cudalabs::runner;

namespace {

const std::filesystem::path kThisProgram = std::filesystem::read_symlink("/proc/self/exe");

}  // namespace

TEST_CASE("no address needs no process") {
  CHECK(source_places("/nowhere", {}).empty());
}

TEST_CASE("every address has its place, however many there are and however often they come") {
  std::vector<std::uint64_t> addresses(5000);
  std::iota(addresses.begin(), addresses.end(), 0x1000);
  addresses.insert(addresses.end(), 20'000, 0x1000);
  const std::vector<SourcePlace> places = source_places(kThisProgram, addresses);
  REQUIRE(places.size() == addresses.size());
  CHECK(places.back() == places.front());
}
