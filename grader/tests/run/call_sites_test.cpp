// Lines of many addresses at once: more than a command line would take.
#include "run/call_sites.h"

#include <filesystem>
#include <numeric>
#include <vector>

#include "catch.h"
#include "sandbox/temporary_folder.h"

using namespace cudalabs;
using namespace cudalabs::runner;

namespace {

const std::filesystem::path kThisProgram = std::filesystem::read_symlink("/proc/self/exe");

}  // namespace

TEST_CASE("no address needs no process") {
  CHECK(SourceLines().places("/nowhere", {}).empty());
  const std::vector<SourcePlace> places = SourceLines().places("/nowhere", std::vector<std::uint64_t>{0, 0});
  REQUIRE(places.size() == 2);
  CHECK_FALSE(places[0].known());
}

TEST_CASE("every address has its place, however many there are and however often they come") {
  std::vector<std::uint64_t> addresses(5000);
  std::iota(addresses.begin(), addresses.end(), 0x1000);
  addresses.insert(addresses.end(), 20'000, 0x1000);
  const std::vector<SourcePlace> places = SourceLines().places(kThisProgram, addresses);
  REQUIRE(places.size() == addresses.size());
  CHECK(places.back() == places.front());
}

TEST_CASE("what was asked before is remembered, of each program for itself") {
  const sandbox::TemporaryFolder folder;
  const std::filesystem::path copy = folder.path() / "program";
  std::filesystem::copy_file(kThisProgram, copy);
  const std::vector<std::uint64_t> addresses = {0x1000, 0x2000}, more = {0x2000, 0x3000};
  SourceLines lines;
  const std::vector<SourcePlace> places = lines.places(copy, addresses);
  std::filesystem::remove(copy);
  CHECK(lines.places(copy, addresses) == places);
  CHECK_THROWS(lines.places(copy, more));
  CHECK_NOTHROW(lines.places(kThisProgram, more));
}
