// Whole programs, compiled by clang and by nvcc: what they print, how they end, and what is found.
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <set>
#include <sstream>

#include "built_program.h"
#include "catch/catch.h"
#include "tree/tree_paths.h"

using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::test;
using cudalabs::Finding;

namespace {

/// The text of a kernel in a module's PTX.
std::string kernel_text(const std::string& ptx, const std::string& kernel) {
  const std::size_t start = ptx.find(".entry " + kernel + "(");
  REQUIRE(start != std::string::npos);
  return ptx.substr(start, ptx.find(".entry ", start + 1) - start);
}

/// That the kernel stores to shared memory before `operation`, and loads from there only after it.
void check_order(const std::string& text, const std::string& operation) {
  const std::size_t at = text.find(operation);
  CHECK(at != std::string::npos);
  CHECK(text.rfind("st.shared", at) != std::string::npos);
  CHECK(text.find("st.shared", at) == std::string::npos);
  CHECK(text.find("ld.shared") != std::string::npos);
  CHECK(text.find("ld.shared") > at);
}

/// `all`: those too that take nvcc long, for they include much of its libraries.
void check_correct_programs(const Scratch& scratch, const std::function<std::string(const std::string&)>& build_one,
                            bool all = true) {
  struct Row {
    const char* name;
    const char* output;
    bool takes_long = false;
    std::uint64_t launches = 1;  // at least
  };
  const Row rows[] = {
      {"vector_add", "sum: right\n"},
      {"parameters",
       "sum: right\ninteger: right\ntext: right\nsymbols: right\nsymbol address: right\nattributes: right\n"
       "place of a parameter: right\noccupancy: right\nlarge parameter: right\n"},
      {"device_functions",
       "from thread 9: text  0.62 1099511627776 x%\nshuffles: right\nvotes: right\ndouble shuffle: right\n"
       "atomics: right\nbits: right\nreinterpretation: right\nsingle precision: right\ndouble precision: right\n"
       "min and max: right\npacked differences: right\n"},
      {"groups_and_halves", "groups: right\nhalves: right\n"},
      {"packed_and_brain_floats",
       "packed values: right\nbrain floats: right\nreductions and matches: right\nstandard library: right\n", true},
      {"copies",
       "pipeline of a thread: right\npipeline of a block: right\nproducers and consumers: right\n"
       "the first threads produce: right\nbarrier: right\ncopies of a block: right\ncopies of tiles: right\n",
       true},
      {"waiting", "by token: right\nby parity: right\nby roles: right\n", true},
      {"heap_and_pipeline", "new and delete: right\naddress spaces: right\npipeline: right\na larger heap: right\n"},
      {"cooperative",
       "the device can launch cooperatively: right\na cooperative launch: right\n"
       "a cooperative launch by its configuration: right\nlaunches by configuration: right\n"},
      {"mapped_memory",
       "device: right\nsum: right\nsum again: right\nregistered: right\nregistered again: right\n"
       "pointers in memory: right\natomics: right\ncopies: right\nkind of memory: right\n"},
      {"graphs",
       "captured: right\nagain: right\nforked and joined: right\nnode by node: right\nupdated: right\n"
       "memory of the graph: right\nin unified memory: right\n"},
      {"batches",
       "a batch of copies: right\na source that is read during the call: right\nwhat a batch must not be: right\n"
       "a batch with arrays: right\nfrom array to array: right\nbehind the end of an array: right\n"
       "a copy of nothing: right\nan array like any other: right\nthe device's pool: right\naccess to a pool: right\n"
       "numbers of the device: right\nadvice, and what is discarded: right\ntoo much to prefetch: right\n",
       false, 0},
      {"user_objects", "the graph's own memory: right\ndeleted once: right\n", false, 0},
      {"tensor_cores", "tensor cores: right\n"},
      {"textures", "right\n"},
      {"layered_textures", "right\n"},
      {"unified_memory",
       "steps: right\nlibrary functions on the host: right\nlist: right\natomics of host and device: right\nstructure: "
       "right\n"},
  };
  for (const Row& row : rows) {
    if (row.takes_long && !all) continue;
    const Outcome outcome = run(scratch, build_one(row.name));
    CAPTURE(row.name, outcome.errors);
    CHECK(outcome.output == row.output);
    CHECK(outcome.code == 0);
    CHECK(outcome.report.said_goodbye);
    CHECK(outcome.report.launch_count >= row.launches);
    CHECK(outcome.report.module_errors.empty());
    for (const Finding& finding : outcome.report.findings) {
      CAPTURE(finding.id, finding.message, finding.where.line);
      CHECK(finding.severity == cudalabs::Severity::advice);
    }
  }
}

void check_mapped_memory(const Scratch& scratch, const std::string& program) {
  struct Row {
    const char* id;
    const char* line;
    const char* other;  // null: another place is not looked at
    const char* output;
    const char* help;
  };
  const char* const kIllegal = "cudaErrorIllegalAddress\n";
  const char* const kDone = "cudaSuccess\n";
  const Row rows[] = {
      {"global-out-of-bounds", "to[i] = from[i]", nullptr, kIllegal, "the index"},
      {"global-out-of-bounds", "to[i] = from[i]", nullptr, kIllegal, "the index"},
      {"uninitialized-read", "to[i] = from[i]", nullptr, kDone, "on the host before the launch"},
      {"host-race", "// reads too early", nullptr, "8\ncudaSuccess\n", "cudaDeviceSynchronize"},
      {"host-race", "// writes too early", nullptr, kDone, "cudaDeviceSynchronize"},
      {"host-race", "// reads registered memory too early", nullptr, "2001\ncudaSuccess\n", "cudaDeviceSynchronize"},
      {"use-after-free", "to[i] = from[i]", "// freed", kIllegal, "`cudaFreeHost`"},
      {"use-after-free", "to[i] = from[i]", "// unregistered", kIllegal, "`cudaHostUnregister`"},
      {"global-race", "// every thread", nullptr, kDone, "blocks of one launch"},
      {"host-pointer-dereference", "to[i] = from[i]", nullptr, kIllegal, "page-locked"},
  };
  for (std::size_t i = 0; i < std::size(rows); ++i) {
    const Row& row = rows[i];
    const Outcome outcome = run(scratch, program + " " + std::to_string(i));
    CAPTURE(i, row.id, outcome.errors);
    CHECK(outcome.output == row.output);
    const Finding* const finding = find(outcome.report, row.id);
    REQUIRE(finding != nullptr);
    CHECK(finding->where.line == line_of("mapped_memory_errors", row.line));
    CHECK(finding->help.find(row.help) != std::string::npos);
    if (row.other != nullptr) {
      REQUIRE(finding->other);
      CHECK(finding->other->place.line == line_of("mapped_memory_errors", row.other));
    }
    for (const Finding& each : outcome.report.findings) CHECK(each.id == row.id);
  }
}

void check_graph_errors(const Scratch& scratch, const std::string& program) {
  struct Row {
    const char* id;
    const char* line;
    const char* other;  // null: another place is not looked at
    const char* output;
  };
  const char* const kIllegal = "cudaErrorIllegalAddress\n";
  const char* const kDone = "cudaSuccess\n";
  const Row rows[] = {{"stream-race", "// second branch", "// first branch", kDone},
                      {"stream-race", "// second node", "// first node", kDone},
                      {"use-after-free", "a[i] += 1", "// freed", kIllegal},
                      {"use-after-free", "a[i] += 1", "// freed by a node", kIllegal},
                      {"invalid-launch", "// too many threads", nullptr, "cudaErrorInvalidValue\n"},
                      {"uninitialized-read", "a[i] += 1", nullptr, kDone},
                      {"host-race", "// copied back", "// reads too early", kDone}};
  for (std::size_t i = 0; i < std::size(rows); ++i) {
    const Row& row = rows[i];
    const Outcome outcome = run(scratch, program + " " + std::to_string(i));
    CAPTURE(i, row.id, outcome.errors);
    CHECK(outcome.output == row.output);
    const Finding* const finding = find(outcome.report, row.id);
    REQUIRE(finding != nullptr);
    CHECK(finding->where.line == line_of("graph_errors", row.line));
    // What the call gives is what the finding says, which is not what a launch outside of a graph gives.
    if (finding->id == "invalid-launch") CHECK(finding->note.find("cudaErrorInvalidValue") != std::string::npos);
    if (row.other == nullptr) continue;
    REQUIRE(finding->other);
    CHECK(finding->other->place.line == line_of("graph_errors", row.other));
  }
}

void check_texture_errors(const Scratch& scratch, const std::string& program) {
  struct Row {
    const char* id;
    const char* line;
    const char* output;
  };
  const char* const kIllegal = "cudaErrorIllegalAddress\n";
  const char* const kDone = "cudaSuccess\n";
  const Row rows[] = {{"global-out-of-bounds", "// outside", kIllegal},
                      {"global-race", "// races", kDone},
                      {"uninitialized-read", "// texel", kDone},
                      {"use-after-free", "// texel", kIllegal},
                      {"null-pointer-dereference", "// texel", kIllegal},
                      {"misaligned-access", "// between", "cudaErrorMisalignedAddress\n"}};
  for (std::size_t i = 0; i < std::size(rows); ++i) {
    const Outcome outcome = run(scratch, program + " " + std::to_string(i));
    CAPTURE(i, rows[i].id, outcome.errors);
    CHECK(outcome.output == rows[i].output);
    const Finding* const finding = find(outcome.report, rows[i].id);
    REQUIRE(finding != nullptr);
    CHECK(finding->where.line == line_of("texture_errors", rows[i].line));
  }
}

void check_erroneous_programs(const Scratch& scratch, const std::function<std::string(const std::string&)>& build_one) {
  const Outcome errors = run(scratch, build_one("errors"));
  CAPTURE(errors.errors);
  CHECK(errors.output ==
        "cudaErrorInvalidConfiguration\ncudaSuccess\ncudaErrorIllegalAddress\ncudaErrorIllegalAddress\n"
        "cudaErrorIllegalAddress\ncudaErrorIllegalAddress\n");
  CHECK(errors.code == 1);  // the program ended well, the findings say otherwise
  const Finding* refused = find(errors.report, "invalid-launch");
  REQUIRE(refused != nullptr);
  CHECK(refused->where.line == line_of("errors", "// refused"));
  CHECK(fs::path(refused->where.file).filename() == "errors.cu");
  const Finding* out_of_bounds = find(errors.report, "global-out-of-bounds");
  REQUIRE(out_of_bounds != nullptr);
  CHECK(out_of_bounds->where.line == line_of("errors", "to[index]"));
  CHECK(out_of_bounds->kernel == "store");
  CHECK(errors.errors.find("error[invalid-launch]: launch of `store` refused") != std::string::npos);
  CHECK(find(errors.report, "memory-leak") == nullptr);
  CHECK(find(errors.report, "unchecked-launch") == nullptr);

  const Outcome small = run(scratch, build_one("small_allocation"));
  CAPTURE(small.errors);
  CHECK(small.output == "cudaErrorIllegalAddress\n");
  std::set<std::pair<std::uint32_t, std::uint32_t>> places;
  for (const Finding& finding : small.report.findings)
    if (finding.id == "global-out-of-bounds" && finding.other)
      places.emplace(finding.where.line, finding.other->place.line);
  const auto in_small = [](const std::string& text) { return line_of("small_allocation", text); };
  CHECK(places == std::set{std::pair(in_small("cudaMalloc(&guarded"), in_small("guarded[i] = i")),
                           std::pair(in_small("bare[i] = i"), in_small("cudaMalloc(&bare"))});

  const Outcome lonely = run(scratch, build_one("not_cooperative"));
  CAPTURE(lonely.errors);
  CHECK(lonely.output ==
        "cudaErrorCooperativeLaunchTooLarge\ncudaErrorNotSupported\ncudaErrorInvalidValue\ncudaErrorLaunchFailure\n");
  const auto found_at = [&](const std::string& id, const std::string& message, const std::string& line) {
    const std::uint32_t expected = line_of("not_cooperative", line);
    return std::any_of(lonely.report.findings.begin(), lonely.report.findings.end(), [&](const Finding& finding) {
      return finding.id == id && finding.message.find(message) != std::string::npos && finding.where.line == expected;
    });
  };
  CHECK(found_at("global-race", "races with a write", "// races"));
  CHECK(found_at("invalid-launch", "1048576 blocks; at most", "// too large"));
  CHECK(found_at("unsupported-call", "a launch in clusters of blocks by `cudaLaunchKernelExC`", "// in clusters"));
  CHECK(found_at("invalid-launch", "`waits` synchronises its grid", "// not a cooperative launch"));

  const Outcome unsupported = run(scratch, build_one("unsupported"));
  CAPTURE(unsupported.errors);
  std::string expected = "nothing is captured: right\n";
  for (int i = 0; i < 5; ++i) expected += "cudaErrorNotSupported\n";
  CHECK(unsupported.output == expected);
  struct Replaced {
    const char* name;
    const char* line;
    const char* help;
  };
  const Replaced replaced[] = {
      {"cudaGraphAddExternalSemaphoresSignalNode", "// semaphores", "without external semaphores"},
      {"cudaDestroyExternalMemory", "// external memory", "within this program"},
      {"cudaMallocArray", "// array", "`cudaMallocPitch`"},
      {"cudaCreateTextureObject", "// texture", "`cudaMallocPitch`"},
      {"cudaIpcGetMemHandle", "// another process", "the virtual GPU serves one process"}};
  for (const Replaced& each : replaced) {
    CAPTURE(each.name);
    const auto found = std::find_if(
        unsupported.report.findings.begin(), unsupported.report.findings.end(), [&](const Finding& finding) {
          return finding.message == "`" + std::string(each.name) + "` is not supported here";
        });
    REQUIRE(found != unsupported.report.findings.end());
    CHECK(found->id == "unsupported-call");
    CHECK(found->where.line == line_of("unsupported", each.line));
    CHECK(found->help.find(each.help) != std::string::npos);
  }

  const Outcome unified = run(scratch, build_one("unified_memory_errors"));
  CAPTURE(unified.errors);
  const auto is_at = [&](const std::string& id, const std::string& line) {
    const std::uint32_t expected_line = line_of("unified_memory_errors", line);
    return std::any_of(unified.report.findings.begin(), unified.report.findings.end(),
                       [&](const Finding& finding) { return finding.id == id && finding.where.line == expected_line; });
  };
  CHECK(is_at("host-race", "// reads too early"));
  CHECK(is_at("host-race", "// as does the library"));
  CHECK(is_at("host-race", "// writes too early"));
  CHECK(is_at("uninitialized-read", "// never written"));
  CHECK(is_at("memory-leak", "// never freed"));
  CHECK(unified.report.findings.size() == 5);

  check_mapped_memory(scratch, build_one("mapped_memory_errors"));
  check_texture_errors(scratch, build_one("texture_errors"));
  check_graph_errors(scratch, build_one("graph_errors"));

  const Outcome early = run(scratch, build_one("asynchronous"));
  CAPTURE(early.errors);
  CHECK(early.output == "not there before the wait: right\nthere after the wait: right\ntime: right\n");
  CHECK(early.report.said_goodbye);
  REQUIRE(early.report.findings.size() == 1);
  CHECK(early.report.findings[0].id == "host-race");
  CHECK(early.report.findings[0].where.line == line_of("asynchronous", "// comes later"));
  REQUIRE(early.report.findings[0].other);
  CHECK(early.report.findings[0].other->place.line == line_of("asynchronous", "// reads too early"));

  const Outcome careless = run(scratch, build_one("careless"));
  CAPTURE(careless.errors);
  CHECK(careless.output.empty());
  const Finding* leak = find(careless.report, "memory-leak");
  REQUIRE(leak != nullptr);
  CHECK(leak->where.line == line_of("careless", "// never freed"));
  const Finding* unchecked = find(careless.report, "unchecked-launch");
  REQUIRE(unchecked != nullptr);
  CHECK(unchecked->where.line == line_of("careless", "// never looked at"));
}

}  // namespace

