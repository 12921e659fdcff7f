// A link that failed, explained in the terms of the lab's header.
#include "build/contract.h"

#include <string>

#include "catch.h"

namespace cudalabs::builder {
namespace {

constexpr const char* kHeader =
    "// void matmul(int wrong); in a comment\n"
    "#pragma once\n"
    "/* void matmul(int also wrong); */\n"
    "void matmul_all(int);\n"
    "/// Computes.\n"
    "void matmul(const float* a,\n"
    "            float* c, int m);\n";

Contract contract() {
  Contract made;
  made.header = "matmul.h";
  made.source = "matmul.cu";
  made.functions = {"matmul"};
  return made;
}

Finding explain_one(const std::string& log, const std::string& symbol_list) {
  const auto findings = explain_link(contract(), {log, symbol_list, kHeader});
  REQUIRE(findings.size() == 1);
  return findings.front();
}

const std::string kMissing = "/lab/runner.cpp:14: undefined reference to `matmul(float const*, float*, int)'\n";

TEST_CASE("the declaration is found in the header", "[build]") {
  CHECK(declaration_of(kHeader, "matmul") == "void matmul(const float* a, float* c, int m);");
  CHECK(declaration_of(kHeader, "matmul_all") == "void matmul_all(int);");
  CHECK(declaration_of(kHeader, "mat").empty());
  CHECK(declaration_of("", "matmul").empty());
  CHECK(declaration_of("extern \"C\" {\nint f(void);\n}\n", "f") == "int f(void);");
  CHECK(declaration_of("#include <x>\nint f();", "f") == "int f();");
  CHECK(declaration_of("int f(", "f").empty());
}

TEST_CASE("a function that is not there", "[build]") {
  const Finding finding = explain_one(kMissing, "0000000000000000 T other(int)\t/submission/matmul.cu:3\n");
  CHECK(misses_function(contract(), kMissing));
  CHECK_FALSE(misses_function(contract(), "/lab/runner.cpp:14: undefined reference to `other(int)'\n"));
  CHECK_FALSE(
      misses_function(contract(), "/submission/a.cu:3: multiple definition of `matmul(float const*, float*, int)'\n"));
  CHECK(finding.id == "build-failed");
  CHECK(finding.message == "`matmul` is not defined");
  CHECK_FALSE(finding.where.known());
  CHECK(finding.note.find("void matmul(const float* a, float* c, int m);") != std::string::npos);
}

TEST_CASE("a function of another name with the parameters that are wanted", "[build]") {
  const std::string named = "0000000000000000 T product(float const*, float*, int)\t/submission/matmul.cu:3\n";
  const Finding finding = explain_one(kMissing, named);
  CHECK(finding.where == SourcePlace{"/submission/matmul.cu", 3, 0});
  CHECK(finding.help.find("call it `matmul`") != std::string::npos);
  // The line of debug information is that of a brace or a statement: the text tells where the name is.
  const std::string text = "#include \"matmul.h\"\nvoid product(const float* a, float* c, int m)\n{\n}\n";
  const auto found = explain_link(contract(), {kMissing, named, kHeader, text});
  REQUIRE(found.size() == 1);
  CHECK(found[0].where == SourcePlace{"/submission/matmul.cu", 2, 6});
  // A kernel has a function of its name on the host; of two functions nobody knows which one is meant.
  const std::string stub = "0000000000000001 t __device_stub__product(float const*, float*, int)\ta.cu:2\n";
  CHECK_FALSE(explain_one(kMissing, named + stub).where.known());
  const std::string second = "0000000000000002 T other(float const*, float*, int)\ta.cu:9\n";
  CHECK_FALSE(explain_one(kMissing, named + second).where.known());
}

TEST_CASE("a function with other parameters", "[build]") {
  const Finding finding =
      explain_one(kMissing, "0000000000000000 T matmul(float*, float*, int)\t/submission/matmul.cu:7\n");
  CHECK(finding.message == "`matmul` has other parameters than `matmul.h` declares");
  CHECK(finding.where == SourcePlace{"/submission/matmul.cu", 7, 0});
  CHECK(finding.note.find("`matmul(float*, float*, int)`") != std::string::npos);
  CHECK(finding.note.find("void matmul(const float* a, float* c, int m);") != std::string::npos);
}

TEST_CASE("a static function, one in a namespace, one with C linkage", "[build]") {
  CHECK(explain_one(kMissing, "0000000000000000 t matmul(float const*, float*, int)\ta.cu:7\n").message ==
        "`matmul` is `static`, so that the grader cannot call it");
  CHECK(explain_one(kMissing, "0000000000000000 T mine::matmul(float const*, float*, int)\ta.cu:7\n").message ==
        "`matmul` is inside a namespace, so that the grader cannot call it");
  CHECK(explain_one(kMissing, "0000000000000000 T matmul\ta.cu:7\n").message.find("extern \"C\"") != std::string::npos);
}

TEST_CASE("functions outside the contract", "[build]") {
  const Finding helper = explain_one("/submission/matmul.cu:8: undefined reference to `helper()'\n", "");
  CHECK(helper.message == "`helper()` is used but not defined");
  CHECK(helper.where == SourcePlace{"/submission/matmul.cu", 8, 0});
  const Finding thread =
      explain_one("/submission/matmul.cu:8: undefined reference to `__device_builtin_variable_threadIdx'\n", "");
  CHECK(thread.message == "`threadIdx` is used in code of the host");
  CHECK(thread.help.find("only code of the device") != std::string::npos);
  const Finding runtime = explain_one("/submission/matmul.cu:8: undefined reference to `cudaIpcGetMemHandle'\n", "");
  CHECK(runtime.help.find("not part of the runtime") != std::string::npos);
}

TEST_CASE("a main of the student's own", "[build]") {
  const Finding finding =
      explain_one("/submission/matmul.cu:8: multiple definition of `main'; h.o:main.cpp:9: first defined here\n", "");
  CHECK(finding.message.find("`main`") != std::string::npos);
  CHECK(finding.help.find("remove `main`") != std::string::npos);
  CHECK(finding.where.line == 8);
}

TEST_CASE("a log without a problem explains nothing", "[build]") {
  CHECK(explain_link(contract(), {"all is well\n", "", kHeader}).empty());
}

}  // namespace
}  // namespace cudalabs::builder
