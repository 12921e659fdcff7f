// Numbers of bytes that are added to pointers.
#include "explain/accesses/pointer_step.h"

#include "catch.h"
#include "tests/check/make.h"
#include "vgpu/check/finding_ids.h"

using namespace cudalabs;
using namespace cudalabs::test;

namespace {

std::string host(const std::string& pointer, const std::string& size = "bytes") {
  return "void f() {\n  " + pointer + "\n  if (ok(cudaMemcpy(d_a, a, " + size +
         ", up)) &&\n      ok(cudaMemcpy(d_b, b, " + size + ", up)))\n    g();\n}\n";
}

bool found(const std::string& pointer, const std::string& size = "bytes") {
  return bytes_added_to_pointer(host(pointer, size), 3).has_value();
}

}  // namespace

TEST_CASE("a number of bytes that is added to a pointer to larger elements is found") {
  const auto step = bytes_added_to_pointer(host("float* d_b = pool + bytes;"), 3);
  REQUIRE(step);
  CHECK(*step == Setting{{"d_b", "bytes"}, 2, 10});
  CHECK_FALSE(found("float *d_a = pool, *d_b = pool + bytes;"));  // the type of a list is not looked for
  CHECK(found("const double* d_b = pool + size;", "size"));
  // Elements, bytes of a pointer to bytes, and another number.
  CHECK_FALSE(found("float* d_b = pool + n;"));
  CHECK_FALSE(found("char* d_b = pool + bytes;"));
  CHECK_FALSE(found("unsigned char* d_b = pool + bytes;"));
  CHECK_FALSE(found("float* d_b = pool + bytes / 4;"));
  CHECK_FALSE(found("float* d_b = pool + bytes;", "3 * n"));
  CHECK_FALSE(found("float* d_b = pool + bytes; float* d_c = d_b + bytes;"));  // either may be meant
  CHECK_FALSE(found("int total = count + bytes;"));
}

TEST_CASE("it stands beside the copy that was refused, and the allocation is named") {
  MergedFinding made{finding(std::string(finding_ids::kRuntimeError), 3), {}};
  made.where.file = "a.cu";
  made.access.past_end_of = 3072;
  made.other = OtherPlace{"the allocation", {"a.cu", 9, 3}, {}, {}};
  made.note = "it did nothing";
  MergedFinding kept = made, other_error = made;
  show_pointer_step(made, host("float* d_b = pool + bytes;"));
  CHECK(made.other->place.line == 2);
  CHECK(made.note == "the allocation is in line 9\nit did nothing");
  CHECK(made.help.find("let `d_b` begin") != std::string::npos);
  kept.access.kept = true;
  show_pointer_step(kept, host("float* d_b = pool + bytes;"));
  CHECK(kept.other->place.line == 9);
  other_error.access.past_end_of = 0;
  show_pointer_step(other_error, host("float* d_b = pool + bytes;"));
  CHECK(other_error.other->place.line == 9);
}
