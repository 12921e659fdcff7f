// Which exchanges only write: told by their lines, in code of either compiler's shape.
#include "vgpu/analysis/pure_exchanges.h"

#include <set>
#include <string>

#include "catch.h"

using namespace cudalabs::vgpu;

namespace {

using PureLines = std::set<std::uint32_t>;

const std::string kTop = R"(.version 7.7
.target sm_80
.address_size 64
.file 1 "k.cu"
)";

/// `body` in a kernel: %d1 is its array, %r1 the thread's number.
PureLines pure_in(const std::string& body, const std::string& functions = {}) {
  const ptx::Module module = ptx::parse(kTop + functions + R"(
.visible .entry k(.param .u64 a)
{
.reg .pred %p<9>;
.reg .b32 %r<30>;
.reg .f32 %f<30>;
.reg .b64 %d<30>;
  ld.param.u64 %d1, [a];
  mov.u32 %r1, %tid.x;
)" + body + "  ret;\n}\n");
  PureLines lines;
  for (const CodePlace place : pure_exchanges(module))
    lines.insert(module.functions[place.function].instructions[place.instruction].location.line);
  return lines;
}

/// nvcc's unoptimised code of `atomicExch`: a function that calls another one. `inside`: what becomes of the old value
/// in the inner one.
std::string exchange_functions(const std::string& inside = "st.param.b32 [func_retval0+0], %r2;") {
  return R"(
.func (.param .b32 func_retval0) __iAtomicExch(.param .b64 p0, .param .b32 p1)
{
.reg .b32 %r<9>;
.reg .b64 %d<9>;
  ld.param.u64 %d1, [p0];
  ld.param.u32 %r1, [p1];
  .loc 1 2 1
  atom.exch.b32 %r2, [%d1], %r1;
  )" + inside +
         R"(
  ret;
}
.func (.param .b32 func_retval0) atomicExch(.param .b64 q0, .param .b32 q1)
{
.reg .b32 %r<9>;
.reg .b64 %d<9>;
  ld.param.u64 %d1, [q0];
  ld.param.u32 %r1, [q1];
  {
  .param .b64 param0;
  st.param.b64 [param0+0], %d1;
  .param .b32 param1;
  st.param.b32 [param1+0], %r1;
  .param .b32 retval0;
  call.uni (retval0), __iAtomicExch, (param0, param1);
  ld.param.b32 %r2, [retval0+0];
  }
  st.param.b32 [func_retval0+0], %r2;
  ret;
}
)";
}

/// A call of the outer function; the old value comes into %r5.
const std::string kCall = R"(
  {
  .param .b64 param0;
  st.param.b64 [param0+0], %d1;
  .param .b32 param1;
  st.param.b32 [param1+0], %r1;
  .param .b32 retval0;
  call.uni (retval0), atomicExch, (param0, param1);
  ld.param.b32 %r5, [retval0+0];
  }
  mov.b32 %r6, %r5;
)";

const std::string kExchange = "  .loc 1 2 1\n  atom.global.exch.b32 %r5, [%d1], %r1;\n";

}  // namespace

TEST_CASE("an exchange whose old value stays in registers that nobody reads only writes", "[pure_exchanges]") {
  const PureLines pure{2};
  CHECK(pure_in(kExchange) == pure);
  CHECK(pure_in("  .loc 1 2 1\n  atom.exch.b64 %d5, [%d1], 7;\n") == pure);
  CHECK(pure_in("  .loc 1 2 1\n  atom.global.exch.b32 _, [%d1], %r1;\n") == pure);
  CHECK(pure_in(kExchange + "  add.s32 %r6, %r5, 1;\n  mov.b32 %f1, %r6;\n") == pure);
  CHECK(pure_in(kExchange + "  setp.eq.s32 %p1, %r5, 1;\n  selp.b32 %r7, 1, 2, %p1;\n") == pure);
  // What is written over the register afterwards is another value, but the text is not read so closely.
  CHECK(pure_in(kExchange + "  mov.u32 %r5, 1;\n  st.global.u32 [%d1+4], %r5;\n").empty());
}

TEST_CASE("what a result can depend on is used", "[pure_exchanges]") {
  for (const std::string use : {
           "st.global.u32 [%d1+4], %r5;",
           "add.s32 %r6, %r5, 1;\n  st.shared.u32 [%r1], %r6;",
           "cvt.s64.s32 %d5, %r5;\n  add.s64 %d6, %d1, %d5;\n  ld.global.u32 %r7, [%d6];",
           "setp.eq.s32 %p1, %r5, 1;\n  @%p1 bra done;\n  st.global.u32 [%d1+4], %r1;\ndone:",
           "setp.eq.s32 %p1, %r5, 1;\n  @%p1 mov.u32 %r7, 1;",
           "shfl.sync.idx.b32 %r7, %r5, 0, 31, 0xffffffff;",
           "atom.global.add.u32 %r7, [%d1+4], %r5;",
           "red.global.add.u32 [%d1+4], %r5;",
           "setp.eq.s32 %p1, %r5, 1;\n  vote.sync.any.pred %p2, %p1, 0xffffffff;\n  @%p2 trap;",
       }) {
    CAPTURE(use);
    CHECK(pure_in(kExchange + "  .loc 1 3 1\n  " + use + "\n").empty());
  }
}

