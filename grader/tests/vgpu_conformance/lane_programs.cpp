// Random programs about what lanes and threads do together.
#include "lane_programs.h"

#include <fmt/format.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "random_source.h"

namespace cudalabs::conformance {

namespace {

using reference::Launch;
using reference::Program;
using reference::RandomSource;

constexpr unsigned kWords = 8, kPredicates = 4;
constexpr unsigned kTotals = 8;  // words of 8 bytes that all threads add to, in shared and in global memory

class LaneProgramWriter {
 public:
  LaneProgramWriter(std::uint64_t seed, LaneFamily family) : random_(2 * seed + 1), family_(family) {}

  Program write() {
    static const std::vector<Launch> shapes{{{1, 1, 1}, {32, 1, 1}}, {{2, 1, 1}, {64, 1, 1}}, {{1, 1, 1}, {48, 1, 1}},
                                            {{1, 3, 1}, {16, 2, 1}}, {{1, 1, 1}, {96, 1, 1}}, {{1, 1, 1}, {8, 4, 4}},
                                            {{2, 1, 1}, {9, 5, 1}},  {{1, 1, 1}, {256, 1, 1}}};
    program_.launch = random_.pick(shapes);
    const auto [x, y, z] = program_.launch.block;
    threads_per_block_ = x * y * z;
    for (unsigned i = 0; i < kWords; ++i) program_.slots.push_back({fmt::format("%r{}", i), 4 * i, 4});
    for (unsigned i = 0; i < kPredicates; ++i) program_.slots.push_back({fmt::format("%p{}", i), 4 * (kWords + i), 4});
    for (unsigned i = 0; i < kTotals; ++i) program_.slots.push_back({fmt::format("total{}", i), 48 + 8 * i, 8});
    program_.output_stride = 48 + 8 * kTotals;
    program_.output_bytes = program_.threads() * program_.output_stride + 8 * kTotals;
    region("%m0", 0, 14);
    const std::string body = std::move(text_);
    text_.clear();
    function();
    kernel(body);
    program_.ptx = std::move(text_);
    program_.input.resize(program_.threads() * kWords * 4);
    for (std::size_t at = 0; at < program_.input.size(); at += 4) {
      const std::uint64_t value = reference::interesting_integer(random_);
      std::memcpy(program_.input.data() + at, &value, 4);
    }
    return std::move(program_);
  }

 private:
  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text_ += '\t' + fmt::format(format, std::forward<Arguments>(arguments)...) + '\n';
  }
  std::string word() { return fmt::format("%r{}", random_.below(kWords)); }
  std::string predicate() { return fmt::format("%p{}", random_.below(kPredicates)); }
  std::string mask() { return fmt::format("%m{}", masks_++); }
  std::string label() { return fmt::format("L{}", labels_++); }

  void function() {
    text_ += ".version 8.0\n.target sm_90\n.address_size 64\n";
    text_ += ".func (.param .b32 result) mixed(.param .b32 a, .param .b32 b)\n{\n";
    line(".reg .b32 %x, %y, %n, %odd; .reg .pred %q; .local .align 4 .b8 kept[8];");
    line("ld.param.b32 %x, [a]; ld.param.b32 %y, [b]; st.local.b32 [kept+4], %x; and.b32 %n, %x, {};",
         random_.chance(50) ? 3 : 5);
    text_ += "again:\n";
    line("setp.eq.u32 %q, %n, 0; @%q bra done;");
    line("and.b32 %odd, %y, 1; setp.ne.u32 %q, %odd, 0; @%q bra odd;");
    line("shr.u32 %y, %y, 1; bra next;");
    text_ += "odd:\n";
    line("mad.lo.u32 %y, %y, 3, {};", random_.below(100));
    text_ += "next:\n";
    line("sub.u32 %n, %n, 1; bra again;");
    text_ += "done:\n";
    line("ld.local.b32 %x, [kept+4]; xor.b32 %y, %y, %x; st.param.b32 [result], %y; ret;");
    text_ += "}\n";
  }

