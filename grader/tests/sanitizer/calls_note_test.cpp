// Which call of a function is told beside its line.
#include "sanitizer/calls_note.h"

#include "catch.h"

using namespace cudalabs;
using namespace cudalabs::sanitizer;

namespace {

Finding in_function() {
  Finding finding;
  finding.kernel = "sum";
  finding.where = {"folder/reduce.cu", 5, 0};
  finding.note = "4 bytes";
  finding.called_from = {{"folder/reduce.cu", 41, 7}};
  return finding;
}

}  // namespace

TEST_CASE("the kernel's line that calls the function is in the note") {
  Finding finding = in_function();
  note_calls(finding);
  CHECK(finding.note == "4 bytes\ncalled from reduce.cu:41 in `sum`");
  Finding several = in_function();
  several.note.clear();
  several.called_from.push_back({"other.cuh", 3, 0});
  several.other = OtherPlace{"", {"reduce.cu", 7, 0}, {}, {}};
  several.other_called_from = {{"reduce.cu", 40, 0}};
  note_calls(several);
  CHECK(several.note ==
        "called from reduce.cu:41 or other.cuh:3 in `sum`\nthe other place is called from reduce.cu:40 in `sum`");
  Finding both = in_function();
  both.other = OtherPlace{"", {"reduce.cu", 7, 0}, {}, {}};
  both.other_called_from = both.called_from;
  note_calls(both);
  CHECK(both.note == "4 bytes\ncalled from reduce.cu:41 in `sum`, as the other place is");
  Finding many = in_function();
  for (std::uint32_t line = 42; line < 50; ++line) many.called_from.push_back({"reduce.cu", line, 0});
  note_calls(many);
  CHECK(many.note ==
        "4 bytes\ncalled from reduce.cu:41 or reduce.cu:42 or reduce.cu:43 or reduce.cu:44 or another line in `sum`");
}

TEST_CASE("no call is told where none is known, or it is shown already") {
  Finding none = in_function(), shown = in_function(), host = in_function(), lineless = in_function();
  none.called_from.clear();
  shown.other = OtherPlace{"called here", {"reduce.cu", 41, 0}, {}, {}, PlaceRole::call};
  host.kernel.clear();
  lineless.where = {};
  for (Finding* finding : {&none, &shown, &host, &lineless}) {
    note_calls(*finding);
    CHECK(finding->note == "4 bytes");
  }
}