TEST_CASE("what any other atomic writes depends on the old value", "[pure_exchanges]") {
  for (const std::string operation : {"add.u32", "min.u32", "max.s32", "or.b32", "and.b32", "inc.u32", "add.f32"}) {
    CAPTURE(operation);
    CHECK(pure_in("  atom.global." + operation + (operation == "add.f32" ? " %f5, [%d1], %f1;" : " %r5, [%d1], %r1;"))
              .empty());
  }
  CHECK(pure_in("  atom.global.cas.b32 %r5, [%d1], %r1, %r2;").empty());
}

TEST_CASE("an old value that functions give back is followed to their callers", "[pure_exchanges]") {
  CHECK(pure_in(kCall, exchange_functions()) == PureLines{2});
  CHECK(pure_in(kCall + "  st.global.u32 [%d1+4], %r6;\n", exchange_functions()).empty());
  CHECK(pure_in(kCall + kCall, exchange_functions()) == PureLines{2});
  // One of two callers is enough.
  CHECK(pure_in(kCall + "  @%p1 bra done;\n  st.global.u32 [%d1+4], %r6;\ndone:\n" + kCall, exchange_functions())
            .empty());
  // Used on the way.
  CHECK(pure_in(kCall, exchange_functions("st.u32 [%d1+4], %r2;\n  st.param.b32 [func_retval0+0], %r2;")).empty());
}

TEST_CASE("an old value that functions are given is followed into them", "[pure_exchanges]") {
  const auto as_float = [](const std::string& body) {
    return R"(
.func (.param .b32 func_retval0) __int_as_float(.param .b32 i0)
{
.reg .b32 %r<9>;
.reg .f32 %f<9>;
  ld.param.u32 %r1, [i0];
)" + body +
           R"(
  st.param.f32 [func_retval0+0], %f1;
  ret;
}
)";
  };
  const std::string call = R"(
  {
  .param .b32 param0;
  st.param.b32 [param0+0], %r2;
  .param .b32 retval0;
  call.uni (retval0), __int_as_float, (param0);
  ld.param.b32 %r3, [retval0+0];
  }
  st.param.b32 [func_retval0+0], %r3;
)";
  const std::string functions = as_float("  mov.b32 %f1, %r1;") + exchange_functions(call);
  CHECK(pure_in(kCall, functions) == PureLines{2});
  CHECK(pure_in(kCall + "  st.global.u32 [%d1+4], %r6;\n", functions).empty());
  const std::string traps = as_float(
                                "  mov.b32 %f1, %r1;\n  .reg .pred %p<2>;\n  setp.eq.s32 %p1, %r1, 0;\n"
                                "  @%p1 trap;") +
                            exchange_functions(call);
  CHECK(pure_in(kCall, traps).empty());
  // Of a function that is only declared nothing is known.
  const std::string declared = ".extern .func (.param .b32 func_retval0) __int_as_float(.param .b32 i0);\n";
  CHECK(pure_in(kCall, declared + exchange_functions(call)).empty());
}

TEST_CASE("a function that is called through a pointer has callers that nobody knows", "[pure_exchanges]") {
  CHECK(pure_in(kCall + "  mov.u64 %d9, atomicExch;\n", exchange_functions()).empty());
  CHECK(pure_in(kCall, exchange_functions() + ".global .align 8 .u64 table[1] = {atomicExch};\n").empty());
  // Nor can a register say by itself what a function gives back.
  const std::string in_register = R"(
.func (.reg .b32 %back) take(.reg .b64 %from)
{
  .loc 1 2 1
  atom.exch.b32 %back, [%from], 1;
  ret;
}
)";
  CHECK(pure_in("", in_register).empty());
}

TEST_CASE("a text with very many uses is not read to its end", "[pure_exchanges]") {
  // Each exchange leads to every sum.
  const auto pure = [](int exchanges) {
    std::string body = kTop + ".visible .entry k(.param .u64 a)\n{\n.reg .b32 %r<9>;\n.reg .b64 %d<9>;\n";
    for (int i = 0; i < exchanges; ++i) body += kExchange + "  add.s32 %r5, %r5, 1;\n";
    return pure_exchanges(ptx::parse(body + "  ret;\n}\n")).size();
  };
  CHECK(pure(100) == 100);
  CHECK(pure(3000) < 3000);
}
