// How much is tried: the programs of students launch a kernel or two, whose mutations number some hundreds. On the
// small inputs that they are tried on, most of a mutant's time goes into a fresh virtual GPU and the module's tables.
#include "vgpu/cudart/server/run_mutants.h"

#include <malloc.h>

#include <algorithm>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "vgpu/cudart/server/launch_changes.h"
#include "vgpu/cudart/server/recording_channel.h"
#include "vgpu/cudart/server/transfer_desk.h"
#include "vgpu/exec/program.h"
#include "vgpu/loaded_module.h"
#include "vgpu/mutation/mutation.h"

namespace cudalabs::vgpu {
namespace {

constexpr std::size_t kMostMutations = 5000;  // that are looked at
constexpr std::uint32_t kMostMutants = 320;   // that are made
/// Warp instructions of all mutants together, if each takes as many as the program did; and of a block in a mutant: so
/// many times those of the whole program, and some more.
constexpr std::uint64_t kMostInstructions = 100'000'000, kTimesUsual = 4, kAnyway = 2'000;
/// Seconds of processor time after which no more are made: only programs that are made for it come to that.
constexpr double kMostSeconds = 5;

using Results = std::vector<std::vector<std::byte>>;

Results results_of(std::span<const Transfer> transfers) {
  Results results;
  for (const Transfer& transfer : transfers) {
    if (transfer.kind == Transfer::Kind::to_host) results.push_back(transfer.data);
  }
  return results;
}

SourcePlace place_of(const ptx::Location& location, const ptx::Module& module) {
  if (location.line == 0 || location.file >= module.files.size()) return {};
  return {module.files[location.file], location.line, location.column};
}

/// The module, in which kernels that were not launched do nothing: they take time all the same.
ptx::TypedModule module_of(const EndedSession& ended) {
  ptx::TypedModule parsed = parse_module(ended.device_code);
  for (ptx::Function& function : parsed.module.functions) {
    if (!function.is_entry ||
        std::ranges::find(ended.launches, function.name, &AskedLaunch::kernel) != ended.launches.end())
      continue;
    function.instructions.clear();
    function.labels.clear();
    function.branch_targets.clear();
  }
  return parsed;
}

/// Processor time of the process.
double seconds_used() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// A module with a mutation, until this goes.
class AppliedMutation {
 public:
  AppliedMutation(ptx::Module& module, const Mutation& mutation) : module_(module) {
    for (const InstructionChange& change : mutation.changes) {
      if (originals_.empty() || originals_.back().first != change.function)
        originals_.emplace_back(change.function, module.functions[change.function]);
    }
    apply(mutation, module);
  }
  ~AppliedMutation() {
    for (auto& [function, original] : originals_) module_.functions[function] = std::move(original);
  }
  AppliedMutation(const AppliedMutation&) = delete;
  AppliedMutation& operator=(const AppliedMutation&) = delete;

 private:
  ptx::Module& module_;
  std::vector<std::pair<std::uint32_t, ptx::Function>> originals_;
};

class Mutants {
 public:
  Mutants(const EndedSession& ended, const MutantOrder& order) : ended_(ended), order_(order) {}

  MutantLog run() {
    if (ended_.device_code.empty()) return {};
    parsed_ = module_of(ended_);
    usual_ = results_of(ended_.transfers);
    log_.complete = true;
    if (order_.reads) {
      run_unchanged();
      return std::move(log_);
    }
    if (order_.checks) run_unchanged();
    if (!order_.inputs.empty()) {
      run_inputs();
      return std::move(log_);
    }
    if (order_.launches != MutantOrder::Launches::none) run_launches();
    run_mutations();
    return std::move(log_);
  }

 private:
  bool is_wanted(std::uint32_t number) const {
    return order_.numbers.empty() || std::ranges::find(order_.numbers, number) != order_.numbers.end();
  }
  bool goes_on() {
    if (seconds_used() - begin_ > kMostSeconds) log_.complete = false;
    const std::uint64_t usual = std::max<std::uint64_t>(ended_.warp_instructions, 1);
    return log_.complete && log_.made < std::min<std::uint64_t>(kMostMutants, kMostInstructions / usual);
  }

  /// Of one that was asked for by its number it is known what it comes to here: what the program did.
  void count_unchanged() {
    if (!order_.numbers.empty()) ++log_.made;
  }

  bool was_executed(const SourcePlace& place) const {
    const auto file = ended_.coverage.find(place.file);
    if (file == ended_.coverage.end()) return false;
    const auto line = file->second.find(place.line);
    return line != file->second.end() && line->second > 0;
  }

  void run_inputs() {
    for (const Replacements::Array& input : order_.inputs) {
      if (!goes_on()) {
        log_.complete = false;
        return;
      }
      Mutant mutant;
      mutant.number = log_.made;
      mutant.change = Mutant::Change::input;
      Replacements replacements;
      replacements.arrays = {input};
      make(std::move(mutant), std::nullopt, replacements);
    }
  }

