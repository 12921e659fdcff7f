// The commands.
//
// Checked device code under clang: -O1 with LLVM's passes disabled, then only always-inline and scalar replacement,
// then code generation at -O0. So no load or store the student wrote is hoisted, merged or deleted before the checker
// sees it, yet scalars live in registers. (-O0 in the front end would mark every function as not to be optimised, and
// SROA would leave all variables in local memory: several times as many instructions to interpret.)
//
// Optimised device code under clang: its -O3, but between front end and passes the variables of the device become
// visible to others (`kVariablesOfTheHost`). What LLVM does less of than nvcc, it is told to do
// (`optimisations_as_of_nvcc`). In both builds a structure is copied as a whole (`whole_struct_copies`).
//
// Both passes read our headers and what these include, of which there is far more than of a submission: they are
// compiled once for all submissions (`precompile_script`). A pass takes 0.07 s instead of 0.25 s with them, and three
// quarters of the processor time of a whole grading went into reading headers.
//
// Host and device passes run side by side. The host pass embeds the PTX, but opens it only after it has parsed, so it
// is given a pipe and waits there for the device pass: 0.31 s instead of 0.42 s for a naive matrix product on two
// cores.
#include "build/recipe.h"

#include <algorithm>
#include <initializer_list>
#include <system_error>

#include "build/struct_copies.h"

namespace cudalabs::builder {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

/// Places in the job's scratch folder.
constexpr std::string_view kObject = "tmp/submission.o", kDeviceCode = "tmp/device.ptx";

std::string line_of(const Words& words) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    line += shell_word(word);
  }
  return line;
}

