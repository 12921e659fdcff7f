#include "source/vector_type.h"

#include "catch.h"

namespace cudalabs::test {
namespace {

TEST_CASE("vector types are known by their names, with their sizes") {
  CHECK(bytes_of_vector("float4") == 16);
  CHECK(bytes_of_vector("uchar3") == 3);
  CHECK(bytes_of_vector("ulonglong2") == 16);
  CHECK(bytes_of_vector("int1") == 4);
  CHECK(elements_of_vector("double2") == 2);
  CHECK(elements_of_vector("short1") == 1);
}

TEST_CASE("other types are no vectors") {
  for (const char* type : {"", "4", "float", "float5", "float0", "float44", "dim3", "half2", "my_float4", "uint32_t"}) {
    CAPTURE(type);
    CHECK(bytes_of_vector(type) == 0);
    CHECK(elements_of_vector(type) == 0);
  }
}

}  // namespace
}  // namespace cudalabs::test
