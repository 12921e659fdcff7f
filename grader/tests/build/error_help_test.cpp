// Help with compilers' errors: both compilers' words, and the line that is the cause.
#include "build/error_help.h"

#include <string>

#include "build/diagnostics.h"
#include "catch.h"

namespace cudalabs::builder {
namespace {

/// The findings of what a compiler said of `text`, the file a.cu.
std::vector<Finding> helped_in(const std::string& text, const std::string& said) {
  std::vector<Finding> findings = compile_errors(said, 40);
  help_with_errors(findings, {text, "a.cu", "lab.h"});
  return findings;
}

std::string only_help(const std::string& text, const std::string& said) {
  const auto findings = helped_in(text, said);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].id == "build-failed");
  return findings[0].help;
}

void check_help(const std::string& text, const std::string& said, const std::string& words) {
  CAPTURE(said);
  const std::string help = only_help(text, said);
  if (words.empty()) {
    CHECK(help.empty());
  } else {
    CHECK(help.find(words) != std::string::npos);
  }
}

const std::string kNoGlobal =
    "#include \"lab.h\"\n"
    "void add(float* c, int n) {\n"
    "  int i = blockIdx.x + threadIdx.x;\n"
    "}\n"
    "void run(float* c, int n) {\n"
    "  add<<<1, 256>>>(c, n);\n"
    "}\n";

const std::string kBuiltinErrors =
    "a.cu:3:20: error: reference to __device__ function '__fetch_builtin_x' in __host__ function\n"
    "  int i = blockIdx.x + threadIdx.x;\n"
    "                   ^\n"
    "vars.h:66:3: note: '__fetch_builtin_x' declared here\n"
    "a.cu:3:20: error: cannot find suitable getter for property 'x'\n";

TEST_CASE("a kernel that is called as a function is, and a function that is declared otherwise", "[build]") {
  check_help("", "a.cu:9:4: error: call to global function 'add' not configured\n",
             "`add` is a kernel: launch it with `add<<<blocks, threads>>>(...)`");
  check_help("", "a.cu:9:4: error: call to global function 'add<float>' not configured\n",
             "`add<float>` is a kernel: launch it with `add<float><<<blocks, threads>>>(...)`");
  check_help("", "a.cu(9): error: a __global__ function call must be configured\n",
             "this function is a kernel: launch it with `kernel<<<blocks, threads>>>(...)`");
  for (const char* text : {"a.cu:4:5: error: functions that differ only in their return type cannot be overloaded\n",
                           "a.cu(4): error: cannot overload functions distinguished by return type alone\n",
                           "a.cu:4:5: error: conflicting types for 'add'\n"}) {
    check_help("", text, "exactly those in `lab.h`");
    CHECK(is_about_signature(text));
  }
  CHECK_FALSE(is_about_signature("expected ';' after expression"));
}

TEST_CASE("a kernel without `__global__` is told at its definition, once and first", "[build]") {
  const std::string launch = "a.cu:6:18: error: kernel call to non-global function 'add'\n";
  for (const std::string& said : {kBuiltinErrors + launch, kBuiltinErrors, launch,
                                  std::string("a.cu(6): error: a host function call cannot be configured\n")}) {
    CAPTURE(said);
    const auto findings = helped_in(kNoGlobal, said);
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].message == "`add` is launched as a kernel, but its definition lacks `__global__`");
    CHECK(findings[0].where == SourcePlace{"a.cu", 2, 6});
    CHECK(findings[0].help.find("`__global__ void add(...)`") != std::string::npos);
    CHECK(findings[0].note.starts_with("the compiler says: "));
    if (said.ends_with(launch)) CHECK(findings[0].note.find("non-global function 'add'") != std::string::npos);
  }
  const auto behind = helped_in(kNoGlobal, "a.cu:1:9: error: use of undeclared identifier 'x'\n" + launch);
  REQUIRE(behind.size() == 2);
  CHECK(behind[0].where.line == 2);
  // What is wrong with the definition itself comes first, and the rest follows from it.
  const std::string result = "a.cu:2:6: error: kernel function type 'int (float *, int)' must have void return type\n";
  const auto typed = helped_in(kNoGlobal, result + kBuiltinErrors + launch);
  REQUIRE(typed.size() == 1);
  CHECK(typed[0].help.find("`__global__ void`") != std::string::npos);
  // Nothing launches it.
  const auto host = helped_in("void f() {\n\n  int i = threadIdx.x;\n}\n", kBuiltinErrors);
  REQUIRE(host.size() == 2);
  CHECK(host[0].where.line == 3);
  CHECK(host[0].help.find("only code of the device knows") != std::string::npos);
}