Words operator+(Words left, const Words& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

std::string in(std::string_view folder, std::string_view file) {
  return std::string(folder) + "/" + std::string(file);
}

std::string redirected(int channel) {
  return " >&" + std::to_string(channel) + " 2>&1";
}

/// Ends the script: the raw status of a failed step is printed, its name becomes the exit status.
std::string fail_with(ScriptEnd end) {
  return "{ echo $?; exit " + std::to_string(end) + "; }";
}

// Diagnostics are cut: a template error can be megabytes long, and a crash report is of no use to a student.
const Words kClangDiagnostics = {"-fno-color-diagnostics", "-fno-crash-diagnostics", "-ferror-limit=20",
                                 "-fmacro-backtrace-limit=6", "-ftemplate-backtrace-limit=6", "-Wall",
                                 // A fold over a pack is nested as deep as the pack is long; nvcc has no such limit.
                                 "-fbracket-depth=4096",
                                 // Warnings, as in nvcc: code of long ago is not wrong because of them.
                                 "-Wno-error=register", "-Wno-error=c++11-narrowing", "-Wno-error=writable-strings"};

Words clang_common(const Recipe& recipe) {
  // DWARF 4: of clang's DWARF 5 addr2line takes the first line of a function of a header for one of the source.
  return Words{recipe.toolchain.compiler, "-std=c++17", "-fdebug-compilation-dir=/", "-gdwarf-4", "-iquote",
               std::string(kLabFolder)} +
         kClangDiagnostics;
}

Words clang_cuda(const Recipe& recipe) {
  // Headers of ours that offer what later architectures have are exact in the one build and fast in the other.
  const Words kind = recipe.kind == BuildKind::checked ? Words{"-DCUDALABS_CHECKED_BUILD"} : Words{};
  return clang_common(recipe) + kind +
         Words{"-x", "cuda", "--cuda-gpu-arch=sm_70", "-nocudainc", "-nocudalib", "-Xclang", "-target-sdk-version=11.5",
               "-Wno-unknown-cuda-version", "-isystem", std::string(kRuntimeHeaders),
               // See cudalabs_device/barrier.h. Of what a system header's macro, or the text of
               // any, makes, clang says nothing; of a macro's argument it does.
               "-D__syncthreads=CUDALABS_SAME(cudalabs_syncthreads)", "-DCUDALABS_SAME(name)=name"};
}

/// What a submission need not include.
const Words kImplicitHeader = {"-include", "cuda_runtime.h"};

Words implicit_header(const Recipe& recipe, std::string_view precompiled) {
  if (!recipe.headers_given) return kImplicitHeader;
  return {"-Xclang", "-include-pch", "-Xclang", std::string(precompiled)};
}

/// Up to LLVM's text, before any of its passes. A precompiled header is only good for the same options. Warnings come
/// from the host pass, which reads the same text.
Words clang_device_pass(const Recipe& recipe) {
  const Words words =
      clang_cuda(recipe) + Words{"--cuda-device-only", "-Xclang", "-target-feature", "-Xclang", "+ptx70", "-w"};
  const Words kind = recipe.kind == BuildKind::checked ? Words{"-g", "--cuda-noopt-device-debug", "-O1"}
                                                       : Words{"-gline-tables-only", "-O3"};
  return words + kind + Words{"-Xclang", "-disable-llvm-passes"};
}

Words clang_host_pass(const Recipe& recipe) {
  // Calls that end two ways of a function alike are not made one, which would have no line. An endless loop stays one:
  // C++ allows a compiler to take it out, with all that follows it.
  return clang_cuda(recipe) +
         Words{"--cuda-host-only", "-O1", "-g1", "-fno-finite-loops", "-mllvm", "-enable-tail-merge=0"};
}

// Device variables that are static or in an unnamed namespace. The host reads and writes them by their symbols, but
// clang 14 and 16 let the optimiser take them for private ones of the device: one that only the host names is deleted,
// one that only the host sets is folded to its first value.
const std::string kVariablesOfTheHost =
    R"(s/^\(@[^ ]*\) = internal addrspace(\([14]\)) \(global\|constant\) /\1 = addrspace(\2) )"
    R"(externally_initialized \3 /)";

// Of the debug information findings ask what variables of a module are made of, and lines. The rest makes the text many
// times as long: what the headers import, and the variables of functions. A line is known by how it begins, which no
// text of the source can choose.
const Words kWithoutRestOfDebugInfo = {
    "sed",
    "-e",
    R"(/^![0-9]* = distinct !DICompileUnit(/s/, \(enums\|imports\|retainedTypes\): ![0-9]*//g)",
    "-e",
    R"(/^![0-9]* = distinct !DISubprogram(/s/, retainedNodes: ![0-9]*//)",
    "-e",
    R"(/^ *call void @llvm\.dbg\./d)"};

std::string clang_device(const Recipe& recipe) {
  const Toolchain& tools = recipe.toolchain;
  const std::string front = line_of(clang_device_pass(recipe) + implicit_header(recipe, kDeviceHeaders) +
                                    Words{"-emit-llvm", "-S", in(kSubmissionFolder, recipe.source), "-o", "tmp/0.ll"});
  if (recipe.kind != BuildKind::checked) {
    return front + " && " +
           line_of(Words{"sed", "-e", kVariablesOfTheHost} + whole_struct_copies() + Words{"tmp/0.ll"}) +
           " > tmp/1.ll && " +
           line_of(Words{tools.compiler.string(), "-x", "ir", "--target=nvptx64-nvidia-cuda", "-march=sm_70",
                         "-nocudalib", "-Wno-unknown-cuda-version", "-Wno-override-module", "-Xclang",
                         "-target-feature", "-Xclang", "+ptx70", "-O3"} +
                   optimisations_as_of_nvcc() + Words{"-S", "tmp/1.ll", "-o", std::string(kDeviceCode)});
  }
  return front + " && " + line_of(kWithoutRestOfDebugInfo + whole_struct_copies() + Words{"tmp/0.ll"}) +
         " > tmp/1.ll && " +
         line_of({tools.optimizer, "-passes=always-inline,function(sroa)", "tmp/1.ll", "-o", "tmp/1.bc"}) + " && " +
         line_of(
             {tools.code_generator, "-O0", "-mcpu=sm_70", "-mattr=+ptx70", "tmp/1.bc", "-o", std::string(kDeviceCode)});
}

std::string clang_object(const Recipe& recipe) {
  const std::string host = line_of(clang_host_pass(recipe) + implicit_header(recipe, kHostHeaders) +
                                   Words{"-Xclang", "-fcuda-include-gpubinary", "-Xclang", "tmp/embedded", "-c",
                                         in(kSubmissionFolder, recipe.source), "-o", std::string(kObject)});
  std::string text;
  text += "mkfifo tmp/embedded\n";
  // The embedded text ends with a NUL byte, which clang 14 adds by itself and later ones do not. On failure the pipe is
  // opened and closed all the same: the host pass waits at its other end.
  text += "( " + clang_device(recipe) + redirected(kDeviceLog) + "\n  status=$?\n";
  text +=
      "  if [ $status = 0 ]; then { cat tmp/device.ptx; printf '\\000'; } > tmp/embedded; else : > tmp/embedded; fi\n";
  text += "  exit $status ) &\ndevice=$!\n";
  text += host + redirected(kHostLog) + " || " + fail_with(kHostFailed) + "\n";
  // Without a kernel the host pass never opens the pipe. It must be opened, or the device pass would not come to its
  // end.
  text += "cat tmp/embedded > /dev/null 2>&1 &\n";
  text += "wait $device || " + fail_with(kDeviceFailed) + "\n";
  return text;
}

/// Of the device code alone, where only that is asked for.
std::string nvcc_object(const Recipe& recipe) {
  const std::string target = recipe.device == Device::cuda
                                 ? "arch=compute_" + recipe.gpu_architecture + ",code=sm_" + recipe.gpu_architecture
                                 : "arch=compute_75,code=compute_75";
  Words words{recipe.toolchain.compiler,
              "-std=c++17",
              "-gencode",
              target,
              "--no-compress",
              "-I",
              std::string(kLabFolder),
              "-Xcompiler",
              "-g1,-Wall,-fno-finite-loops"};
  words = words + (recipe.kind == BuildKind::checked ? Words{"-G"} : Words{"-O3", "-lineinfo"});
  // Before the toolkit's own headers: copies that are asynchronous although the architecture has none.
  if (recipe.kind == BuildKind::checked && recipe.device != Device::cuda)
    words = words + Words{"-I", in(kRuntimeHeaders, "nvcc_checked")};
  // What the virtual GPU has, and the architecture that it is compiled for has not.
  if (recipe.device != Device::cuda)
    words = words + Words{"-include", in(kRuntimeHeaders, "nvcc_virtual/reductions.h")};
  const bool whole = recipe.part == BuildPart::program;
  words = words + Words{whole ? "-c" : "-ptx", in(kSubmissionFolder, recipe.source), "-o",
                        std::string(whole ? kObject : kDeviceCode)};
  return line_of(words) + redirected(kHostLog) + " || " + fail_with(kHostFailed) + "\n";
}

/// The lab's runner.cpp is plain C++.
std::string runner_object(const Recipe& recipe) {
  Words words = recipe.toolchain.frontend == Frontend::clang
                    ? clang_common(recipe)
                    : Words{"g++", "-std=c++17", "-iquote", std::string(kLabFolder)};
  words = words + Words{"-isystem", std::string(kHarnessHeaders),
                        "-isystem", std::string(kRuntimeHeaders),
                        "-O1",      "-g1",
                        "-c",       in(kLabFolder, recipe.runner),
                        "-o",       "tmp/runner.o"};
  return line_of(words) + redirected(kRunnerLog);
}

std::string link(const Recipe& recipe) {
  // The libraries whole: a submission that defines `main` or `cudaMalloc` then clashes with them instead of taking
  // their place. Static: the runner's sandbox needs no file but the runner. GNU ld by name: its messages are read here.
  const bool nvcc_links = recipe.device == Device::cuda;
  const auto to_linker = [&](const char* option) {
    return nvcc_links ? Words{"-Xlinker", option} : Words{std::string("-Wl,") + option};
  };
  const Words objects = Words{std::string(kObject), recipe.runner_given ? std::string(kRunnerObject) : "tmp/runner.o"};
  Words libraries{std::string(kHarnessLibrary)};
  if (!nvcc_links) libraries.push_back(std::string(kClientLibrary));
  // Where the harness sees and sets clocks (run/harness/clock_watch.cpp), repeats launches to measure them
  // (run/harness/repeat.cpp), notes what its own work on the device has to wait for (run/harness/device_state.cpp), and
  // who ends the program (run/harness/fault.cpp).
  Words wrapped;
  const auto wrap = [&](std::initializer_list<const char*> functions) {
    for (const char* function : functions) {
      const std::string option = std::string("--wrap=") + function;
      wrapped = wrapped + (nvcc_links ? Words{"-Xlinker", option} : Words{"-Wl," + option});
    }
  };
  wrap({"exit", "quick_exit", "_exit", "_Exit"});
  wrap({"clock_gettime", "gettimeofday", "timespec_get", "time", "clock", "clock_nanosleep", "pthread_cond_timedwait",
        "pthread_cond_clockwait", "pthread_mutex_timedlock", "pthread_mutex_clocklock", "sem_timedwait",
        "sem_clockwait", "syscall"});
  if (nvcc_links) {
    wrap({"cudaLaunchKernel", "__cudaLaunchKernel", "cudaLaunchKernelExC", "cudaLaunchCooperativeKernel",
          "cudaStreamCreateWithFlags", "cudaStreamCreateWithPriority", "cudaDeviceReset"});
  }
  const Words rest = wrapped + objects + to_linker("--whole-archive") + libraries + to_linker("--no-whole-archive") +
                     Words{"-o", "tmp/program"};
  if (nvcc_links) return line_of(Words{recipe.toolchain.compiler} + rest);
  const std::string driver = recipe.toolchain.frontend == Frontend::clang ? recipe.toolchain.compiler.string() : "g++";
  return line_of(Words{driver, "-static", "-fuse-ld=bfd", "-pthread"} + rest);
}

}  // namespace