  void kernel(const std::string& body) {
    text_ += ".visible .entry program(.param .u64 input, .param .u64 output)\n{\n";
    line(".reg .b32 %r<{}>, %m<{}>, %c<{}>, %linear, %lane, %i, %j, %s, %lo, %hi, %segment, %by; .reg .b64 %d, %e;",
         kWords, masks_, loops_ + 1);
    line(".reg .b64 %in, %out, %total, %gtotal; .reg .pred %p<{}>, %q<{}>, %ok, %n; .reg .f32 %f;", kPredicates,
         loops_ + 1);
    line(".shared .align 8 .b8 totals[{}]; .local .align 4 .b8 frame[32];", 8 * kTotals);
    line("mov.u32 %linear, %tid.z; mov.u32 %i, %ntid.y; mov.u32 %j, %tid.y; mad.lo.u32 %linear, %linear, %i, %j;");
    line("mov.u32 %i, %ntid.x; mov.u32 %j, %tid.x; mad.lo.u32 %linear, %linear, %i, %j; mov.u32 %lane, %laneid;");
    line("and.b32 %i, %linear, -32; sub.u32 %i, {}, %i; min.u32 %i, %i, 32; sub.u32 %i, 32, %i;", threads_per_block_);
    line("mov.b32 %m0, -1; shr.u32 %m0, %m0, %i;");
    line("mov.u32 %i, %ctaid.y; mov.u32 %j, %nctaid.x; mov.u32 %s, %ctaid.x; mad.lo.u32 %i, %i, %j, %s;");
    line("mad.lo.u32 %i, %i, {}, %linear; ld.param.u64 %in, [input]; ld.param.u64 %out, [output];", threads_per_block_);
    line("cvta.to.global.u64 %in, %in; cvta.to.global.u64 %out, %out; add.u64 %gtotal, %out, {};",
         program_.threads() * program_.output_stride);
    line("mad.wide.u32 %in, %i, {}, %in; mad.wide.u32 %out, %i, {}, %out; mov.u64 %total, totals;", 4 * kWords,
         program_.output_stride);
    for (unsigned i = 0; i < kWords; ++i) line("ld.global.b32 %r{}, [%in+{}];", i, 4 * i);
    for (unsigned i = 0; i < kPredicates; ++i) line("and.b32 %i, %r0, {}; setp.ne.u32 %p{}, %i, 0;", 1 << i, i);
    for (unsigned i = 0; i < 8; ++i) line("st.local.b32 [frame+{}], %r{};", 4 * i, i);
    // The first threads set what all add to.
    line("setp.lt.u32 %ok, %linear, {}; mad.wide.u32 %d, %linear, 8, %total; xor.b32 %i, %r1, 0x5A5A;", kTotals);
    line("cvt.u64.u32 %e, %i; @%ok st.shared.b64 [%d], %e;");
    line("bar.sync 0;");
    text_ += body;
    line("bar.warp.sync {}; bar.sync 0;", alive_);
    line("setp.ne.u32 %ok, %linear, 0; @%ok bra end;");
    for (unsigned i = 0; i < kTotals; ++i) {
      line("ld.shared.b64 %d, [%total+{}]; st.global.b64 [%out+{}], %d;", 8 * i, 48 + 8 * i);
    }
    text_ += "end:\n";
    for (unsigned i = 0; i < kWords; ++i) line("st.global.b32 [%out+{}], %r{};", 4 * i, i);
    for (unsigned i = 0; i < kPredicates; ++i) {
      line("selp.b32 %i, 1, 0, %p{}; st.global.b32 [%out+{}], %i;", i, 4 * (kWords + i));
    }
    line("ret;");
    text_ += "}\n";
  }

  // Statements of the lanes that the register `members` names.
  void region(const std::string& members, unsigned depth, unsigned statements) {
    std::string here = members;
    for (; statements > 0; --statements) {
      const std::uint64_t what = random_.below(100);
      if (what < 12 && depth < 3) {
        if_else(here, depth);
      } else if (what < 22 && depth < 3) {
        loop(here, depth);
      } else if (what < 42) {
        shuffle(here);
      } else if (what < 50) {
        vote(here);
      } else if (what < 57) {
        match(here);
      } else if (what < 63) {
        reduce(here);
      } else if (what < 70) {
        atomic();
      } else if (what < 74) {
        local();
      } else if (what < 78) {
        call();
      } else if (what < 84 && depth == 0) {
        barrier(here);
      } else if (what < 88 && depth == 0 && family_ == LaneFamily::leaving) {
        here = leave(here);
      } else if (what < 92) {
        line("setp.{}.s32 {}, {}, {};", random_.chance(50) ? "lt" : "ge", predicate(), word(), word());
      } else {
        arithmetic();
      }
    }
    if (depth == 0) alive_ = here;
  }

  void arithmetic() {
    static const std::vector<std::string> names{"add.u32", "sub.u32", "mul.lo.u32", "xor.b32", "and.b32",
                                                "min.s32", "max.u32", "or.b32",     "shr.u32"};
    const std::string guard =
        random_.chance(30) ? fmt::format("@{}{} ", random_.chance(50) ? "!" : "", predicate()) : "";
    line("{}{} {}, {}, {};", guard, random_.pick(names), word(), word(), word());
  }

