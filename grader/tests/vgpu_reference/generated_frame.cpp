// What stands around the statements of a random program: data, functions, and the kernel's begin and end.
#include "program_writer.h"

namespace cudalabs::reference {

void ProgramWriter::header() {
  text_ += ".version 8.0\n.target sm_86\n.address_size 64\n";
  const auto bytes = [&](const char* space, const char* name) {
    std::string list;
    for (std::uint32_t i = 0; i < kConstantBytes; ++i)
      list += fmt::format("{}{}", i == 0 ? "" : ", ", random_.below(256));
    text_ += fmt::format(".{} .align 16 .b8 {}[{}] = {{{}}};\n", space, name, kConstantBytes, list);
  };
  bytes("const", "constants");
  bytes("global", "table");
}

void ProgramWriter::functions() {
  for (const char* name : {"integers0", "integers1"}) {
    text_ += fmt::format(".func (.param .b32 result) {}(.param .b32 a, .param .b32 b)\n{{\n", name);
    line(".reg .b32 %x<4>; .reg .pred %y; .local .align 4 .b8 spill[8];");
    line("ld.param.b32 %x0, [a]; ld.param.b32 %x1, [b];");
    line("st.local.b32 [spill+4], %x1;");
    static const std::vector<std::string> steps{"add.s32", "xor.b32", "mul.lo.s32", "min.u32", "max.s32", "sub.s32"};
    for (int i = 0; i < 4; ++i) {
      line("{} %x{}, %x{}, %x{};", random_.pick(steps), random_.below(2), random_.below(2), random_.below(2));
    }
    line("setp.lt.s32 %y, %x0, %x1;");
    line("@%y bra $less;");
    line("ld.local.b32 %x2, [spill+4];");
    line("add.s32 %x0, %x0, %x2;");
    line("st.param.b32 [result], %x0;");
    line("ret;");
    text_ += "$less:\n";
    line("st.param.b32 [result+0], %x1;");
    line("ret;");
    text_ += "}\n";
  }
  recursive_function();
  text_ += ".func (.param .f64 result) reals(.param .f64 a, .param .f32 b)\n{\n";
  line(".reg .f64 %x<3>; .reg .f32 %y; .reg .pred %z;");
  line("ld.param.f64 %x0, [a]; ld.param.f32 %y, [b];");
  line("cvt.f64.f32 %x1, %y;");
  line("{}.rn.f64 %x2, %x0, %x1;", random_.chance(50) ? "add" : "mul");
  line("setp.gt.f64 %z, %x2, 0d3FF0000000000000;");
  line("@%z sub.rn.f64 %x2, %x2, %x1;");
  line("st.param.f64 [result], %x2;");
  line("ret;");
  text_ += "}\n";
}

// Calls itself up to three times, fewer or more in different threads.
void ProgramWriter::recursive_function() {
  text_ += ".func (.param .b32 result) recursive(.param .b32 a, .param .b32 b)\n{\n";
  line(".reg .b32 %x<5>; .reg .pred %y; .local .align 4 .b8 kept[4];");
  line("ld.param.b32 %x0, [a]; ld.param.b32 %x1, [b];");
  line("and.b32 %x2, %x0, 3; st.local.b32 [kept], %x1;");
  line("setp.eq.u32 %y, %x2, 0;");
  line("@%y bra $bottom;");
  line("sub.u32 %x2, %x2, 1; xor.b32 %x3, %x1, {};", random_.below(1000));
  line("call (%x4), recursive, (%x2, %x3);");
  line("ld.local.b32 %x1, [kept];");
  line("mad.lo.u32 %x1, %x4, {}, %x1;", random_.below(1000));
  text_ += "$bottom:\n";
  line("st.param.b32 [result], %x1;");
  line("ret;");
  text_ += "}\n";
}

void ProgramWriter::kernel(const std::string& body) {
  text_ += ".visible .entry program(.param .u64 input, .param .u64 output)\n{\n";
  for (const Pool& pool : kPools) line(".reg .{} %{}<{}>;", pool.type, pool.letter, pool.count);
  line(".reg .pred %p<{}>, %q<{}>, %n;", kPredicates, counters_ + 1);
  line(".reg .b32 %c<{}>, %i<2>, %linear, %member, %voters; .reg .b16 %ha;", counters_ + 1);
  line(
      ".reg .b64 %in, %out, %scratch, %shared, %gshared, %local, %glocal, %gconst, %gtable, %exchange, %address, "
      "%fa, %fb, %total;");
  line(".shared .align 16 .b8 own[{}];", threads_per_block_ * kScratchBytes);
  line(".shared .align 4 .b8 exchange[{}];", threads_per_block_ * 4);
  line(".local .align 16 .b8 frame[{}];", kScratchBytes);
  prologue();
  text_ += body;
  epilogue();
  text_ += "}\n";
}

void ProgramWriter::prologue() {
  line("mov.u32 %linear, %tid.z; mov.u32 %i0, %ntid.y; mov.u32 %i1, %tid.y;");
  line("mad.lo.u32 %linear, %linear, %i0, %i1; mov.u32 %i0, %ntid.x; mov.u32 %i1, %tid.x;");
  line("mad.lo.u32 %linear, %linear, %i0, %i1;");
  // The lanes of this warp that exist: all, but in a last warp that is not full.
  line("and.b32 %i0, %linear, -32; sub.u32 %i0, {}, %i0; min.u32 %i0, %i0, 32;", threads_per_block_);
  line("sub.u32 %i0, 32, %i0; mov.b32 %member, -1; shr.u32 %member, %member, %i0;");
  line("mov.u32 %i0, %ctaid.z; mov.u32 %i1, %nctaid.y; mul.lo.u32 %i0, %i0, %i1; mov.u32 %i1, %ctaid.y;");
  line("add.u32 %i0, %i0, %i1; mov.u32 %i1, %nctaid.x; mul.lo.u32 %i0, %i0, %i1; mov.u32 %i1, %ctaid.x;");
  line("add.u32 %i0, %i0, %i1; mad.lo.u32 %i1, %i0, {}, %linear;", threads_per_block_);
  const std::uint32_t stride = layout();
  line("ld.param.u64 %in, [input]; ld.param.u64 %out, [output];");
  line("cvta.to.global.u64 %in, %in; cvta.to.global.u64 %out, %out;");
  line("add.u64 %total, %out, {};", program_.threads() * program_.output_stride);
  line("mad.wide.u32 %in, %i1, {}, %in;", stride);
  line("mad.wide.u32 %out, %i1, {}, %out;", program_.output_stride);
  line("add.u64 %scratch, %out, {};", scratch_offset_);
  line("mov.u64 %shared, own; mad.wide.u32 %shared, %linear, {}, %shared; cvta.shared.u64 %gshared, %shared;",
       kScratchBytes);
  line("mov.u64 %local, frame; cvta.local.u64 %glocal, %local;");
  line("mov.u64 %gconst, constants; cvta.const.u64 %gconst, %gconst;");
  line("mov.u64 %gtable, table; cvta.global.u64 %gtable, %gtable;");
  line("mov.u64 %exchange, exchange; mad.wide.u32 %exchange, %linear, 4, %exchange;");
  for (std::uint32_t i = 0; i < kScratchBytes; i += 8) {
    line("st.shared.b64 [%shared+{}], 0; st.local.b64 [%local+{}], 0;", i, i);
  }
  for (const OutputSlot& slot : program_.slots) {
    if (slot.name[1] == 'p') continue;
    line("ld.global.{} {}, [%in+{}];", type_of(slot.name[1]), slot.name, slot.offset);
  }
  for (std::uint32_t i = 0; i < kPredicates; ++i) {
    line("and.b32 %i0, %r0, {}; setp.ne.u32 %p{}, %i0, 0;", 1u << i, i);
  }
}

void ProgramWriter::epilogue() {
  for (const OutputSlot& slot : program_.slots) {
    if (slot.name[1] == 'p') {
      line("selp.b32 %i0, 1, 0, {}; st.global.u8 [%out+{}], %i0;", slot.name, slot.offset);
    } else {
      line("st.global.{} [%out+{}], {};", type_of(slot.name[1]), slot.offset, slot.name);
    }
  }
  // The scratch memory that is not global is output too.
  const std::uint32_t shared_offset = scratch_offset_ + kScratchBytes;
  for (std::uint32_t i = 0; i < kScratchBytes; i += 8) {
    line("ld.shared.b64 %address, [%shared+{}]; st.global.b64 [%out+{}], %address;", i, shared_offset + i);
    line("ld.local.b64 %address, [%local+{}]; st.global.b64 [%out+{}], %address;", i,
         shared_offset + kScratchBytes + i);
  }
  line("ret;");
}

const char* ProgramWriter::type_of(char letter) {
  for (const Pool& pool : kPools) {
    if (pool.letter == letter) return pool.type;
  }
  return "u8";
}

}  // namespace cudalabs::reference
