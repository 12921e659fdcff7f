// What the fuzz target of the protocol begins with is the protocol that the session speaks.
#include <algorithm>
#include <set>
#include <span>
#include <string>

#include "../fuzz_protocol/conversations.h"
#include "../fuzz_protocol/recorded_client.h"
#include "catch/catch.h"
#include "vgpu/cudart/include/driver_types.h"

namespace cudalabs::vgpu::test::of_conversations {
namespace {

bool has_answer(wire::Op op) {
  return op != wire::Op::note && op != wire::Op::goodbye;
}

fuzz::Served serve(const fuzz::Conversation& said, bool device_thread) {
  return fuzz::serve(std::as_bytes(std::span(said.bytes())), device_thread);
}

}  // namespace

TEST_CASE("every conversation that fuzzing begins with is understood") {
  for (const bool device_thread : {false, true}) {
    for (const auto& [name, said, protocol_error] : fuzz::conversations()) {
      CAPTURE(name, device_thread);
      const fuzz::Served served = serve(said, device_thread);
      CHECK(served.report.protocol_error == protocol_error);
      CHECK(served.report.internal_error.empty());
      CHECK(served.report.exhausted.empty());
      CHECK(served.unread == 0);
      const auto last = said.operations().back();
      CHECK(served.report.said_goodbye == (last == wire::Op::goodbye));
      const auto answered = std::ranges::count_if(said.operations(), has_answer);
      CHECK(std::ssize(served.answers) == answered - (protocol_error.empty() || !has_answer(last) ? 0 : 1));
      CHECK(said.bytes().size() <= fuzz::kMostBytes);
    }
  }
}

TEST_CASE("whatever can be asked for is in a conversation, and done there") {
  std::set<wire::Op> asked, done;
  for (const auto& [name, said, protocol_error] : fuzz::conversations()) {
    const fuzz::Served served = serve(said, false);
    auto answer = served.answers.begin();
    for (const wire::Op op : said.operations()) {
      asked.insert(op);
      const bool answers = has_answer(op);
      if (answers && answer == served.answers.end()) break;  // it is wrong on purpose
      if (!answers || *answer++ == cudaSuccess) done.insert(op);
    }
  }
  for (std::uint16_t op = 0; op < wire::kOpCount; ++op) {
    CAPTURE(op);
    CHECK(asked.contains(static_cast<wire::Op>(op)));
    // The device of these conversations has no clusters.
    if (static_cast<wire::Op>(op) != wire::Op::cluster_occupancy) CHECK(done.contains(static_cast<wire::Op>(op)));
  }
}

TEST_CASE("without the device's thread, a conversation is answered in the same way") {
  for (const auto& [name, said, protocol_error] : fuzz::conversations()) {
    CAPTURE(name);
    const fuzz::Served beside = serve(said, true), in_turn = serve(said, false);
    if (name != "streams") CHECK(beside.answers == in_turn.answers);  // whether an event is over is asked there
    CHECK(to_json(serve(said, false).report) == to_json(in_turn.report));
  }
}

}  // namespace cudalabs::vgpu::test::of_conversations