TEST_CASE("functions of the other side", "[build]") {
  const std::string text =
      "float plus(float x) { return x; }\n"
      "__device__ float twice(float x) { return x; }\n"
      "__global__ void add(float* c) {\n"
      "  c[0] = plus(c[1]) + rand();\n"
      "  std::cout << c[0];\n"
      "}\n"
      "void run(float* c) {\n"
      "  c[0] = twice(c[1]);\n"
      "  twice<<<1, 1>>>(c[0]);\n"
      "}\n";
  const std::string note =
      "x.h:1:2: note: candidate function not viable: call to __host__ function from __global__ function\n";
  const std::string own = "`plus` is a function of the host: write `__host__ __device__`";
  check_help(text, "a.cu:4:10: error: no matching function for call to 'plus'\n" + note, own);
  check_help(text,
             "a.cu(4): error: calling a __host__ function(\"plus(float)\") from a __global__ function(\"add\") is not "
             "allowed\n",
             own);
  check_help(text, "a.cu(4): error: identifier \"plus\" is undefined in device code\n", own);
  check_help(text, "a.cu:4:23: error: no matching function for call to 'rand'\n" + note,
             "`rand` is a function of the host: a kernel can call only");
  // The note that tells it need not be the first.
  check_help(text,
             "a.cu:5:13: error: invalid operands to binary expression ('std::ostream' (aka 'basic_ostream<char>') and "
             "'float')\n"
             "x.h:1:2: note: candidate function template not viable: no known conversion\n" +
                 note,
             "a kernel prints with `printf`");
  check_help(text, "a.cu(5): error: identifier \"std::cout\" is undefined in device code\n", "prints with `printf`");
  check_help(text, "a.cu:4:10: error: no viable overloaded operator[] for type 'std::vector<float>'\n" + note,
             "pointers to memory of `cudaMalloc`");
  check_help(text,
             "a.cu(4): error: calling a __host__ function(\"std::vector<float> ::operator [](unsigned long)\") from a "
             "__global__ function(\"add\") is not allowed\n",
             "pointers to memory of `cudaMalloc`");
  check_help(text,
             "a.cu(4): error: calling a constexpr __host__ function(\"max\") from a __global__ function(\"add\") is "
             "not allowed.\n",
             "CUDA's own `max`");
  check_help(text, "a.cu:4:10: error: no matching function for call to 'cudaMalloc'\n" + note,
             "before or after the launch");
  check_help(text,
             "a.cu:8:10: error: no matching function for call to 'twice'\n"
             "a.cu:2:18: note: candidate function not viable: call to __device__ function from __host__ function\n",
             "`twice` is a function of the device: write `__host__ __device__`");
  check_help(text, "a.cu:9:3: error: reference to __device__ function 'twice' in __host__ function\n",
             "write `__global__` in place of `__device__` before `twice`");
  check_help(text, "a.cu(9): error: a __device__ function call cannot be configured\n",
             "write `__global__` in place of `__device__` before `twice`");
  check_help(text, "a.cu:8:10: error: no matching function for call to 'twice'\n", "");
}

