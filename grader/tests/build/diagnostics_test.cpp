// Compilers' words read into findings: both compilers' forms, the linker's, and text that only looks like them.
#include "build/diagnostics.h"

#include <string>

#include "build/unsupported.h"
#include "catch.h"

namespace cudalabs::builder {
namespace {

TEST_CASE("clang's errors are read with place and note", "[build]") {
  const auto findings = compile_errors(
      "a.cu:2:78: error: use of undeclared identifier 'helper'\n"
      "void f() { helper(); }\n"
      "           ^\n"
      "a.cu:1:5: note: 'helped' declared here\n"
      "a.cu:3:1: warning: unused\n"
      "a.cu:3:1: note: belongs to the warning\n"
      "a.cu:9:2: fatal error: 'x.h' file not found\n"
      "2 errors generated when compiling for host.\n",
      10);
  REQUIRE(findings.size() == 2);
  CHECK(findings[0].id == "build-failed");
  CHECK(findings[0].message == "use of undeclared identifier 'helper'");
  CHECK(findings[0].where == SourcePlace{"a.cu", 2, 78});
  CHECK(findings[0].note == "'helped' declared here");
  CHECK(findings[1].message == "'x.h' file not found");
  CHECK(findings[1].where == SourcePlace{"a.cu", 9, 2});
  CHECK(findings[1].note.empty());
}

TEST_CASE("nvcc's and g++'s errors are read", "[build]") {
  const auto findings = compile_errors(
      "a.cu(12): error: identifier \"helper\" is undefined\n"
      "a.cu:3:10: fatal error: x.h: No such file or directory\n"
      "ptxas fatal   : something\n",
      10);
  REQUIRE(findings.size() == 2);
  CHECK(findings[0].where == SourcePlace{"a.cu", 12, 0});
  CHECK(findings[0].message == "identifier \"helper\" is undefined");
  CHECK(findings[1].where == SourcePlace{"a.cu", 3, 10});
}

TEST_CASE("statements without effect are read, and a name that is not called is named", "[build]") {
  const auto clang = no_effect_warnings(
      "a.cu:7:3: warning: expression result unused [-Wunused-value]\n"
      "  __syncthreads;\n"
      "  ^~~~~~~~~~~~~\n"
      "a.cu:9:6: warning: expression result unused [-Wunused-value]\n"
      "  out[0];\n"
      "  ~~~ ^\n"
      "a.cu:9:6: warning: unused variable 'x' [-Wunused-variable]\n"
      "a.cu:11:3: error: expression result unused\n",
      10);
  REQUIRE(clang.size() == 2);
  CHECK(clang[0].id == "no-effect");
  CHECK(clang[0].severity == Severity::warning);
  CHECK(clang[0].where == SourcePlace{"a.cu", 7, 3});
  CHECK(clang[0].message == "`__syncthreads` is only named here: the statement does nothing");
  CHECK(clang[0].help.find("`__syncthreads();`") != std::string::npos);
  CHECK(clang[1].where.line == 9);
  CHECK(clang[1].message == "this statement has no effect");
  const auto nvcc = no_effect_warnings(
      "a.cu(7): warning #174-D: expression has no effect\n"
      "    __syncthreads ;\n"
      "    ^\n"
      "\n"
      "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n"
      "\n"
      "a.cu:7:3: warning: statement is a reference, not call, to function 'f' [-Waddress]\n",
      10);
  REQUIRE(nvcc.size() == 1);
  CHECK(nvcc[0].where == SourcePlace{"a.cu", 7, 0});
  CHECK(nvcc[0].message == "`__syncthreads` is only named here: the statement does nothing");
  CHECK(no_effect_warnings("", 10).empty());
  CHECK(no_effect_warnings("a.cu(7): warning #174-D: expression has no effect\n", 10).size() == 1);
  CHECK(no_effect_warnings("a.cu(7): warning #174-D: expression has no effect\n", 0).empty());
}

TEST_CASE("warnings that tell a mistake are read, one a line, and others are not", "[build]") {
  const auto warnings = telling_warnings(
      "a.cu:7:3: warning: misleading indentation; statement is not part of the previous 'for' "
      "[-Wmisleading-indentation]\n"
      "a.cu:7:5: warning: for loop has empty body [-Wempty-body]\n"
      "a.cu:8:7: warning: unused variable 'x' [-Wunused-variable]\n"
      "a.cu(9): warning #187-D: use of \"=\" where \"==\" may have been intended\n"
      "a.cu:10:1: error: misleading indentation\n",
      10);
  REQUIRE(warnings.size() == 2);
  CHECK(warnings[0] ==
        CompilerWarning{{"a.cu", 7, 3}, "misleading indentation; statement is not part of the previous 'for'"});
  CHECK(warnings[1] == CompilerWarning{{"a.cu", 9, 0}, "use of \"=\" where \"==\" may have been intended"});
  CHECK(telling_warnings("a.cu:7:3: warning: misleading indentation\n", 0).empty());
}

TEST_CASE("the number of errors is bounded, and no error is no finding", "[build]") {
  std::string many;
  for (int i = 1; i <= 100; ++i) many += "a.cu:" + std::to_string(i) + ":1: error: again\n";
  CHECK(compile_errors(many, 10).size() == 10);
  CHECK(compile_errors("", 10).empty());
  CHECK(compile_errors("a.cu:1:1: warning: error of judgement\n", 10).empty());
  CHECK(compile_errors("there was this: error: it said\n", 10).at(0).where == SourcePlace{});
}

TEST_CASE("a message that quotes another is read by its own mark", "[build]") {
  const auto findings = compile_errors("a.cu:1:2: error: \"b.cu:9:9: error: fake\"\n", 10);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].where == SourcePlace{"a.cu", 1, 2});
  CHECK(findings[0].message == "\"b.cu:9:9: error: fake\"");
  CHECK(compile_errors("a.cu:1:2: warning: x: error: y\n", 10).empty());
}

