// Which cases a submission's own numbers make.
#include "grading/boundary_cases.h"

#include <string>

#include "catch.h"

using namespace cudalabs;

namespace {

using Parameters = std::map<std::string, std::int64_t>;

datasets::CaseSpec case_of_shape(const std::string& name, Parameters parameters) {
  datasets::CaseSpec spec;
  spec.name = name;
  spec.parameters = std::move(parameters);
  return spec;
}

Lab lab_of_one_size() {
  Lab lab;
  lab.cases = {case_of_shape("empty", {{"n", 0}, {"whole", 1}}), case_of_shape("floats", {{"n", 1}, {"whole", 0}}),
               case_of_shape("some", {{"n", 257}, {"whole", 1}}), case_of_shape("few", {{"n", 3}, {"whole", 1}})};
  lab.boundary_cases = {{"n"}, {{"whole", 1}}, {"any_size"}, 10'000};
  return lab;
}

Lab lab_of_shapes() {
  Lab lab;
  lab.cases = {case_of_shape("small", {{"m", 2}, {"n", 3}, {"p", 4}})};
  lab.boundary_cases = {{"m", "n", "p"}, {}, {"edges"}, 100'000};
  return lab;
}

std::vector<Parameters> parameters_of(const std::vector<datasets::CaseSpec>& cases) {
  std::vector<Parameters> all;
  for (const datasets::CaseSpec& spec : cases) all.push_back(spec.parameters);
  return all;
}

}  // namespace

TEST_CASE("sizes are one more than products and numbers of the source") {
  const auto cases = boundary_cases(lab_of_one_size(), "constexpr int BLOCK = 192, x = 0;\n#define EACH 4\n");
  REQUIRE(cases.size() == 2);
  CHECK(cases[0].name == "boundary_1");
  CHECK(cases[0].title == "n = 769: one more than 768 in the code");
  CHECK(cases[0].parameters == Parameters{{"n", 769}, {"whole", 1}});
  CHECK(cases[0].tags == std::vector<std::string>{"any_size"});
  CHECK(cases[0].large);
  // Of the lab's cases the smallest of the same kind that has something to do, then one after the other.
  CHECK(cases[0].after == "few");
  CHECK(cases[1].parameters.at("n") == 193);
  CHECK(cases[1].after == "boundary_1");
}

TEST_CASE("neither what a case of the lab has, nor what is in comments, nor what is too much") {
  const Lab lab = lab_of_one_size();
  CHECK(boundary_cases(lab, "int block = 256;\n").empty());
  CHECK(boundary_cases(lab, "// 512 threads\nint block = /* 128 */ 1;\n").empty());
  CHECK(boundary_cases(lab, "int large = 10000;\n").empty());
  CHECK(boundary_cases(lab, "int small = 4;\n").empty());
  CHECK(boundary_cases(lab, "int size = 9999;\n").size() == 1);
}

TEST_CASE("each size of a shape is a large one once, then all are the same") {
  const auto cases =
      boundary_cases(lab_of_shapes(),
                     "constexpr int kSide = 8, kOther = 0;\n#define WARP 32\nif (n > 1000) f<<<1, WARP>>>(16, 40);\n");
  const std::vector<Parameters> expected = {{{"m", 1001}, {"n", 9}, {"p", 7}},
                                            {{"m", 9}, {"n", 1001}, {"p", 9}},
                                            {{"m", 7}, {"n", 9}, {"p", 1001}},
                                            {{"m", 41}, {"n", 41}, {"p", 41}}};
  CHECK(parameters_of(cases) == expected);
  CHECK(cases[0].title == "m = 1001, n = 9, p = 7: next to 8 and 1000 in the code");
}

TEST_CASE("first and last size are tried next to different numbers where the lab asks for it") {
  Lab lab = lab_of_shapes();
  lab.boundary_cases.most_work = 1000;
  lab.boundary_cases.most_of_two = 270'000;
  const auto pairs = [&](const std::string& source) {
    std::vector<Parameters> found;
    for (const datasets::CaseSpec& spec : boundary_cases(lab, source))
      if (spec.parameters.at("n") == 1) found.push_back(spec.parameters);
    return found;
  };
  const std::vector<Parameters> both = {{{"m", 257}, {"n", 1}, {"p", 1025}}, {{"m", 1025}, {"n", 1}, {"p", 257}}};
  CHECK(pairs("#define BX 32\n#define BY 8\n#define MAX_X 128\n#define MAX_Y 32\n") == both);
  CHECK(pairs("int block = 256;\n").empty());
  CHECK(pairs("a = 2147483646; b = 2147483645;\n").empty());
  lab.boundary_cases.most_of_two = 0;
  CHECK(pairs("#define BX 32\n#define BY 8\n#define MAX_X 128\n#define MAX_Y 32\n").empty());
}

TEST_CASE("each size is tried alone where the lab asks for it") {
  Lab lab = lab_of_shapes();
  lab.boundary_cases.most_alone = 600'000;
  const auto alone = [&](const std::string& source) {
    const auto cases = boundary_cases(lab, source);
    std::vector<std::int64_t> shape;
    if (cases.size() < 3) return shape;
    const auto& first = cases[cases.size() - 3].parameters;
    CHECK(first.at("n") == 1);
    CHECK(cases[cases.size() - 2].parameters == Parameters{{"m", 1}, {"n", first.at("m")}, {"p", 1}});
    CHECK(cases.back().parameters == Parameters{{"m", 1}, {"n", 1}, {"p", first.at("m")}});
    return std::vector<std::int64_t>{first.at("m")};
  };
  CHECK(alone("const int kTile = 256, kMost = 2048;\n") == std::vector<std::int64_t>{524'387});
  // The device's own limit is one for each of the numbers.
  CHECK(alone("constexpr int kX = 32, kY = 8;\ndim3 grid(1, min(65535u, n));\n") == std::vector<std::int64_t>{524'379});
  CHECK(alone("constexpr int kX = 32, kY = 8;\n") == std::vector<std::int64_t>{355});
}

TEST_CASE("the last launch fails once at a size that is larger than a part") {
  Lab lab = lab_of_one_size();
  lab.boundary_cases.most_failing = 5'000'000;
  lab.boundary_cases.failing_tags = {"launch_failure"};
  const auto failing = [&](const std::string& source) {
    std::vector<datasets::CaseSpec> cases = boundary_cases(lab, source);
    std::erase_if(cases, [](const datasets::CaseSpec& spec) { return !spec.faults.any(); });
    CHECK(cases.size() <= 1);
    return cases;
  };
  const auto cases = failing("constexpr size_t CHUNK = size_t(1) << 22;\nconstexpr int BLOCK = 256;\n");
  REQUIRE(cases.size() == 1);
  CHECK(cases[0].name == "boundary_launch");
  CHECK(cases[0].title == "n = 4194305: one more than 4194304 in the code; the last launch fails");
  CHECK(cases[0].parameters == Parameters{{"n", 4'194'305}, {"whole", 1}});
  CHECK(cases[0].tags == std::vector<std::string>{"launch_failure"});
  CHECK(cases[0].faults.last_launch);
  CHECK(cases[0].large);
  CHECK(cases[0].after.empty());
  CHECK(failing("constexpr int CHUNK = 5000000, PART = 70000;\n").at(0).parameters.at("n") == 70'001);
  // A case of the lab's own has parts of that size.
  lab.cases.push_back(case_of_shape("last_launch", {{"n", 1'100'001}, {"whole", 1}}));
  lab.cases.back().faults.last_launch = true;
  CHECK(failing("constexpr int CHUNK = 1100000;\n").empty());
  CHECK(failing("constexpr int CHUNK = 1100001;\n").size() == 1);
  lab.boundary_cases.most_failing = 0;
  CHECK(failing("constexpr int CHUNK = 1100001;\n").empty());
}

TEST_CASE("a lab that does not ask for them has none") {
  Lab lab = lab_of_one_size();
  lab.boundary_cases = {};
  CHECK(boundary_cases(lab, "int block = 192;\n").empty());
  CHECK(with_boundary_cases(lab, "int block = 192;\n").cases.size() == lab.cases.size());
  CHECK(with_boundary_cases(lab_of_one_size(), "int block = 192;\n").cases.size() == lab.cases.size() + 1);
}

TEST_CASE("numbers that are too large to be multiplied make no shape") {
  CHECK(boundary_cases(lab_of_shapes(), "a = 2147483646;\n").empty());
  const auto cases = boundary_cases(lab_of_shapes(), "a = 2147483646; b = 2; c = 3;\n");
  CHECK(parameters_of(cases) == std::vector<Parameters>{{{"m", 7}, {"n", 7}, {"p", 7}}});
}

TEST_CASE("a source full of numbers has few") {
  std::string source;
  for (int i = 100; i < 5000; ++i) source += "int c" + std::to_string(i) + " = " + std::to_string(i) + ";\n";
  CHECK(boundary_cases(lab_of_one_size(), source).size() == 4);
  CHECK(boundary_cases(lab_of_shapes(), source).size() <= 4);
}
