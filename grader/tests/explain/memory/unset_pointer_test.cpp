// Pointers that are freed without ever having got a value.
#include "explain/memory/unset_pointer.h"

#include "catch.h"
#include "tests/replaced.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_unset_pointer {
namespace {

const std::string kJob = R"(void add(int n) {
  float *da, *db, *dc = NULL;
  if (cudaMalloc((void**)&da, n) != cudaSuccess) goto done;
  cudaMalloc((void**)&db, n);
done:
  cudaFree(db);
}
)";

std::optional<UnsetPointer> unset_with(const std::string& declaration) {
  return unset_pointer(replaced(kJob, "float *da, *db, *dc = NULL;", declaration), 6);
}

}  // namespace

TEST_CASE("a pointer that is declared without a value is found") {
  CHECK(unset_pointer(kJob, 6) == UnsetPointer{{{"db"}, 2, 15}, "dc", "NULL"});
  CHECK(unset_with("float* db;") == UnsetPointer{{{"db"}, 2, 10}, "", ""});
  CHECK(unset_with("std::uint8_t* db, *other;"));
  CHECK(unset_with("float *dc = NULL, *db;") == UnsetPointer{{{"db"}, 2, 22}, "", ""});
}

TEST_CASE("a pointer that has a value is not") {
  for (const char* other : {"float* db = nullptr;", "float* db{};", "float *da, *db = NULL;", "float* db = host;",
                            "float* db; db = host;", "float* db; db += n;", "float* db; ++db;", "float* db; db++;",
                            "static float* db;", "float* x;", "x = a * db;", "f(a, *db);", "float db[4];", "T db;"}) {
    CAPTURE(other);
    CHECK_FALSE(unset_with(other));
  }
  CHECK_FALSE(unset_pointer(kJob, 4));
  CHECK_FALSE(unset_pointer(kJob, 60));
  CHECK_FALSE(unset_pointer(replaced(kJob, "cudaFree(db)", "cudaFree(db + 1)"), 6));
  CHECK_FALSE(unset_pointer("void f(float* db) {\n  cudaFree(db);\n}\n", 2));
  CHECK_FALSE(unset_pointer("float* db;\nvoid f() {\n  cudaFree(db);\n}\n", 3));
}

TEST_CASE("the declaration stands beside a free of what was not allocated") {
  MergedFinding finding;
  finding.id = finding_ids::kInvalidFree;
  finding.message = "`cudaFree` gets a pointer that `cudaMalloc` did not give, such as one to host memory";
  finding.wrong_pointer = true;
  finding.where = {"k.cu", 6, 3};
  std::vector<MergedFinding> findings{finding, finding, finding};
  findings[1].message = "`cudaFree` frees memory that is free already";
  findings[1].wrong_pointer = false;
  findings[2].where.line = 4;
  show_unset_pointers(findings, kJob, "k.cu");
  REQUIRE(findings[0].other);
  CHECK(findings[0].other->label == "`db` is declared here, without a value");
  CHECK(findings[0].other->place.line == 2);
  CHECK(findings[0].help.starts_with("`= NULL` in line 2 is for `dc` alone: write it for each pointer there: "));
  CHECK_FALSE(findings[1].other);
  CHECK_FALSE(findings[2].other);
}

}  // namespace cudalabs::test::of_unset_pointer