TEST_CASE("numbers too long for a line are no line", "[build]") {
  const auto findings = compile_errors("a.cu:99999999999999999999: error: x\n", 10);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].where.line == 0);
}

TEST_CASE("the linker's complaints are read, each symbol once", "[build]") {
  const auto problems = link_problems(
      "/usr/bin/ld.bfd: tmp/r.o: in function `cudalabs_run(cudalabs::Call&)':\n"
      "/lab/runner.cpp:14: undefined reference to `matmul(float const*, int)'\n"
      "/usr/bin/ld.bfd: tmp/s.o:(.text+0x20): undefined reference to `helper()'\n"
      "/submission/a.cu:8: undefined reference to `helper()'\n"
      "/submission/a.cu:9: undefined reference to `helper()'\n"
      "/usr/bin/ld.bfd: tmp/h.o: in function `main':\n"
      "/x/main.cpp:10: multiple definition of `main'; tmp/s.o:/submission/a.cu:3: first defined here\n"
      "clang: error: linker command failed with exit code 1 (use -v to see invocation)\n");
  REQUIRE(problems.size() == 3);
  CHECK(problems[0] ==
        LinkProblem{LinkProblem::Kind::undefined, "matmul(float const*, int)", {"/lab/runner.cpp", 14, 0}});
  CHECK(problems[1] == LinkProblem{LinkProblem::Kind::undefined, "helper()", {"/submission/a.cu", 8, 0}});
  CHECK(problems[2].kind == LinkProblem::Kind::multiple);
  CHECK(problems[2].symbol == "main");
  CHECK(link_problems("undefined reference to `cut off\n").empty());
}

TEST_CASE("nm's symbols are read with their places", "[build]") {
  const auto all = symbols(
      "0000000000000010 T matmul(float*, int)\t/submission/a.cu:5\n"
      "0000000000000020 t (anonymous namespace)::helper()\n"
      "                 U cudaMalloc\n"
      "nonsense\n");
  REQUIRE(all.size() == 2);
  CHECK(all[0].name == "matmul(float*, int)");
  CHECK_FALSE(all[0].local);
  CHECK(all[0].where == SourcePlace{"/submission/a.cu", 5, 0});
  CHECK(all[1].local);
  CHECK_FALSE(all[1].where.known());
}

TEST_CASE("base names", "[build]") {
  CHECK(base_name("matmul(float*, int)") == "matmul");
  CHECK(base_name("matmul") == "matmul");
  CHECK(base_name("a::b::matmul(std::vector<int>)") == "matmul");
  CHECK(base_name("(anonymous namespace)::matmul(int)") == "matmul");
  CHECK(base_name("void matmul<float>(float*)") == "matmul");
  CHECK(base_name("Matrix<a::b>::matmul(int)") == "matmul");
  CHECK(base_name("") == "");
}