// -nvptx-fma-level is what the driver sets for CUDA and not for LLVM's text: multiplications and additions are joined.
// -unroll-threshold is a size of loops that nvcc, too, unrolls whole, nearly always (compared for 48 loops of 2 to 64
// rounds). While a loop stays one, a thread's array that it indexes stays in local memory.
// -inline-threshold: nvcc makes functions part of the kernel, also long ones. While a call stays one, what it is given
// by reference stays in local memory: a tiled product in the operator of a class was modelled at 0.71 of the naive
// one's speed, and at 2.38 by nvcc.
// -scev-cheap-expansion-budget: nvcc unrolls a loop by four also where its number of rounds takes a division, as from a
// lane's number on in steps of 32; LLVM thinks four operations before the loop too many. Then fewer loads are under way
// at a time: a product cut along its inner dimension was modelled at 1.46, and at 4.94 by nvcc.
// -disable-lftr: with such a budget LLVM also ends loops by counters made for it, beside those that the text has. They
// take registers from the loads: a sum was modelled at 1.21 in place of 2.86.
const std::vector<std::string>& optimisations_as_of_nvcc() {
  static const Words words{"-mllvm", "-nvptx-fma-level=2",
                           "-mllvm", "-unroll-threshold=1500",
                           "-mllvm", "-inline-threshold=20000",
                           "-mllvm", "-scev-cheap-expansion-budget=16",
                           "-mllvm", "-disable-lftr"};
  return words;
}