  void run_launches() {
    for (LaunchMutant& each : launch_changes(ended_.launches, parsed_.module)) {
      if (!goes_on()) return;
      const bool is_argument = each.mutant.change == Mutant::Change::argument;
      const bool is_kind = order_.launches == MutantOrder::Launches::all ||
                           is_argument == (order_.launches == MutantOrder::Launches::arguments);
      if (!is_kind || !is_wanted(each.mutant.number)) continue;
      if (each.changes) {
        make(std::move(each.mutant), std::move(each.change));
      } else {
        count_unchanged();
      }
    }
  }

  void run_mutations() {
    const ptx::Module& module = parsed_.module;  // changed and put back
    const auto in_file = [&](const ptx::Location& location) {
      return location.file < module.files.size() && module.files[location.file].ends_with(order_.file);
    };
    std::uint32_t number = 0;
    for (const Mutation& mutation : mutations_of(module, in_file, kMostMutations)) {
      const std::uint32_t own_number = number++;
      if (!goes_on()) return;
      Mutant mutant = described(mutation);
      mutant.number = own_number;
      const bool is_kind = mutation.kind >= order_.first && mutation.kind <= order_.last;
      if (!is_kind || !is_wanted(own_number)) continue;
      if (!was_executed(mutant.where)) {
        count_unchanged();
        continue;
      }
      const AppliedMutation applied(parsed_.module, mutation);
      make(std::move(mutant), std::nullopt);
    }
  }

  Mutant described(const Mutation& mutation) const {
    const ptx::Module& module = parsed_.module;
    const InstructionChange& first = mutation.changes.front();
    const ptx::Function& function = module.functions[first.function];
    Mutant mutant;
    mutant.kind = mutation.kind;
    mutant.original = mutation.original;
    mutant.replacement = mutation.replacement;
    mutant.original_parameter = mutation.original_parameter;
    mutant.replacement_parameter = mutation.replacement_parameter;
    mutant.original_place = place_of(mutation.original_place, module);
    mutant.replacement_place = place_of(mutation.replacement_place, module);
    mutant.kernel = display_name(function.name);
    mutant.where = place_of(function.instructions[first.instruction].location, module);
    return mutant;
  }

  VirtualGpuOptions options() const {
    VirtualGpuOptions options = ended_.gpu;
    options.workers = 1;
    options.check_races = options.check_initialized = options.count = order_.checks;
    options.count_accesses = options.record_accesses = false;
    options.record_work = order_.checks;
    options.record_reads = order_.reads;
    options.instruction_limit = kTimesUsual * ended_.warp_instructions + kAnyway;
    options.first_module = &parsed_;
    return options;
  }

  void serve_on(VirtualGpu& gpu, TransferDesk& transfers, std::optional<LaunchChange> change) const {
    RepeatingChannel channel(ended_.said);
    SessionLimits limits = ended_.limits;
    limits.device_thread = ended_.held_copies;
    Session session(channel, gpu, ended_.gpu.model, limits, {}, &transfers);
    if (change) session.change_launch(*std::move(change));
    session.serve();
  }

  /// What mutants are compared with, and what was asked of the program as it is.
  void run_unchanged() {
    VirtualGpu gpu(options());
    const Replacements none;
    TransferDesk transfers(none);
    serve_on(gpu, transfers, std::nullopt);
    usual_work_ = gpu.thread_work();
    log_.reads = gpu.input_reads();
  }

  /// With the module as it is.
  void make(Mutant mutant, std::optional<LaunchChange> change, const Replacements& replacements = {}) {
    VirtualGpu gpu(options());
    TransferDesk transfers(replacements);
    serve_on(gpu, transfers, std::move(change));
    if (order_.checks) {
      const auto is_error = [](const Finding& finding) { return finding.severity == Severity::error; };
      mutant.clean = std::ranges::none_of(gpu.findings(), is_error);
      mutant.warp_instructions = warp_instructions(gpu.launches());
      mutant.lost = lost_work(usual_work_, gpu.thread_work());
    }
    keep(std::move(mutant), results_of(transfers.log().transfers));
  }

  void keep(Mutant mutant, Results results) {
    ++log_.made;
    if (mutant.change != Mutant::Change::input && (results.empty() || results == usual_)) return;
    for (const std::vector<std::byte>& result : results) bytes_ += result.size();
    log_.complete = bytes_ <= MutantLog::kMostBytes;
    if (!log_.complete) return;
    mutant.results = std::move(results);
    log_.mutants.push_back(std::move(mutant));
  }

  const EndedSession& ended_;
  const MutantOrder& order_;
  ptx::TypedModule parsed_;
  Results usual_;
  std::vector<ThreadWork> usual_work_;  // where mutants are checked
  std::size_t bytes_ = 0;
  const double begin_ = seconds_used();
  MutantLog log_;
};

}  // namespace

MutantLog run_mutants(const EndedSession& ended, const MutantOrder& order) {
  // What one mutant frees the next one takes: the system need not clear it each time.
  ::mallopt(M_TRIM_THRESHOLD, 256 << 20);
  ::mallopt(M_MMAP_THRESHOLD, 64 << 20);
  return Mutants(ended, order).run();
}

}  // namespace cudalabs::vgpu