TEST_CASE("a job's paths become the student's", "[build]") {
  const PathNames names = {{"submission/a.cu", "/home/x/my $1 file.cu"}, {"lab/a.h", "labs/a.h"}};
  CHECK(with_own_paths("submission/a.cu:1: error in lab/a.h", names) == "/home/x/my $1 file.cu:1: error in labs/a.h");
  CHECK(with_own_paths("(/submission/a.cu:1)", names) == "(/home/x/my $1 file.cu:1)");
  CHECK(with_own_paths("In file /tmp/cudalabs-Ab12/submission/a.cu,", names) == "In file /home/x/my $1 file.cu,");
  CHECK(with_own_paths("//submission/a.cu", names) == "/home/x/my $1 file.cu");
  CHECK(with_own_paths("submission/b.cu", names) == "submission/b.cu");
  CHECK(with_own_paths("", names).empty());
}

TEST_CASE("long text is cut at a line's end and says so", "[build]") {
  CHECK(cut_lines("one\ntwo\n", 100) == "one\ntwo\n");
  CHECK(cut_lines("one\ntwo\nthree\n", 9) == "one\ntwo\n… (6 more bytes)\n");
  CHECK(cut_lines(std::string(50, 'x'), 10) == std::string(10, 'x') + "… (40 more bytes)\n");
}

}  // namespace

TEST_CASE("what CUDA has and the grader does not offer is named", "[build]") {
  const auto explained = [](const std::string& text) {
    auto findings = compile_errors(text, 10);
    REQUIRE(findings.size() == 1);
    explain_unsupported(findings[0]);
    return findings[0];
  };
  struct Row {
    const char* text;
    const char* message;
    const char* help;
  };
  const Row rows[] = {
      {"a.cu:7:3: error: use of undeclared identifier 'cuInit'\n", "`cuInit` is not supported here", "the runtime API"},
      {"a.cu:7:3: error: unknown type name 'CUdevice'\n", "`CUdevice` is not supported here", "the driver API"},
      {"a.cu(7): error: identifier \"cudaGraphicsWhat\" is undefined\n", "`cudaGraphicsWhat` is not supported here",
       "one after another"},
      {"a.cu:7:10: fatal error: 'cublas_v2.h' file not found\n", "the header `cublas_v2.h` is not supported here",
       "write the kernel yourself"},
      {"a.cu:7:10: fatal error: thrust/device_vector.h: No such file or directory\n",
       "the header `thrust/device_vector.h` is not supported here", "write the kernel yourself"},
      {"a.cu:7:3: error: reference to __global__ function 'k' in __global__ function\n",
       "a launch from device code is not supported here", "from the host"},
      {"a.cu:7:1: error: no template named 'texture'\n",
       "texture references are not supported here, and CUDA 12 has removed them", "by index"},
      {"a.cu(7): error: texture is not a template\n",
       "texture references are not supported here, and CUDA 12 has removed them", "by index"},
      {"a.cu(7): error: no instance of overloaded function \"tex1Dfetch\" matches the argument list\n",
       "texture references are not supported here, and CUDA 12 has removed them", "by index"},
      {"a.cu(7): error: identifier \"cudaBindTexture\" is undefined\n",
       "texture references are not supported here, and CUDA 12 has removed them", "by index"},
      {"a.cu(7): error: kernel launch from __device__ or __global__ functions requires separate compilation mode\n",
       "a launch from device code is not supported here", "from the host"},
  };
  for (const Row& row : rows) {
    const Finding finding = explained(row.text);
    CAPTURE(row.text);
    CHECK(finding.id == "unsupported-call");
    CHECK(finding.message == row.message);
    CHECK(finding.where.line == 7);
    CHECK(finding.help.find(row.help) != std::string::npos);
    CHECK(finding.note.find("the compiler says: ") == 0);
  }
  const Finding managed = explained(
      "a.cu:7:1: error: unknown type name 'managed_variables_are_not_supported_with_clang_use_cudaMallocManaged'\n");
  CHECK(managed.id == "unsupported-call");
  CHECK(managed.message == "`__managed__` variables are not supported with clang");
  CHECK(managed.help.find("`cudaMallocManaged`") != std::string::npos);
  // Slips of the student's own stay what they are.
  for (const char* text :
       {"a.cu:7:3: error: use of undeclared identifier 'cudaMaloc'; did you mean 'cudaMalloc'?\n",
        "a.cu:7:3: error: use of undeclared identifier 'cubes'\n", "a.cu:7:3: error: unknown type name 'customer'\n",
        "a.cu:7:3: error: use of undeclared identifier 'CURRENT'\n",
        "a.cu:7:10: fatal error: 'my_matrix.h' file not found\n",
        "a.cu(7): error: identifier \"cudaMemcopy\" is undefined\n",
        "a.cu(7): error: identifier \"total\" is undefined\n"}) {
    CAPTURE(text);
    CHECK(explained(text).id == "build-failed");
  }
}

}  // namespace cudalabs::builder