  void if_else(const std::string& members, unsigned depth) {
    const std::string taken = mask(), left = mask(), otherwise = label(), end = label(), condition = predicate();
    line("vote.sync.ballot.b32 {}, {}, {}; not.b32 {}, {}; and.b32 {}, {}, {};", taken, condition, members, left, taken,
         left, left, members);
    line("@!{} bra {};", condition, otherwise);
    region(taken, depth + 1, 2 + static_cast<unsigned>(random_.below(4)));
    line("bra {};", end);
    text_ += otherwise + ":\n";
    if (random_.chance(70)) region(left, depth + 1, 1 + static_cast<unsigned>(random_.below(4)));
    text_ += end + ":\n";
    line("bar.warp.sync {};", members);
  }

  void loop(const std::string& members, unsigned depth) {
    const std::string inside = mask(), next = mask(), top = label(), end = label();
    const unsigned number = loops_++;
    line("and.b32 %c{}, {}, {}; mov.b32 {}, {};", number, word(), random_.chance(50) ? 3 : 7, inside, members);
    text_ += top + ":\n";
    line("setp.ne.u32 %q{}, %c{}, 0; vote.sync.ballot.b32 {}, %q{}, {};", number, number, next, number, inside);
    line("@!%q{} bra {}; mov.b32 {}, {};", number, end, inside, next);
    region(inside, depth + 1, 1 + static_cast<unsigned>(random_.below(3)));
    if (random_.chance(40)) {
      const std::string out = predicate();
      line("vote.sync.ballot.b32 {}, !{}, {}; @{} bra {}; mov.b32 {}, {};", next, out, inside, out, end, inside, next);
    }
    line("sub.u32 %c{}, %c{}, 1; bra {};", number, number, top);
    text_ += end + ":\n";
    line("bar.warp.sync {};", members);
  }

  void shuffle(const std::string& members) {
    static const std::vector<std::string> modes{"up", "down", "bfly", "idx"};
    const std::string& mode = random_.pick(modes);
    const std::uint64_t segment = 32 - (std::uint64_t{1} << random_.below(6));
    std::uint64_t clamp = random_.chance(70) ? (mode == "up" ? 0 : 31) : random_.below(32);
    if (random_.chance(50)) {
      line("mov.b32 %by, {};", random_.below(mode == "idx" ? 32 : 17));
    } else {
      line("and.b32 %by, {}, 31;", word());
    }
    if (random_.chance(50)) {
      line("mov.b32 %segment, {};", segment << 8 | clamp);
    } else {
      line("and.b32 %segment, {}, {}; or.b32 %segment, %segment, {};", word(), 0x1F1F, clamp);
    }
    line("shfl.sync.{}.b32 %s|%ok, {}, %by, %segment, {};", mode, word(), members);
    const std::string result = word();
    if (family_ == LaneFamily::inactive) {
      line("mov.b32 {}, %s;", result);
    } else {
      // The lane that it comes from: %j.
      line("shr.u32 %i, %segment, 8; and.b32 %i, %i, 31; and.b32 %lo, %lane, %i; not.b32 %i, %i; and.b32 %i, %i, 31;");
      line("and.b32 %hi, %segment, %i; or.b32 %hi, %hi, %lo;");
      if (mode == "up") line("sub.u32 %j, %lane, %by; setp.ge.s32 %n, %j, %hi;");
      if (mode == "down") line("add.u32 %j, %lane, %by; setp.le.s32 %n, %j, %hi;");
      if (mode == "bfly") line("xor.b32 %j, %lane, %by; setp.le.s32 %n, %j, %hi;");
      if (mode == "idx") line("and.b32 %j, %by, %i; or.b32 %j, %j, %lo; setp.le.s32 %n, %j, %hi;");
      line("@!%n mov.b32 %j, %lane; shr.u32 %j, {}, %j; and.b32 %j, %j, 1; setp.ne.u32 %n, %j, 0;", members);
      line("@%n mov.b32 {}, %s;", result);
    }
    line("mov.pred {}, %ok;", predicate());
  }

  void vote(const std::string& members) {
    static const std::vector<std::string> modes{"all", "any", "uni"};
    const std::string negation = random_.chance(30) ? "!" : "";
    if (random_.chance(40)) {
      line("vote.sync.ballot.b32 {}, {}{}, {};", word(), negation, predicate(), members);
    } else {
      line("vote.sync.{}.pred {}, {}{}, {};", random_.pick(modes), predicate(), negation, predicate(), members);
    }
  }

