// The commands: what goes into the shell's hands, and what must be among the words.
#include "build/recipe.h"

#include <algorithm>
#include <string>

#include "catch.h"

namespace cudalabs::builder {
namespace {

Recipe recipe_of(Frontend frontend, BuildKind kind, Device device = Device::virtual_gpu) {
  Recipe recipe;
  recipe.toolchain = {frontend, "1", frontend == Frontend::clang ? "/usr/bin/clang++-14" : "/usr/local/cuda/bin/nvcc",
                      "/usr/bin/opt-14", "/usr/bin/llc-14"};
  recipe.kind = kind;
  recipe.device = device;
  recipe.source = "it's.cu";
  recipe.runner = "runner.cpp";
  recipe.gpu_architecture = "90";
  return recipe;
}

Recipe device_code_of(Frontend frontend, BuildKind kind) {
  Recipe recipe = recipe_of(frontend, kind);
  recipe.part = BuildPart::device_code;
  return recipe;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("a shell word survives whatever is in it", "[build]") {
  CHECK(shell_word("plain") == "'plain'");
  CHECK(shell_word("a'b") == "'a'\\''b'");
  CHECK(shell_word("$(x) `y` \\ \"") == "'$(x) `y` \\ \"'");
  CHECK(shell_word("") == "''");
}

TEST_CASE("names are quoted in the script", "[build]") {
  CHECK(has(script(recipe_of(Frontend::clang, BuildKind::checked)), "'submission/it'\\''s.cu'"));
}

TEST_CASE("checked device code keeps every access, fast code is optimised", "[build]") {
  const std::string checked = script(recipe_of(Frontend::clang, BuildKind::checked));
  CHECK(has(checked, "'-disable-llvm-passes'"));
  CHECK(has(checked, "'-passes=always-inline,function(sroa)'"));
  CHECK(has(checked, "'/usr/bin/llc-14' '-O0'"));
  CHECK_FALSE(has(checked, "'-O3'"));
  const std::string fast = script(recipe_of(Frontend::clang, BuildKind::fast));
  CHECK(has(fast, "'-O3'"));
  CHECK_FALSE(has(fast, "llc"));
  CHECK(has(script(recipe_of(Frontend::nvcc, BuildKind::checked)), "'-G'"));
  CHECK(has(script(recipe_of(Frontend::nvcc, BuildKind::fast)), "'-O3' '-lineinfo'"));
  CHECK(has(script(recipe_of(Frontend::nvcc, BuildKind::fast)), "'--no-compress'"));
}

TEST_CASE("device code alone takes neither the host's pass nor a linker", "[build]") {
  const std::string clang = script(device_code_of(Frontend::clang, BuildKind::fast));
  CHECK(has(clang, "'--cuda-device-only'"));
  CHECK(has(clang, "'-O3'"));
  CHECK_FALSE(has(clang, "'--cuda-host-only'"));
  CHECK_FALSE(has(clang, "-fuse-ld"));
  const std::string nvcc = script(device_code_of(Frontend::nvcc, BuildKind::fast));
  CHECK(has(nvcc, "'-O3' '-lineinfo'"));
  CHECK(has(nvcc, "'-ptx'"));
  CHECK_FALSE(has(nvcc, "'-c'"));
  CHECK_FALSE(has(nvcc, std::string(kHarnessLibrary)));

  const std::string checked = script(device_code_of(Frontend::clang, BuildKind::checked));
  CHECK(has(checked, "'-passes=always-inline,function(sroa)'"));
  CHECK_FALSE(has(checked, "'--cuda-host-only'"));
  CHECK(has(script(device_code_of(Frontend::nvcc, BuildKind::checked)), "'-G'"));
}

TEST_CASE("clang nests as deep as a long pack asks for, in every pass", "[build]") {
  for (const BuildKind kind : {BuildKind::checked, BuildKind::fast}) {
    const std::string text = script(recipe_of(Frontend::clang, kind));
    std::size_t compilers = 0, deep = 0;
    for (std::size_t at = 0; (at = text.find("'-x' 'cuda'", at)) != std::string::npos; ++at) ++compilers;
    for (std::size_t at = 0; (at = text.find("'-fbracket-depth=", at)) != std::string::npos; ++at) ++deep;
    CHECK(deep >= compilers);
  }
}

TEST_CASE("device code for comparing keeps its loops, and says its lines", "[build]") {
  const std::string command = device_code_command(recipe_of(Frontend::clang, BuildKind::fast), "tmp/x.ptx");
  CHECK(has(command, "'-O2' '-fno-unroll-loops'"));
  CHECK(has(command, "'-gline-tables-only'"));
  CHECK(has(command, "'submission/it'\\''s.cu' '-o' 'tmp/x.ptx'"));
  CHECK_FALSE(has(command, "\n"));
}

TEST_CASE("only checked code for the virtual GPU gets the copies of later architectures", "[build]") {
  CHECK(has(script(recipe_of(Frontend::clang, BuildKind::checked)), "'-DCUDALABS_CHECKED_BUILD'"));
  CHECK_FALSE(has(script(recipe_of(Frontend::clang, BuildKind::fast)), "CUDALABS_CHECKED_BUILD"));
  CHECK(has(script(recipe_of(Frontend::nvcc, BuildKind::checked)), "nvcc_checked"));
  CHECK_FALSE(has(script(recipe_of(Frontend::nvcc, BuildKind::fast)), "nvcc_checked"));
  CHECK_FALSE(has(script(recipe_of(Frontend::nvcc, BuildKind::checked, Device::cuda)), "nvcc_checked"));
  for (const BuildKind kind : {BuildKind::checked, BuildKind::fast}) {
    CHECK(has(script(recipe_of(Frontend::nvcc, kind)), "nvcc_virtual"));
    CHECK_FALSE(has(script(recipe_of(Frontend::nvcc, kind, Device::cuda)), "nvcc_virtual"));
  }
}

TEST_CASE("the real GPU gets its own code and the real runtime", "[build]") {
  const std::string text = script(recipe_of(Frontend::nvcc, BuildKind::fast, Device::cuda));
  CHECK(has(text, "'arch=compute_90,code=sm_90'"));
  CHECK_FALSE(has(text, std::string(kClientLibrary)));
  CHECK(has(script(recipe_of(Frontend::nvcc, BuildKind::fast)), std::string(kClientLibrary)));
}

TEST_CASE("no compiler takes out an endless loop of the host", "[build]") {
  for (const Frontend frontend : {Frontend::clang, Frontend::nvcc}) {
    for (const BuildKind kind : {BuildKind::checked, BuildKind::fast}) {
      CHECK(has(script(recipe_of(frontend, kind)), "-fno-finite-loops"));
    }
  }
}

TEST_CASE("precompiled headers take the place of those that every submission includes", "[build]") {
  Recipe recipe = recipe_of(Frontend::clang, BuildKind::checked);
  CHECK(has(script(recipe), "'-include' 'cuda_runtime.h'"));
  recipe.headers_given = true;
  CHECK_FALSE(has(script(recipe), "'-include'"));
  CHECK(has(script(recipe), "'-include-pch' '-Xclang' 'precompiled/host'"));
  CHECK(has(script(recipe), "'-include-pch' '-Xclang' 'precompiled/device'"));
  const std::string text = precompile_script(recipe);
  CHECK(has(text, "'-include' 'cuda_runtime.h'"));
  CHECK_FALSE(has(text, "submission/"));
  recipe.own_headers = {"vector", "cstdio"};
  CHECK(has(precompile_script(recipe), "'-include' 'cuda_runtime.h' '-include' 'vector' '-include' 'cstdio'"));
  // For the options that the passes have.
  CHECK(has(text, "'--cuda-noopt-device-debug'"));
  recipe.kind = BuildKind::fast;
  CHECK(has(precompile_script(recipe), "'-gline-tables-only' '-O3'"));
}

TEST_CASE("a runner object from the cache is not compiled again", "[build]") {
  Recipe recipe = recipe_of(Frontend::clang, BuildKind::checked);
  CHECK(has(script(recipe), "lab/runner.cpp"));
  recipe.runner_given = true;
  CHECK_FALSE(has(script(recipe), "lab/runner.cpp"));
  CHECK(has(script(recipe), std::string(kRunnerObject)));
}

TEST_CASE("only a toolchain outside /usr has to be shown", "[build]") {
  CHECK(toolchain_folders({Frontend::clang, "", "/usr/bin/clang++", "/usr/lib/llvm-14/bin/opt", ""}).empty());
  CHECK(toolchain_folders({Frontend::nvcc, "", "/opt/cuda/bin/nvcc", "", ""}) ==
        std::vector<std::filesystem::path>{"/opt/cuda"});
}

}  // namespace
}  // namespace cudalabs::builder
