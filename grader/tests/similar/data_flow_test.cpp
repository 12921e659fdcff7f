// What the data flow of a kernel does not depend on, and what it does.
#include "course/similar/data_flow.h"

#include <algorithm>
#include <set>
#include <string>

#include "catch.h"

using namespace cudalabs;
using namespace cudalabs::similar;

namespace {

const std::string kHead = ".version 7.0\n.target sm_70\n.address_size 64\n";

std::string kernel(const std::string& body, const std::string& name = "k", const std::string& parameter = "p") {
  return kHead + ".visible .entry " + name + "(.param .u64 " + parameter + ", .param .u32 " + parameter + "n)\n{\n" +
         ".reg .pred %p<4>; .reg .b32 %r<20>; .reg .f32 %f<10>; .reg .b64 %rd<10>;\n" + body + "ret;\n}\n";
}

std::multiset<std::uint64_t> hashes(const std::string& ptx) {
  std::multiset<std::uint64_t> result;
  for (const Feature& feature : neighbourhoods(vgpu::ptx::parse(ptx), "matmul.cu")) result.insert(feature.hash);
  return result;
}

const std::string kBody =
    "ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [pn];\nmov.u32 %r2, %tid.x;\nmov.u32 %r3, %ctaid.x;\n"
    "add.s32 %r4, %r2, %r3;\nmul.wide.s32 %rd2, %r4, 4;\nadd.s64 %rd3, %rd1, %rd2;\nsetp.lt.s32 %p1, %r4, %r1;\n"
    "@!%p1 bra L1;\nld.global.f32 %f1, [%rd3];\nadd.f32 %f2, %f1, 0f3F800000;\nst.global.f32 [%rd3], %f2;\nL1:\n";

}  // namespace

TEST_CASE("names, order of independent instructions, order of summands and copies make no difference") {
  const auto expected = hashes(kernel(kBody));
  CHECK(expected.size() == 3 * 13);
  const std::string other =
      "mov.u32 %r9, %ctaid.x;\nld.param.u32 %r7, [qn];\nmov.u32 %r8, %tid.x;\nld.param.u64 %rd7, [q];\n"
      "add.s32 %r6, %r9, %r8;\nsetp.lt.s32 %p3, %r6, %r7;\nmov.b64 %rd9, %rd7;\nmul.wide.s32 %rd5, %r6, 4;\n"
      "add.s64 %rd4, %rd5, %rd9;\n@!%p3 bra ELSE;\nld.global.f32 %f8, [%rd4];\nadd.f32 %f7, 0f3F800000, %f8;\n"
      "st.global.f32 [%rd4], %f7;\nELSE:\n";
  CHECK(hashes(kernel(other, "another", "q")) == expected);
}

TEST_CASE("what is computed makes a difference") {
  const auto expected = hashes(kernel(kBody));
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string body = kBody;
    body.replace(body.find(from), from.size(), to);
    return hashes(kernel(body));
  };
  CHECK(changed("add.s32 %r4", "sub.s32 %r4") != expected);
  CHECK(changed("%tid.x", "%tid.y") != expected);
  CHECK(changed("0f3F800000", "0f40000000") != expected);
  CHECK(changed("[%rd3];", "[%rd3+4];") != expected);
  CHECK(changed("setp.lt", "setp.le") != expected);
  CHECK(changed("@!%p1", "@%p1") != expected);
  CHECK(changed("setp.lt.s32 %p1, %r4, %r1", "setp.lt.s32 %p1, %r1, %r4") != expected);
}

TEST_CASE("accesses between two barriers have no order, barriers have") {
  const std::string barrier = "bar.sync 0;\n";
  const std::string one = "ld.param.u64 %rd1, [p];\nst.global.u32 [%rd1], 1;\n", two = "st.global.u32 [%rd1+4], 2;\n";
  const std::string load = "ld.param.u64 %rd1, [p];\n", first = "st.global.u32 [%rd1], 1;\n";
  CHECK(hashes(kernel(one + two + barrier)) == hashes(kernel(load + two + first + barrier)));
  CHECK(hashes(kernel(one + two + barrier)) != hashes(kernel(one + barrier + two)));
}

TEST_CASE("what no kernel calls does not count, and lines are the submission's own") {
  const std::string helper = ".func unused()\n{\n.reg .b32 %r<3>;\nadd.s32 %r1, %r2, 7;\nret;\n}\n";
  CHECK(hashes(kernel(kBody) + helper) == hashes(kernel(kBody)));
  const std::string placed =
      ".file 1 \"submission/matmul.cu\"\n.file 2 \"header.h\"\n" +
      kernel(".loc 1 7 3\nld.param.u32 %r1, [pn];\n.loc 2 9 1\nadd.s32 %r2, %r1, 1;\n").substr(kHead.size());
  const Features features = neighbourhoods(vgpu::ptx::parse(kHead + placed), "matmul.cu");
  REQUIRE(features.size() >= 6);
  CHECK(features[0].first_line == 7);
  CHECK(features[1].first_line == 0);
}
