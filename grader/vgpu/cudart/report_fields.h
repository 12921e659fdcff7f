// The members of a ServerReport's JSON, said once for who writes it and for who reads it.
//
// `fields(field, part)` calls `field(key, member)` for each member of a part of the report. A writer takes the members
// as constants, a reader fills them. What a struct of one of its members looks like is that member's own `fields`.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>

#include "vgpu/cudart/server_report.h"

namespace cudalabs::vgpu::report {

/// `Part`, perhaps constant.
template <class Part, class Of>
concept Some = std::same_as<std::remove_const_t<Part>, Of>;

/// The texts of an enumeration's values, in their order, and what one of them is. Some values may have none.
template <class Enum>
struct Texts;

template <>
struct Texts<Severity> {
  static constexpr std::array of{"error", "warning", "advice"};
  static constexpr const char* what = "a severity";
};

template <>
struct Texts<AccessKind> {
  static constexpr std::array of{"load", "store", "atomic"};
  static constexpr const char* what = "a kind of access";
};

template <>
struct Texts<PointerKind> {
  static constexpr std::array of{"unsaid", "null", "host", "device", "stray"};
  static constexpr const char* what = "a kind of pointer";
};

template <>
struct Texts<MemorySpace> {
  static constexpr std::array of{"global", "shared"};
  static constexpr const char* what = "global or shared memory";
};

template <>
struct Texts<OriginKind> {
  static constexpr std::array of{"half", "integer",   "loop_end",     "loop",      "early_exit", "halving",
                                 "fill", "fill_read", "partial_fill", "own_array", "block_read"};
  static constexpr const char* what = "a kind of origin";
};

template <>
struct Texts<PlaceRole> {
  static constexpr std::array of{"unsaid",      "allocation", "access",    "launch",     "copy_to_host",
                                 "reading",     "call",       "barrier",   "freeing",    "destroying",
                                 "late_launch", "setting",    "condition", "second_call"};
  static constexpr const char* what = "what another place is";
};

template <>
struct Texts<Advice> {
  static constexpr std::array of{"unsaid",
                                 "look_at_conditions",
                                 "look_at_conditions_and_sizes",
                                 "guard_and_sizes",
                                 "align_arrays",
                                 "write_before_read",
                                 "compare_writes",
                                 "block_barrier",
                                 "warp_barrier",
                                 "either_barrier",
                                 "another_barrier",
                                 "atomic_or_barrier",
                                 "take_out_return",
                                 "which_work",
                                 "free_each",
                                 "check_grid_division"};
  static constexpr const char* what = "an advice of the device's";
};

template <>
struct Texts<MissedBarrier> {
  static constexpr std::array of{"unsaid", "exited", "waits_elsewhere"};
  static constexpr const char* what = "how threads miss a barrier";
};

void fields(auto& field, Some<SourcePlace> auto& place) {
  field("file", place.file);
  field("line", place.line);
  field("column", place.column);
}

void fields(auto& field, Some<OtherPlace> auto& other) {
  field("label", other.label);
  field("place", other.place);
  field("block", other.block);
  field("thread", other.thread);
  field("role", other.role);
  field("name", other.name);
}

void fields(auto& field, Some<AccessFacts> auto& access) {
  field("array", access.array);
  field("shared_array", access.shared_array);
  field("begin", access.begin);
  field("element", access.element);
  field("what", access.what);
  field("bytes", access.bytes);
  field("only_reads", access.only_reads);
  field("by_host", access.by_host);
  field("past_end_of", access.past_end_of);
  field("allocated", access.allocated);
  field("kept", access.kept);
  field("written", access.written);
  field("read_to", access.read_to);
  field("row", access.row);
  field("row_elements", access.row_elements);
  field("element_bytes", access.element_bytes);
}

void fields(auto& field, Some<GivenArgument> auto& given) {
  field("number", given.number);
  field("value", given.value);
  field("pointer", given.pointer);
}

void fields(auto& field, Some<LaunchFacts> auto& launch) {
  field("number", launch.number);
  field("where", launch.where);
  field("pointer", launch.pointer);
  field("other_pointer", launch.other_pointer);
  field("argument", launch.argument);
  field("given", launch.given);
  field("refused_grid", launch.refused_grid);
}

void fields(auto& field, Some<BarrierLines> auto& barrier) {
  field("condition", barrier.condition);
  field("after", barrier.after);
  field("before", barrier.before);
  field("next_round", barrier.next_round);
  field("guarded", barrier.guarded);
}

void fields(auto& field, Some<Finding> auto& finding) {
  field("id", finding.id);
  field("severity", finding.severity);
  field("message", finding.message);
  field("where", finding.where);
  field("kernel", finding.kernel);
  field("block", finding.block);
  field("thread", finding.thread);
  field("address", finding.address);
  field("count", finding.count);
  field("note", finding.note);
  field("help", finding.help.words());
  field("advice", finding.help.advice);
  field("other", finding.other);
  field("cause", finding.cause);
  field("called_from", finding.called_from);
  field("other_called_from", finding.other_called_from);
  field("access", finding.access);
  field("launch", finding.launch);
  field("barrier", finding.barrier);
  field("missed_barrier", finding.missed_barrier);
  field("failed_call", finding.failed_call);
  field("wrong_pointer", finding.wrong_pointer);
  field("last_of_call", finding.last_of_call);
}

void fields(auto& field, Some<FindingOrigin> auto& origin) {
  field("finding", origin.finding);
  field("address", origin.origin.address);
  field("outer", origin.origin.outer);
  field("of_other", origin.of_other);
  field("of_launch", origin.of_launch);
  field("of_cause", origin.of_cause);
}

void fields(auto& field, Some<LaunchCounters> auto& launch) {
  field("kernel", launch.kernel);
  field("grid", launch.config.grid);
  field("block", launch.config.block);
  field("shared", launch.config.dynamic_shared_bytes);
  field("executed_blocks", launch.executed_blocks);
  field("complete", launch.complete);
  field("slow_blocks_stopped", launch.slow_blocks_stopped);
  field("registers", launch.registers);
  field("shared_bytes", launch.shared_bytes);
  field("values", launch.values);
}

void fields(auto& field, Some<BranchSide> auto& side) {
  field("to", side.to);
  field("threads", side.threads);
}

void fields(auto& field, Some<BranchCount> auto& branch) {
  field("where", branch.where);
  field("next", branch.next);
  field("other", branch.other);
}

void fields(auto& field, Some<AccessSample> auto& access) {
  field("kernel", access.kernel);
  field("where", access.where);
  field("kind", access.kind);
  field("space", access.space);
  field("bytes", access.bytes);
  field("block", access.block);
  field("warp", access.warp);
  field("active", access.active);
  field("present", access.present);
  field("address", access.address);
  field("region", access.region);
  field("region_bytes", access.region_bytes);
  field("name", access.name);
}

void fields(auto& field, Some<OriginPlace> auto& origin) {
  field("kind", origin.kind);
  field("where", origin.where);
  field("array", origin.array);
}

void fields(auto& field, Some<ArrayWriter> auto& writer) {
  field("array", writer.array);
  field("kernel", writer.kernel);
  field("where", writer.where);
  field("origins", writer.origins);
}

void fields(auto& field, Some<StoreExtent> auto& extent) {
  field("array", extent.array);
  field("kernel", extent.kernel);
  field("where", extent.where);
  field("launch", extent.launch);
  field("threads", extent.threads);
  field("stores", extent.stores);
  field("first", extent.first);
  field("end", extent.end);
}

void fields(auto& field, Some<LaunchCall> auto& call) {
  field("kernel", call.kernel);
  field("address", call.origin.address);
  field("outer", call.origin.outer);
  field("first_address", call.first.address);
  field("first_outer", call.first.outer);
}

void fields(auto& field, Some<HostCopy> auto& copy) {
  field("name", copy.name);
  field("address", copy.origin.address);
  field("outer", copy.origin.outer);
  field("calls", copy.calls);
  field("bytes", copy.bytes);
  field("unwritten", copy.unwritten);
  field("elsewhere", copy.elsewhere);
  field("writers", copy.writers);
  field("extents", copy.extents);
}

void fields(auto& field, Some<HostWrite> auto& write) {
  field("array", write.array);
  field("name", write.name);
  field("address", write.origin.address);
  field("outer", write.origin.outer);
}

void fields(auto& field, Some<ByteRange> auto& range) {
  field("begin", range.begin);
  field("end", range.end);
}

void fields(auto& field, Some<OutputGaps> auto& gaps) {
  field("name", gaps.name);
  field("unwritten", gaps.unwritten);
}

void fields(auto& field, Some<Overreach> auto& overreach) {
  field("address", overreach.call.address);
  field("outer", overreach.call.outer);
  field("allocation", overreach.allocation.address);
  field("allocation_outer", overreach.allocation.outer);
  field("writes", overreach.writes);
  field("offset", overreach.offset);
  field("bytes", overreach.bytes);
  field("rows", overreach.rows);
  field("allocated", overreach.allocated);
  field("kept", overreach.kept);
}

void fields(auto& field, Some<RefusedPointers> auto& refused) {
  field("address", refused.call.address);
  field("outer", refused.call.outer);
  field("first", refused.pointers.first);
  field("second", refused.pointers.second);
  field("direction", refused.pointers.direction);
}

void fields(auto& field, Some<KeptValue> auto& kept) {
  field("name", kept.variable.name);
  field("number", kept.variable.number);
  field("kernel", kept.variable.kernel);
  field("value", kept.variable.value);
  field("at_first", kept.variable.at_first);
  field("address", kept.launch.address);
  field("outer", kept.launch.outer);
}

void fields(auto& field, Some<BarrierUsage::Site> auto& site) {
  field("kernel", site.kernel);
  field("where", site.where);
  field("executed", site.executed);
  field("judged", site.judged);
}

void fields(auto& field, Some<BarrierUsage> auto& barriers) {
  field("sites", barriers.sites);
  field("needs", barriers.needs);
}

void fields(auto& field, Some<ApiCall> auto& call) {
  field("name", call.name);
  field("stream", call.stream);
  field("origin", call.origin);
  field("status", call.status);
  field("dropped", call.dropped);
  field("waits", call.waits);
  field("encloses", call.encloses);
  field("after_clock", call.after_clock);
  field("outer", call.outer);
  field("event", call.event);
  field("second_event", call.second_event);
  field("begins_before", call.begins_before);
  field("ends_after", call.ends_after);
  field("without_time", call.without_time);
  field("times", call.times);
  field("first_of_function", call.first_of_function);
}

/// All but the version.
void fields(auto& field, Some<ServerReport> auto& report) {
  field("model", report.model);
  field("findings", report.findings);
  field("origins", report.origins);
  field("launches", report.launches);
  field("launch_count", report.launch_count);
  field("asked_launches", report.asked_launches);
  field("coverage", report.coverage);
  field("branches", report.branches);
  field("accesses", report.accesses);
  field("writers", report.writers);
  field("idle_stores", report.idle_stores);
  field("extents", report.extents);
  field("host_copies", report.host_copies);
  field("early_copies", report.early_copies);
  field("host_writes", report.host_writes);
  field("has_managed", report.has_managed);
  field("gaps", report.gaps);
  field("launch_calls", report.launch_calls);
  field("on_device", report.on_device);
  field("overreaches", report.overreaches);
  field("refused_pointers", report.refused_pointers);
  field("kept_values", report.kept_values);
  field("barriers", report.barriers);
  field("kernel_seconds", report.kernel_seconds);
  field("launch_seconds", report.launch_seconds);
  field("calls", report.calls);
  field("call_count", report.call_count);
  field("module_errors", report.module_errors);
  field("not_executed", report.not_executed);
  field("optimised", report.optimised);
  field("wide_accesses", report.wide_accesses);
  field("context_error", report.context_error);
  field("said_goodbye", report.said_goodbye);
  field("interrupted", report.interrupted);
  field("protocol_error", report.protocol_error);
  field("exhausted", report.exhausted);
  field("internal_error", report.internal_error);
}

}  // namespace cudalabs::vgpu::report