TEST_CASE("programs built by clang run as on a GPU") {
  std::istringstream versions(CUDALABS_CLANG_VERSIONS);
  for (std::string version; versions >> version;) {
    for (const bool checked : {true, false}) {
      CAPTURE(version, checked);
      const Scratch scratch;
      const auto build_one = [&](const std::string& name) { return build(scratch, name, {version, checked}, false); };
      check_correct_programs(scratch, build_one);
      check_erroneous_programs(scratch, build_one);
    }
  }
}

TEST_CASE("in the checked build a copy that nobody has waited for has not come") {
  std::istringstream versions(CUDALABS_CLANG_VERSIONS);
  for (std::string version; versions >> version;) {
    CAPTURE(version);
    const Scratch scratch;
    const Outcome outcome = run(scratch, build(scratch, "early_reader", {version, true}));
    const Finding* early = find(outcome.report, "uninitialized-read");
    REQUIRE(early != nullptr);
    CHECK(early->where.line == line_of("early_reader", "// too early"));
  }
}

TEST_CASE("clang moves no access of shared memory over an operation that threads meet in") {
  struct Row {
    const char* kernel;
    const char* operation;
  };
  const Row rows[] = {{"of_syncthreads", "bar.sync"},
                      {"of_syncthreads_count", "bar.red.popc"},
                      {"of_syncthreads_and", "bar.red.and"},
                      {"of_syncthreads_or", "bar.red.or"},
                      {"of_block", "bar.sync"},
                      {"of_cg_sync", "bar.sync"},
                      {"of_syncwarp", "bar.warp.sync"},
                      {"of_tile", "bar.warp.sync"},
                      {"of_coalesced", "bar.warp.sync"},
                      {"of_shfl", "shfl.sync.idx"},
                      {"of_shfl_up", "shfl.sync.up"},
                      {"of_shfl_down", "shfl.sync.down"},
                      {"of_shfl_xor", "shfl.sync.bfly"},
                      {"of_all", "vote.sync.all"},
                      {"of_any", "vote.sync.any"},
                      {"of_uni", "vote.sync.uni"},
                      {"of_ballot", "vote.sync.ballot"},
                      {"of_match_any", "match.any.sync"},
                      {"of_match_all", "match.all.sync"},
                      {"of_threadfence", "membar.gl"},
                      {"of_threadfence_block", "membar.cta"},
                      {"of_threadfence_system", "membar.sys"},
                      {"of_atomic_add", "atom."},
                      {"of_atomic_add_block", "atom."},
                      {"of_atomic_add_double", "atom."},
                      {"of_atomic_inc", "atom."},
                      {"of_atomic_max", "atom."},
                      {"of_atomic_exchange", "atom."},
                      {"of_atomic_cas", "atom."},
                      {"of_pipeline", "inline asm"}};
  std::istringstream versions(CUDALABS_CLANG_VERSIONS);
  for (std::string version; versions >> version;) {
    for (const std::string level : {"-O0", "-O1", "-O2", "-O3", "checked"}) {
      CAPTURE(version, level);
      const Scratch scratch;
      const std::string program = build(scratch, "ordering", {version, level == "checked", level});
      const Outcome outcome = run(scratch, program);
      CHECK(outcome.output == "order: right\n");
      for (const Finding& finding : outcome.report.findings) {
        CAPTURE(finding.id, finding.message, finding.where.line);
        CHECK(finding.severity == cudalabs::Severity::advice);
      }
      if (level == "checked" || level == "-O0") continue;  // names no space: every access is where the program has it
      const std::string ptx = contents(program + ".ptx");
      for (const Row& row : rows) {
        CAPTURE(row.kernel);
        check_order(kernel_text(ptx, row.kernel), row.operation);
      }
    }
  }
}

