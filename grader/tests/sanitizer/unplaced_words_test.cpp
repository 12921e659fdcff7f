// "here", where no place follows.
#include "sanitizer/unplaced_words.h"

#include "catch.h"

using namespace cudalabs;
using namespace cudalabs::sanitizer;

TEST_CASE("what points to a place that is not shown is left out") {
  CHECK(without_here("`add` is put into its stream here") == "`add` is put into its stream");
  CHECK(without_here("`cudaMemcpyAsync` fills it here, too late") == "`cudaMemcpyAsync` fills it, too late");
  CHECK(without_here("64 bytes of device memory allocated here are never freed") ==
        "64 bytes of device memory allocated are never freed");
  CHECK(without_here("the other thread's write is here") == "the other thread's write");
  CHECK(without_here("200 threads here, 56 exited\n2 here") == "200 threads, 56 exited\n2");
}

TEST_CASE("other words and names stay") {
  for (const char* text : {"", "here", "they adhere to it", "nothing is hereby said", "`is here`", "see `a here b`",
                           "it is where it was", "there and everywhere"})
    CHECK(without_here(text) == text);
}

TEST_CASE("a finding keeps the word where its place is known") {
  Finding finding;
  finding.message = "memory allocated here is never freed";
  finding.note = "one of 2 made here";
  finding.other = OtherPlace{"it was freed here", {}, {}, {}};
  finding.where = {"k.cu", 3, 0};
  leave_out_here(finding);
  CHECK(finding.message == "memory allocated here is never freed");
  CHECK(finding.note == "one of 2 made here");
  CHECK(finding.other->label == "it was freed");
  finding.where = {};
  finding.other = OtherPlace{"it was freed here", {"k.cu", 4, 0}, {}, {}};
  leave_out_here(finding);
  CHECK(finding.message == "memory allocated is never freed");
  CHECK(finding.note == "one of 2 made");
  CHECK(finding.other->label == "it was freed here");
  finding.other.reset();
  leave_out_here(finding);
}