  // Of few different values.
  void match(const std::string& members) {
    const bool wide = random_.chance(40);
    const std::string value = wide ? "%d" : "%i";
    line("and.b32 %i, {}, {};", word(), random_.below(4));
    if (wide) line("cvt.u64.u32 %d, %i; mul.lo.u64 %d, %d, 0x100000001;");
    if (random_.chance(50)) {
      line("match.any.sync.b{} {}, {}, {};", wide ? 64 : 32, word(), value, members);
    } else {
      line("match.all.sync.b{} {}|{}, {}, {};", wide ? 64 : 32, word(), predicate(), value, members);
    }
  }

  void reduce(const std::string& members) {
    static const std::vector<std::string> names{"add.u32", "add.s32", "min.u32", "min.s32", "max.u32",
                                                "max.s32", "and.b32", "or.b32",  "xor.b32"};
    line("redux.sync.{} {}, {}, {};", random_.pick(names), word(), word(), members);
  }

  // Each word of the totals has an operation of its own, so that no order shows.
  void atomic() {
    static const std::vector<std::string> names{"add.u32", "max.s32", "or.b32",  "xor.b32",
                                                "add.u64", "inc.u32", "min.u32", "add.f32"};
    const auto which = static_cast<unsigned>(random_.below(kTotals));
    const bool shared = random_.chance(50);
    std::string value = word();
    if (which == 4) {
      line("cvt.u64.u32 %d, {}; shl.b64 %d, %d, 20;", value);
      value = "%d";
    } else if (which == 5) {
      value = shared ? "1000000" : "11";
    } else if (which == 7) {
      line("and.b32 %i, {}, 15; cvt.rn.f32.u32 %f, %i;", value);
      value = "%f";
    }
    if (which == 7 && shared) return;  // what is there before is no whole number
    const bool returns = random_.chance(30);
    line("{}.{}.{} {}[{}+{}], {};", returns ? "atom" : "red", shared ? "shared" : "global", names[which],
         !returns     ? ""
         : which == 4 ? "%e, "
         : which == 7 ? "%f, "
                      : "%i, ",
         shared ? "%total" : "%gtotal", 8 * which, value);
  }

  void local() {
    const bool stores = random_.chance(50);
    line("mov.u64 %d, frame; and.b32 %i, {}, 7; mad.wide.u32 %d, %i, 4, %d;", word());
    if (stores) {
      line("st.local.b32 [%d], {};", word());
    } else {
      line("ld.local.b32 {}, [%d];", word());
    }
  }

  void call() {
    line("{{ .param .b32 a0; .param .b32 a1; .param .b32 r0; st.param.b32 [a0], {}; st.param.b32 [a1], {};", word(),
         word());
    line("call (r0), mixed, (a0, a1); ld.param.b32 {}, [r0]; }}", word());
  }

  void barrier(const std::string& members) {
    line("bar.warp.sync {};", members);
    switch (random_.below(5)) {
      case 0:
        return line("{} {};", random_.chance(50) ? "bar.sync" : "barrier.sync", random_.below(16));
      case 1:
        return line("bar.red.popc.u32 {}, {}, {}{};", word(), random_.below(16), random_.chance(30) ? "!" : "",
                    predicate());
      case 2:
        return line("bar.red.and.pred {}, {}, {};", predicate(), random_.below(16), predicate());
      case 3:
        return line("bar.red.or.pred {}, {}, {};", predicate(), random_.below(16), predicate());
      default:
        // What the whole block has added so far.
        line("bar.sync 0; ld.shared.b32 {}, [%total]; ld.shared.b32 {}, [%total+24]; bar.sync 0;", word(), word());
    }
  }

  // Some threads end; the others go on without them.
  std::string leave(const std::string& members) {
    const std::string rest = mask();
    const std::string out = predicate();
    line("and.b32 %i, {}, 3; setp.eq.and.u32 %n, %i, 0, {};", word(), out);
    line("vote.sync.ballot.b32 {}, !%n, {}; @%n bra end;", rest, members);
    return rest;
  }

  RandomSource random_;
  const LaneFamily family_;
  Program program_;
  std::string text_;
  std::string alive_ = "%m0";  // who is left at the end
  std::uint32_t threads_per_block_ = 0;
  unsigned masks_ = 1, loops_ = 0, labels_ = 0;
};

}  // namespace

Program lane_program(std::uint64_t seed, LaneFamily family) {
  return LaneProgramWriter(seed, family).write();
}

}  // namespace cudalabs::conformance