TEST_CASE("launches with other signs, and kernels that return something", "[build]") {
  const std::string text =
      "__global__ void add(float* c) {\n"
      "  return c[0];\n"
      "}\n"
      "template <int N> __global__ void of(float* c) {}\n"
      "float f(float* c) {\n"
      "  add<<1, 256>>(c);\n"
      "  add<1, 256>(c);\n"
      "  add<<<1, 256>>(c);\n"
      "  of<4>(c) + q;\n"
      "  return c;\n"
      "}\n";
  const std::string launch = "`add<<<blocks, threads>>>(...)`";
  check_help(text, "a.cu:6:6: error: invalid operands to binary expression ('void (float *)' and 'int')\n", launch);
  check_help(text, "a.cu(6): error: expression must have integral or unscoped enum type\n", launch);
  check_help(text, "a.cu:7:6: error: comparison between pointer and integer ('void (*)(float *)' and 'int')\n", launch);
  check_help(text, "a.cu:8:16: error: expected '>>>'\n", launch);
  check_help(text, "a.cu(8): error: expected a \">>>\"\n", launch);
  check_help(text, "a.cu:9:3: error: invalid operands to binary expression\n", "");
  check_help(text, "a.cu(1): error: a __global__ function must have a void return type\n", "`__global__ void`");
  check_help(text, "a.cu:2:3: error: void function 'add' should not return a value [-Wreturn-type]\n",
             "a kernel returns nothing");
  check_help(text, "a.cu(10): error: return value type does not match the function type\n", "");
}

TEST_CASE("a semicolon is missed at the end of a line only", "[build]") {
  const std::string text =
      "void f(int n) {\n"
      "  int a = n  // of all\n"
      "\n"
      "  int b = a\n"
      "  if (a > b)\n"
      "    b = a a;\n"
      "  f(b,\n"
      "    a)\n"
      "}\n";
  const std::string clang = ": error: expected ';' at end of declaration\n", nvcc = ": error: expected a \";\"\n";
  check_help(text, "a.cu:2:12" + clang, "at the end of line 2");
  check_help(text, "a.cu:4:12" + clang, "at the end of line 4");
  check_help(text, "a.cu:6:10" + clang, "");
  check_help(text, "a.cu:6:99" + clang, "");
  check_help(text, "a.cu(4)" + nvcc, "at the end of line 2");
  check_help(text, "a.cu(5)" + nvcc, "at the end of line 4");
  check_help(text, "a.cu(6)" + nvcc, "");
  check_help(text, "a.cu(9)" + nvcc, "");
  check_help(text, "a.cu(1)" + nvcc, "");
  check_help(text, "a.cu:6:3: error: function definition is not allowed here\n", "`}` that is missing above");
}

TEST_CASE("an address is missed where a call stores something", "[build]") {
  const std::string text =
      "void f(float* d, size_t s) {\n"
      "  cudaMalloc(d, s);\n"
      "  cudaMalloc(&d);\n"
      "  cudaEventCreate(e);\n"
      "}\n";
  const std::string clang = "error: no matching function for call to 'cudaMalloc'\n";
  const std::string first =
      "x.h:1:2: note: candidate function not viable: no known conversion from 'float *' to 'void **' for 1st "
      "argument\n";
  check_help(text, "a.cu:2:3: " + clang + first, "`cudaMalloc(&d, ...)`");
  check_help(text, "a.cu(2): error: no instance of overloaded function \"cudaMalloc\" matches the argument list\n",
             "`cudaMalloc(&d, ...)`");
  check_help(
      text,
      "a.cu:3:3: " + clang + "x.h:1:2: note: candidate function not viable: requires 2 arguments, but 1 was provided\n",
      "");
  check_help(text,
             "a.cu(4): error: argument of type \"cudaEvent_t\" is incompatible with parameter of type \"cudaEvent_t "
             "*\"\n",
             "`cudaEventCreate(&e)`");
  check_help(text, "a.cu:2:3: error: no matching function for call to 'other'\n", "");
}

