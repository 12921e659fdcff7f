// What threads do together: barriers of the block, and shuffles, votes, matches and reductions of a warp.
#include <algorithm>

#include "executor.h"

namespace cudalabs::reference {

using vgpu::ptx::PredicatePair;

std::size_t mask_operand(const Decoded& decoded) {
  return decoded.instruction->operands.size() - 1;
}

// bar{rier}.sync a{, b}; bar.red.popc d, a{, b}, c; bar.red.and p, a{, b}, c. All threads of the block take part.
bool Executor::complete_barriers() {
  std::vector<Thread*> waiting;
  for (Thread& thread : block_.threads) {
    if (thread.status == ThreadStatus::at_barrier) waiting.push_back(&thread);
    if (thread.status == ThreadStatus::at_warp_operation) return false;
  }
  if (waiting.empty()) return false;
  std::uint64_t count = 0;
  for (Thread* thread : waiting) {
    const Decoded& decoded = thread->waiting_at();
    if (decoded.has("red")) count += read(*thread, decoded.instruction->operands.back(), Type::pred);
  }
  for (Thread* thread : waiting) {
    const Decoded& decoded = thread->waiting_at();
    const auto& operands = decoded.instruction->operands;
    if (decoded.has("popc")) write(*thread, operands[0], Type::u32, count);
    if (decoded.has("and")) write(*thread, operands[0], Type::pred, count == waiting.size() ? 1 : 0);
    if (decoded.has("or")) write(*thread, operands[0], Type::pred, count != 0 ? 1 : 0);
    thread->status = ThreadStatus::running;
    ++thread->frame().next;
  }
  return true;
}

// A warp operation happens when every thread that its mask names and that has not ended waits at it.
bool Executor::complete_warp_operations() {
  bool any = false;
  for (std::size_t begin = 0; begin < block_.threads.size(); begin += 32) {
    const std::size_t end = std::min(begin + 32, block_.threads.size());
    for (std::size_t i = begin; i < end; ++i) {
      Thread& leader = block_.threads[i];
      if (leader.status != ThreadStatus::at_warp_operation) continue;
      const Decoded& decoded = leader.waiting_at();
      const std::uint64_t mask = read(leader, decoded.instruction->operands[mask_operand(decoded)], Type::u32);
      std::vector<Thread*> lanes;
      bool complete = true;
      for (std::size_t lane = begin; lane < end; ++lane) {
        Thread& thread = block_.threads[lane];
        if (((mask >> (lane - begin)) & 1) == 0 || thread.status == ThreadStatus::exited) continue;
        lanes.push_back(&thread);
        complete = complete && thread.status == ThreadStatus::at_warp_operation &&
                   thread.waiting_at().instruction == decoded.instruction;
      }
      if (!complete || std::find(lanes.begin(), lanes.end(), &leader) == lanes.end()) continue;
      warp_operation(lanes);
      any = true;
    }
  }
  return any;
}

namespace {

// Where lane `lane` reads from, or nothing when that is out of its segment's range.
std::optional<std::uint32_t> shuffle_source(const Decoded& decoded, std::uint32_t lane, std::uint64_t b,
                                            std::uint64_t c) {
  const auto offset = static_cast<std::int32_t>(b & 31);
  const auto clamp = static_cast<std::int32_t>(c & 31);
  const auto segment = static_cast<std::int32_t>((c >> 8) & 31);
  const auto self = static_cast<std::int32_t>(lane);
  const std::int32_t most = (self & segment) | (clamp & ~segment);
  const std::int32_t least = self & segment;
  std::int32_t from = 0;
  bool in_range = false;
  if (decoded.has("up")) {
    from = self - offset;
    in_range = from >= most;
  } else if (decoded.has("down")) {
    from = self + offset;
    in_range = from <= most;
  } else if (decoded.has("bfly")) {
    from = self ^ offset;
    in_range = from <= most;
  } else {
    from = least | (offset & ~segment);
    in_range = from <= most;
  }
  return in_range ? std::optional(static_cast<std::uint32_t>(from)) : std::nullopt;
}

std::uint64_t reduce(const Decoded& decoded, const std::vector<std::uint64_t>& values) {
  Operation operation;
  for (const char* name : {"add", "min", "max", "and", "or", "xor"}) {
    if (decoded.has(name)) operation.opcode = name;
  }
  operation.type = operation.source = decoded.type;
  std::uint64_t total = values[0];
  for (std::size_t i = 1; i < values.size(); ++i) total = evaluate(operation, {total, values[i]}).value;
  return total;
}

}  // namespace

void Executor::warp_operation(std::vector<Thread*> lanes) {
  const Decoded& decoded = lanes[0]->waiting_at();
  const std::string& opcode = decoded.instruction->opcode;
  const auto& operands = decoded.instruction->operands;
  const Type type = decoded.type;
  const auto lane_of = [](const Thread* thread) { return thread->linear % 32; };

  // Everything is read before anything is written.
  std::vector<std::uint64_t> values;
  if (opcode != "bar") {
    for (Thread* thread : lanes) values.push_back(read(*thread, operands[1], type));
  }
  std::vector<std::pair<std::uint64_t, bool>> results(lanes.size());
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    if (opcode == "shfl") {
      const auto source = shuffle_source(decoded, lane_of(lanes[i]), read(*lanes[i], operands[2], Type::u32),
                                         read(*lanes[i], operands[3], Type::u32));
      results[i] = {values[i], source.has_value()};
      for (std::size_t k = 0; k < lanes.size(); ++k) {
        if (source == lane_of(lanes[k])) results[i].first = values[k];
      }
    } else if (opcode == "vote") {
      std::uint64_t ballot = 0;
      for (std::size_t k = 0; k < lanes.size(); ++k) {
        ballot |= read(*lanes[k], operands[1], Type::pred) << lane_of(lanes[k]);
      }
      const auto votes = static_cast<std::size_t>(__builtin_popcountll(ballot));
      if (decoded.has("ballot")) results[i].first = ballot;
      if (decoded.has("all")) results[i].first = votes == lanes.size();
      if (decoded.has("any")) results[i].first = votes != 0;
      if (decoded.has("uni")) results[i].first = votes == 0 || votes == lanes.size();
    } else if (opcode == "match") {
      std::uint64_t same = 0, everyone = 0;
      for (std::size_t k = 0; k < lanes.size(); ++k) {
        everyone |= std::uint64_t{1} << lane_of(lanes[k]);
        if (values[k] == values[i]) same |= std::uint64_t{1} << lane_of(lanes[k]);
      }
      results[i] = {decoded.has("all") && same != everyone ? 0 : same, same == everyone};
    } else if (opcode == "redux") {
      results[i].first = reduce(decoded, values);
    }
  }
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    Thread& thread = *lanes[i];
    if (const auto* const pair = opcode == "bar" ? nullptr : std::get_if<PredicatePair>(&operands[0].value)) {
      thread.frame().registers[pair->first] = results[i].first;
      if (pair->second) thread.frame().registers[*pair->second] = results[i].second ? 1 : 0;
    } else if (opcode != "bar") {
      write(thread, operands[0], opcode == "match" ? Type::b32 : type, results[i].first);
    }
    thread.status = ThreadStatus::running;
    ++thread.frame().next;
  }
}

}  // namespace cudalabs::reference
