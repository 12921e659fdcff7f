// The session's allocations: made, freed, left behind.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "vgpu/check/finding_ids.h"
#include "vgpu/cudart/server/session_types.h"

namespace cudalabs::vgpu {
namespace {

/// Which of the allocations of one call was not freed, and where the others were, if that is one call.
void name_sisters(HostFinding& leak, const AddressMap::Block& leaked,
                  const std::vector<const FreedAllocations::Freed*>& sisters) {
  const auto is_before = [&](const auto* freed) { return freed->block.number < leaked.number; };
  const auto before = static_cast<std::size_t>(std::ranges::count_if(sisters, is_before));
  const std::size_t all = sisters.size() + 1;
  const std::string which = before == 0         ? "the first"
                            : before + 1 == all ? "the last"
                                                : fmt::format("number {}", before + 1);
  leak.finding.note = fmt::format("it is {} of the {} allocations made here{}", which, all,
                                  leaked.function_call == 0 ? "" : " in this call of the function");
  leak.finding.last_of_call = before + 1 == all;
  const CallOrigin& freed_by = sisters.front()->freed_by;
  const bool by_one = std::ranges::all_of(sisters, [&](const auto* freed) { return freed->freed_by == freed_by; });
  if (!by_one || freed_by.address == 0) return;
  leak.finding.other = OtherPlace{sisters.size() == 1 ? "the other one is freed here" : "the others are freed here",
                                  {},
                                  {},
                                  {},
                                  PlaceRole::freeing};
  leak.other = freed_by;
}

}  // namespace

void Session::allocate(Request& request) {
  const auto [bytes, alignment, handle, ordered, mode, reserved] = request.as<wire::Allocate>();
  request.stream = handle;
  constexpr std::uint64_t kLeastPage = 4096, kLargestPage = 64 << 10;
  const bool managed = alignment != 0;
  if (managed && (!std::has_single_bit(alignment) || alignment < kLeastPage || alignment > kLargestPage))
    throw ProtocolViolation{fmt::format("pages of {} bytes", alignment)};
  if (mode > wire::Allocate::kReserved || (mode != wire::Allocate::kAnywhere && managed))
    throw ProtocolViolation{"an allocation of no kind"};
  if (bytes == 0) return reply(request, cudaErrorInvalidValue);
  const auto stream = stream_of(handle);
  if (!stream) return reply(request, cudaErrorInvalidResourceHandle);
  drain();
  if (told_error_ != cudaSuccess) return reply(request, told_error_);
  // What has its address was asked for before.
  const bool is_reserved = mode == wire::Allocate::kReserved;
  if (!is_reserved && failing_calls_.fails_allocation()) return reply(request, cudaErrorMemoryAllocation);
  if (addresses_.blocks().size() >= limits_.allocations || bytes > gpu_.free_bytes())
    return reply(request, cudaErrorMemoryAllocation);
  const DeviceAddress address = is_reserved ? gpu_.allocate_again(reserved, bytes, request.header.origin)
                                            : gpu_.allocate(bytes, request.header.origin, alignment);
  if (address == 0) return reply(request, cudaErrorMemoryAllocation);
  if (mode == wire::Allocate::kReserve) {
    gpu_.free(address, request.header.origin);
    return reply(request, cudaSuccess, wire::Address{address});
  }
  AddressMap::Block block{bytes, request.origin(), std::nullopt, managed};
  block.of_graph = is_reserved;
  block.launches_before = launch_count_;
  block.function_call = taken_back_ ? 0 : function_calls_;
  block.number = ++allocation_count_;
  addresses_.add(address, block);
  has_managed_ = has_managed_ || managed;
  // Another stream may use it once it comes after the allocation.
  if (ordered != 0) watch(request, *stream, order_.issue(*stream), TouchedBytes{{}, {{address, address + bytes}}, {}});
  reply(request, cudaSuccess, wire::Address{address});
}

void Session::release(Request& request) {
  const auto address = request.as<wire::Address>().address;
  if (must_ask_again([&] { return order_.reach_all(); })) return;
  drain();  // as cudaFree does: work that uses the memory ends first
  promise(order_.reach_all());
  if (told_error_ != cudaSuccess) return reply(request, told_error_);
  reply(request, free_now(request, address));
}

/// In the order of a stream: for the program nothing has ended.
void Session::release_later(Request& request) {
  const auto [address, handle] = request.as<wire::Release>();
  request.stream = handle;
  const auto stream = stream_of(handle);
  if (!stream) return reply(request, cudaErrorInvalidResourceHandle);
  if (is_held(*stream) && addresses_.allocation(address) != nullptr)
    return release_after_wait(request, *stream, address);
  drain();
  if (told_error_ != cudaSuccess) return reply(request, told_error_);
  if (const auto* block = addresses_.allocation(address)) {
    const std::uint64_t number = order_.issue(*stream);
    watch(request, *stream, number, TouchedBytes{{}, {{address, address + block->bytes}}, {}});
  }
  reply(request, free_now(request, address));
}

/// Work that waits still uses the memory.
void Session::release_after_wait(const Request& request, StreamId stream, std::uint64_t address) {
  const std::uint64_t bytes = addresses_.allocation(address)->bytes;
  watch(request, stream, order_.issue(stream), TouchedBytes{{}, {{address, address + bytes}}, {}});
  waits_.park({stream, order_.reach(stream), [this, header = request.header, address] {
                 // The connection's side is waiting meanwhile.
                 free_now(Request{header, {}, 0}, address);
               }});
  reply(request, cudaSuccess);
}

cudaError_t Session::free_now(const Request& request, std::uint64_t address) {
  const auto* block = addresses_.allocation(address);
  if (block == nullptr) {
    // Told all the same: the virtual GPU knows a double free from a pointer that never was.
    gpu_.free(address, request.header.origin);
    note_invalid_free(request, address);
    return cudaErrorInvalidValue;
  }
  const std::uint64_t bytes = block->bytes;
  const auto meets = [&](const InputArray& array) { return array.meets(address, bytes); };
  if (std::ranges::any_of(inputs_, meets) || std::ranges::any_of(outputs_, meets)) note_invalid_free(request, address);
  gpu_.free(address, request.header.origin);
  std::erase_if(inputs_, meets);
  std::erase_if(outputs_, meets);
  freed_allocations_.add(address, *block, launch_count_, request.origin());
  addresses_.remove(address);
  freed_.add(address, bytes, request.origin());
  return cudaSuccess;
}

/// A free of what the program has no right to free; without an address, of host memory.
void Session::note_invalid_free(const Request& request, std::optional<std::uint64_t> address) {
  const auto known = std::ranges::find(invalid_frees_, request.origin(), &HostFinding::origin);
  if (known != invalid_frees_.end()) {
    ++known->finding.count;
    return;
  }
  if (invalid_frees_.size() >= limits_.inputs || taken_back_) return;
  const std::string call(request.call_name());
  CallOrigin freed_before;
  Finding finding;
  finding.id = finding_ids::kInvalidFree;
  finding.note = fmt::format("the call returned `{}` and freed nothing", request.invalid_value());
  finding.help =
      fmt::format("free what `{}` gave, once, and nothing else: not a host array, not a pointer into the middle",
                  request.allocation_call());
  const auto owned = [&](const InputArray& array) { return address && array.meets(*address, 1); };
  const auto input = std::ranges::find_if(inputs_, owned), output = std::ranges::find_if(outputs_, owned);
  if (!address) {
    finding.message =
        fmt::format("`{}` frees memory that `cudaMallocHost` did not give, or that is free already", call);
    finding.wrong_pointer = true;
    finding.help = "free what `cudaMallocHost` or `cudaHostAlloc` gave, once, and nothing else";
  } else if ((input != inputs_.end() || output != outputs_.end()) && addresses_.allocation(*address)) {
    const std::string& name = (input != inputs_.end() ? *input : *output).name;
    finding.message = fmt::format("`{}` frees `{}`, which belongs to the caller", call, name);
    finding.note = "the caller allocated the array, may still use it, and frees it";
    finding.help = "remove the call: free what your function has allocated, and nothing else";
  } else if (freed_.begins_at(*address)) {
    finding.message = fmt::format("`{}` frees memory that is free already", call);
    freed_before = *freed_.freed_by(*address);
    finding.other = OtherPlace{"it was freed here", {}, {}, {}, PlaceRole::freeing};
  } else if (ranges_.begin_of(*address, 1)) {
    finding.message = fmt::format("`{}` gets an address that `cuMemAddressReserve` gave", call);
    finding.help = "give memory back by `cuMemUnmap` and `cuMemRelease`, and the addresses by `cuMemAddressFree`";
  } else if (addresses_.holds(*address, 1)) {
    finding.message = fmt::format("`{}` gets a pointer into an array, not to its begin", call);
  } else {
    finding.message = fmt::format("`{}` gets a pointer that `{}` did not give, such as one to host memory", call,
                                  request.allocation_call());
    finding.wrong_pointer = true;
  }
  invalid_frees_.push_back({std::move(finding), request.origin(), freed_before});
}

/// A copy or a fill of memory that the program has given back.
void Session::note_use_of_freed(const Request& request, const CallOrigin& freed_by, Use use) {
  const auto known = std::ranges::find(uses_of_freed_, request.origin(), &HostFinding::origin);
  if (known != uses_of_freed_.end()) {
    ++known->finding.count;
    return;
  }
  if (uses_of_freed_.size() >= limits_.inputs || taken_back_) return;
  Finding finding;
  finding.id = finding_ids::kUseAfterFree;
  finding.message =
      fmt::format("`{}` {} memory that is free already", request.call_name(), use == Use::reads ? "reads" : "writes");
  finding.note = fmt::format("the call returned `{}` and did nothing", request.invalid_value());
  finding.help = "free the array after the last call that uses it";
  finding.other = OtherPlace{"it was freed here", {}, {}, {}, PlaceRole::freeing};
  uses_of_freed_.push_back({std::move(finding), request.origin(), freed_by});
}

void Session::memory_info(Request& request) {
  drain();
  reply(request, cudaSuccess, wire::MemoryInfo{gpu_.free_bytes(), model_.global_bytes});
}

/// What the same call, called from the same line, has allocated in the same function call of the caller, and was freed,
/// in the order of the allocations.
std::vector<const FreedAllocations::Freed*> Session::freed_sisters(const AddressMap::Block& leaked) const {
  std::vector<const FreedAllocations::Freed*> sisters;
  if (freed_allocations_.has_more() || leaked.origin.address == 0) return sisters;
  for (const auto& [address, freed] : freed_allocations_.blocks()) {
    const AddressMap::Block& block = freed.block;
    if (block.origin == leaked.origin && block.function_call == leaked.function_call) sisters.push_back(&freed);
  }
  std::ranges::sort(sisters, {}, [](const auto* freed) { return freed->block.number; });
  return sisters;
}

/// One finding for each call site that allocated memory nobody freed. A program that got no device code gives up, and
/// what it then leaves behind is nobody's mistake.
void Session::note_leaks() {
  if (!module_errors_.empty()) return;
  struct Leak {
    CallOrigin origin;
    std::uint64_t count, bytes;
    const AddressMap::Block* first;
  };
  std::vector<Leak> leaks;                                                // in the order of their first addresses
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> places;  // by call site
  for (const auto& [address, block] : addresses_.blocks()) {
    // A graph's memory lasts from launch to launch.
    if (block.module || block.page_locked || block.of_graph || block.of_range) continue;
    const auto [known, fresh] = places.try_emplace({block.origin.address, block.origin.outer}, leaks.size());
    if (fresh) leaks.push_back({block.origin, 0, 0, &block});
    Leak& leak = leaks[known->second];
    ++leak.count;
    leak.bytes += block.bytes;
  }
  for (const Leak& leak : leaks) {
    if (leaks_.size() >= limits_.reported_leaks) return;  // call sites are claims: a client may make up any number
    Finding finding;
    finding.id = finding_ids::kMemoryLeak;
    finding.severity = Severity::warning;
    finding.message = leak.count == 1
                          ? fmt::format("{} bytes of device memory allocated here are never freed", leak.bytes)
                          : fmt::format("{} allocations of device memory made here, {} bytes in all, are never freed",
                                        leak.count, leak.bytes);
    finding.count = leak.count;
    finding.help = Advice::free_each;
    const auto sisters = leak.count == 1 ? freed_sisters(*leak.first) : std::vector<const FreedAllocations::Freed*>();
    HostFinding host{std::move(finding), leak.origin};
    if (!sisters.empty()) name_sisters(host, *leak.first, sisters);
    // Where the function was called that has allocated it.
    if (leak.origin.outer != 0) {
      host.finding.cause = OtherPlace{"this call allocates it", {}, {}, {}};
      host.cause = {leak.origin.outer, 0};
    }
    leaks_.push_back(std::move(host));
  }
  note_range_leaks();
}

}  // namespace cudalabs::vgpu