TEST_CASE("programs built by nvcc run as on a GPU", "[.nvcc]") {
  // As the grader compiles, see grader/build/recipe.cpp.
  const std::string fast = "-O3 -lineinfo";
  const std::string checked = "--device-debug -I " + cudalabs::source_path("grader/vgpu/cudart/include/nvcc_checked");
  for (const std::string& flags : {fast, checked}) {
    CAPTURE(flags);
    const Scratch scratch;
    const auto build_one = [&](const std::string& name) { return build_with_nvcc(scratch, name, flags); };
    check_correct_programs(scratch, build_one, flags == checked);
    check_erroneous_programs(scratch, build_one);
    const Outcome managed = run(scratch, build_one("managed_variables"));
    CAPTURE(managed.errors);
    CHECK(managed.output ==
          "values: right\narray: right\nby address: right\nby symbol: right\nkind of memory: right\n");
    CHECK(managed.code == 0);
    CHECK(managed.report.findings.empty());
  }
}

TEST_CASE("vgpu run passes exit codes on and explains itself") {
  const Scratch scratch;
  const Outcome plain = run(scratch, "sh -c 'echo out; exit 7'");
  CHECK(plain.code == 7);
  CHECK(plain.output == "out\n");
  CHECK(plain.errors.find("made no CUDA call") != std::string::npos);
  const Outcome killed = run(scratch, "sh -c 'kill -9 $$'");
  CHECK(killed.code == 137);
  CHECK(std::system((cudalabs::build_path("grader/sanitizer/vgpu") + " run " + scratch.file("nobody") + " 2> " +
                     scratch.file("err"))
                        .c_str()) != 0);
  CHECK(contents(scratch.file("err")).find("No such file") != std::string::npos);
  CHECK(std::system((cudalabs::build_path("grader/sanitizer/vgpu") + " models > " + scratch.file("out")).c_str()) == 0);
  CHECK(contents(scratch.file("out")).find("NVIDIA T4") != std::string::npos);
}