TEST_CASE("headers that are not there, and names", "[build]") {
  const std::string text =
      "#include <helper_cuda.h>\n"
      "#include \"mine.h\"\n"
      "#include <veckor>\n"
      "void f(int count, int n) {\n"
      "  int twice = N + Count + blockDimx;\n"
      "  threadIDx + idx + cuont + j;\n"
      "  printf(\"\");\n"
      "  int x = std::vector<int>() + twice + total;\n"
      "}\n"
      "_global_ void k() {}\n"
      "__global__ void g() { std::vector<int> v; }\n";
  check_help(text, "a.cu:1:10: fatal error: 'helper_cuda.h' file not found\n", "NVIDIA's samples");
  check_help(text, "a.cu:2:10: fatal error: mine.h: No such file or directory\n",
             "`a.cu` is the only file of yours that is compiled");
  check_help(text, "a.cu:3:10: fatal error: 'veckor' file not found\n", "check its name");
  const auto clang = [](int line, const std::string& name) {
    return "a.cu:" + std::to_string(line) + ":3: error: use of undeclared identifier '" + name + "'\n";
  };
  const auto nvcc = [](int line, const std::string& name) {
    return "a.cu(" + std::to_string(line) + "): error: identifier \"" + name + "\" is undefined\n";
  };
  check_help(text, clang(5, "N"), "did you mean `n`?");
  check_help(text, nvcc(5, "Count"), "did you mean `count`?");
  check_help(text, nvcc(5, "blockDimx"), "did you mean `blockDim.x`?");
  check_help(text, clang(6, "threadIDx"), "did you mean `threadIdx`?");
  check_help(text, clang(6, "cuont"), "did you mean `count`?");
  check_help(text, clang(6, "idx"), "declare `idx` before this line");
  check_help(text, clang(6, "j"), "declare `j` before this line");  // one letter is near to any other
  check_help(text, clang(8, "twice"), "");                          // declared, but something was wrong with that
  check_help(text, "a.cu:6:3: error: use of undeclared identifier 'coun'; did you mean 'count'?\n", "");
  check_help(text, nvcc(7, "printf"), "`printf` needs `#include <cstdio>`");
  check_help(text, "a.cu:8:3: error: no member named 'vector' in namespace 'std'\n",
             "`std::vector` needs `#include <vector>`");
  check_help(text, "a.cu(8): error: namespace \"std\" has no member \"vector\"\n",
             "`std::vector` needs `#include <vector>`");
  // The declaration is what is wrong, and the name follows from it.
  const auto both = helped_in(text, "a.cu:8:16: error: expected '('\n" + clang(8, "total"));
  REQUIRE(both.size() == 2);
  CHECK(both[1].help.empty());
  // A kernel has no use for it.
  check_help(text, "a.cu:11:28: error: no member named 'vector' in namespace 'std'\n", "work on the host alone");
  check_help(text, "a.cu(11): error: namespace \"std\" has no member \"cout\"\n", "prints with `printf`");
  check_help(text, "a.cu(11): error: namespace \"std\" has no member \"sort\"\n", "");
  check_help(text, "a.cu:10:1: error: unknown type name '_global_'\n", "did you mean `__global__`?");
  check_help("\nvoid f() {\n  shared[0] = 1;\n}\n", clang(3, "shared"), "declare `shared` before");
  check_help("\nvoid f() {\n  syncthreads();\n}\n", clang(3, "syncthreads"), "did you mean `__syncthreads`?");
  check_help(text, "a.cu(10): error: this declaration has no storage class or type specifier\n",
             "did you mean `__global__`?");
  check_help(text, "a.cu(9): error: this declaration has no storage class or type specifier\n", "");
  // Of another file nothing is known.
  check_help(text, "b.h:5:3: error: use of undeclared identifier 'N'\n", "");
}

TEST_CASE("help with errors of a hostile text takes no long time", "[build]") {
  std::string text = "__global__ void k() {\n";
  for (int i = 0; i < 60'000; ++i) text += "k<<< <<a_name" + std::to_string(i);
  std::string said;
  for (int i = 0; i < 40; ++i) said += "a.cu:2:1: error: use of undeclared identifier 'a_name'\n" + kBuiltinErrors;
  CHECK(helped_in(text, said).size() == 40);
  CHECK(helped_in(std::string(1 << 20, '<'), said).size() == 40);
}

}  // namespace
}  // namespace cudalabs::builder