std::string script(const Recipe& recipe) {
  std::string text;
  if (recipe.part == BuildPart::device_code) {
    text = recipe.toolchain.frontend == Frontend::nvcc ? nvcc_object(recipe)
                                                       : "{ " + clang_device(recipe) + "; }" + redirected(kDeviceLog) +
                                                             " || " + fail_with(kDeviceFailed) + "\n";
    return text + "cat " + std::string(kDeviceCode) + " >&" + std::to_string(kProgram) + "\n";
  }
  if (!recipe.runner_given) text += runner_object(recipe) + " &\nrunner=$!\n";
  text += recipe.toolchain.frontend == Frontend::clang ? clang_object(recipe) : nvcc_object(recipe);
  if (!recipe.runner_given) {
    text += "wait $runner || " + fail_with(kRunnerFailed) + "\n";
    text += "cat tmp/runner.o >&" + std::to_string(kRunnerBuilt) + "\n";
  }
  text += link(recipe) + redirected(kLinkLog) + "\nstatus=$?\n";
  // When something is missing or there twice, the symbols with their lines say what the student wrote instead.
  text += "if [ $status != 0 ]; then\n  nm -C -l --defined-only tmp/submission.o >&" + std::to_string(kSymbols) + "\n";
  text += "  echo $status\n  exit " + std::to_string(kLinkFailed) + "\nfi\n";
  text += "cat tmp/program >&" + std::to_string(kProgram) + "\n";
  return text;
}

bool has_names_of_one_compilation(std::string_view ptx) {
  return std::ranges::any_of(std::initializer_list<std::string_view>{"_GLOBAL__N__", "_INTERNAL_", "__nv_static_"},
                             [&](std::string_view part) { return ptx.find(part) != std::string_view::npos; });
}

std::string precompile_script(const Recipe& recipe) {
  // Headers are copied into each job, so that their times say nothing. What is included from the system is named in a
  // list (see precompiled_headers.cpp).
  Words headers = kImplicitHeader;
  for (const std::string& name : recipe.own_headers) headers = std::move(headers) + Words{"-include", name};
  const auto command = [&](const Words& pass, const std::string& name) {
    return line_of(pass + headers +
                   Words{"-S", "-Xclang", "-emit-pch", "-Xclang", "-fno-pch-timestamp", "-MD", "-MT", "headers", "-MF",
                         "tmp/" + name + ".d", "/dev/null", "-o", "tmp/" + name}) +
           redirected(kHostLog);
  };
  std::string text = command(clang_host_pass(recipe), "host") + " &\nhost=$!\n";
  text += command(clang_device_pass(recipe), "device") + " || exit 1\nwait $host || exit 1\n";
  text += "cat tmp/host >&" + std::to_string(kPrecompiledHost) + "\n";
  text += "cat tmp/device >&" + std::to_string(kPrecompiledDevice) + "\n";
  text += "cat tmp/host.d tmp/device.d >&" + std::to_string(kIncluded) + "\n";
  return text;
}

std::string device_code_command(const Recipe& recipe, std::string_view output) {
  // -O2 makes one of most ways to write a loop or to split a function. Unrolled or vectorised code would differ with
  // the number of rounds; joined multiplications and additions would with the order of terms.
  return line_of(clang_cuda(recipe) + kImplicitHeader +
                 Words{"--cuda-device-only", "-Xclang", "-target-feature", "-Xclang", "+ptx70", "-gline-tables-only",
                       "-w", "-O2", "-fno-unroll-loops", "-fno-vectorize", "-fno-slp-vectorize", "-ffp-contract=off",
                       "-S", in(kSubmissionFolder, recipe.source), "-o", std::string(output)});
}

std::vector<fs::path> toolchain_folders(const Toolchain& toolchain) {
  std::vector<fs::path> folders;
  for (const fs::path& tool : {toolchain.compiler, toolchain.optimizer, toolchain.code_generator}) {
    if (tool.empty()) continue;
    std::error_code error;
    // Both as it is named and as what it is: links are followed inside the sandbox too.
    for (const fs::path& path : {tool, fs::canonical(tool, error)}) {
      const fs::path prefix = path.parent_path().parent_path();
      const bool in_system = prefix.empty() || prefix == "/" || *std::next(prefix.begin()) == "usr";
      if (!in_system && std::find(folders.begin(), folders.end(), prefix) == folders.end()) folders.push_back(prefix);
    }
  }
  return folders;
}

std::string shell_word(std::string_view word) {
  std::string text(1, '\'');
  for (const char letter : word) {
    if (letter == '\'') {
      text += "'\\''";
    } else {
      text += letter;
    }
  }
  text += '\'';
  return text;
}

}  // namespace cudalabs::builder
