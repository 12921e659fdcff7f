// What is known of each opcode of PTX. This is the one place for it: the decoder, the profile, the model, the coverage
// and the checks ask here, and none of them compares names.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "vgpu/ptx/opcode.h"
#include "vgpu/ptx/work_kind.h"

namespace cudalabs::vgpu::ptx {

/// Instructions whose suffixes and operands are read the same way: one method of the decoder's Translator each.
enum class Family : std::uint8_t {
  refused,  // the virtual GPU does not execute it
  abs_or_neg,
  active_mask,
  add_or_sub,
  atomic,
  barrier,
  bra,
  brx,
  cache_policy,
  call,
  copy,
  copysign,
  cvt,
  cvta,
  div,
  elect,
  exit,
  fence,
  float_unary,
  fma,
  getctarank,
  image_query,
  isspacep,
  load,
  logic,
  lanes,  // forms of a function of one lane each: handlers/lane_form.h
  mad,
  mapa,
  match,
  matrix,
  mbarrier,
  min_or_max,
  mov,
  mul,
  nanosleep,
  no_operation,
  redux,
  ret,
  selp,
  set,
  setp,
  shift,
  shuffle,
  slct,
  stack,
  store,
  surface_load,
  surface_reduction,
  surface_store,
  texture,
  trap,
  video,
  vote
};

/// How the class follows from the type, where it does.
enum class Classing : std::uint8_t {
  as_named,    // it does not
  by_type,     // arithmetic of that type
  division,    // the same, but for floating-point numbers, which a special function is behind
  conversion,  // double precision on either side, or not
};
struct Work {
  constexpr Work(OpcodeClass kind) : classing(Classing::as_named), named(kind) {}
  constexpr Work(Classing by) : classing(by), named(OpcodeClass::other) {}

  Classing classing;
  OpcodeClass named;
};

/// Where the thread goes on.
enum class Flow : std::uint8_t { straight, jump, table, call, end };
/// Whether the first operand is what the instruction writes; it reads all others.
enum class Result : std::uint8_t { none, first };
/// Whether what it reads goes to memory, to other threads or to another function.
enum class GivesAway : std::uint8_t { no, yes };
/// Whether findings may be about it.
enum class Findings : std::uint8_t { no, yes };

/// The rows below are made by functions that take every fact: a row without one of them does not compile.
struct InstructionFacts {
  Opcode opcode;
  std::string_view name;
  Family family;
  Work work;
  std::uint8_t operations;  // on floating-point numbers, of a lane, for each number in an operand
  Flow flow;
  Result result;
  GivesAway gives_away;
  Findings findings;
  std::optional<WaitKind> wait{};

  /// The same, but for what others wait for: another thing than its class says.
  constexpr InstructionFacts waits(WaitKind kind) const {
    InstructionFacts facts = *this;
    facts.wait = kind;
    return facts;
  }

  constexpr bool is_executed() const { return family != Family::refused; }
  /// Whether no instruction after it belongs to its block.
  constexpr bool ends_block() const { return flow != Flow::straight && flow != Flow::call; }
  /// Whether all threads count that come to it, and not only those for which its guard holds.
  constexpr bool counts_all() const { return flow == Flow::jump || flow == Flow::table; }
};

namespace rows {

/// A result out of operands, and nothing else.
constexpr InstructionFacts computes(Opcode opcode, std::string_view name, Family family, Work work,
                                    std::uint8_t operations) {
  return {opcode, name, family, work, operations, Flow::straight, Result::first, GivesAway::no, Findings::no};
}
constexpr InstructionFacts accesses(Opcode opcode, std::string_view name, Family family, OpcodeClass work,
                                    Result result, Findings findings) {
  return {opcode, name, family, work, 0, Flow::straight, result, GivesAway::yes, findings};
}
/// Between the lanes of a warp.
constexpr InstructionFacts exchanges(Opcode opcode, std::string_view name, Family family, GivesAway gives_away,
                                     Findings findings) {
  return {opcode, name, family, OpcodeClass::warp_sync, 0, Flow::straight, Result::first, gives_away, findings};
}
/// Barriers and fences.
constexpr InstructionFacts orders(Opcode opcode, std::string_view name, Family family, OpcodeClass work) {
  return {opcode, name, family, work, 0, Flow::straight, Result::none, GivesAway::no, Findings::yes};
}
constexpr InstructionFacts leads(Opcode opcode, std::string_view name, Family family, OpcodeClass work, Flow flow,
                                 Findings findings) {
  const bool calls = flow == Flow::call;
  return {opcode,
          name,
          family,
          work,
          0,
          flow,
          calls ? Result::first : Result::none,
          calls ? GivesAway::yes : GivesAway::no,
          findings};
}
/// Takes local memory, or gives it back.
constexpr InstructionFacts allocates(Opcode opcode, std::string_view name, Result result) {
  return {opcode, name, Family::stack, OpcodeClass::other, 0, Flow::straight, result, GivesAway::no, Findings::yes};
}
/// Changes nothing that a program can see, but perhaps when.
constexpr InstructionFacts hints(Opcode opcode, std::string_view name, Family family) {
  return {opcode, name, family, OpcodeClass::other, 0, Flow::straight, Result::none, GivesAway::no, Findings::no};
}
/// Not executed.
constexpr InstructionFacts refused(Opcode opcode, std::string_view name) {
  return hints(opcode, name, Family::refused);
}

/// By opcode, which is by name.
inline constexpr std::array<InstructionFacts, 135> kAll{{
    computes(Opcode::abs, "abs", Family::abs_or_neg, Classing::by_type, 0),
    computes(Opcode::activemask, "activemask", Family::active_mask, OpcodeClass::move, 0),
    computes(Opcode::add, "add", Family::add_or_sub, Classing::by_type, 1),
    computes(Opcode::addc, "addc", Family::lanes, Classing::by_type, 0),
    allocates(Opcode::alloca, "alloca", Result::first),
    computes(Opcode::and_, "and", Family::logic, Classing::by_type, 0),
    hints(Opcode::applypriority, "applypriority", Family::no_operation),
    accesses(Opcode::atom, "atom", Family::atomic, OpcodeClass::atomic, Result::first, Findings::yes),
    orders(Opcode::bar, "bar", Family::barrier, OpcodeClass::barrier),
    orders(Opcode::barrier, "barrier", Family::barrier, OpcodeClass::barrier),
    computes(Opcode::bfe, "bfe", Family::lanes, Classing::by_type, 0),
    computes(Opcode::bfi, "bfi", Family::lanes, Classing::by_type, 0),
    computes(Opcode::bfind, "bfind", Family::lanes, Classing::by_type, 0),
    computes(Opcode::bmsk, "bmsk", Family::lanes, Classing::by_type, 0),
    leads(Opcode::bra, "bra", Family::bra, OpcodeClass::branch, Flow::jump, Findings::no),
    computes(Opcode::brev, "brev", Family::lanes, Classing::by_type, 0),
    hints(Opcode::brkpt, "brkpt", Family::no_operation),
    leads(Opcode::brx, "brx", Family::brx, OpcodeClass::branch, Flow::table, Findings::no),
    leads(Opcode::call, "call", Family::call, OpcodeClass::call, Flow::call, Findings::yes),
    refused(Opcode::clusterlaunchcontrol, "clusterlaunchcontrol"),
    computes(Opcode::clz, "clz", Family::lanes, Classing::by_type, 0),
    computes(Opcode::cnot, "cnot", Family::logic, Classing::by_type, 0),
    computes(Opcode::copysign, "copysign", Family::copysign, Classing::by_type, 0),
    computes(Opcode::cos, "cos", Family::lanes, OpcodeClass::special_function, 1),
    accesses(Opcode::cp, "cp", Family::copy, OpcodeClass::load, Result::none, Findings::yes).waits(WaitKind::copy),
    computes(Opcode::createpolicy, "createpolicy", Family::cache_policy, OpcodeClass::move, 0),
    computes(Opcode::cvt, "cvt", Family::cvt, Classing::conversion, 0),
    computes(Opcode::cvta, "cvta", Family::cvta, OpcodeClass::conversion, 0).waits(WaitKind::none),
    hints(Opcode::discard, "discard", Family::no_operation),
    computes(Opcode::div, "div", Family::div, Classing::division, 1),
    computes(Opcode::dp2a, "dp2a", Family::lanes, Classing::by_type, 0),
    computes(Opcode::dp4a, "dp4a", Family::lanes, Classing::by_type, 0),
    exchanges(Opcode::elect, "elect", Family::elect, GivesAway::no, Findings::no),
    computes(Opcode::ex2, "ex2", Family::float_unary, OpcodeClass::special_function, 1),
    leads(Opcode::exit, "exit", Family::exit, OpcodeClass::exit, Flow::end, Findings::no),
    orders(Opcode::fence, "fence", Family::fence, OpcodeClass::fence),
    computes(Opcode::fma, "fma", Family::fma, Classing::by_type, 2),
    computes(Opcode::fns, "fns", Family::lanes, Classing::by_type, 0),
    computes(Opcode::getctarank, "getctarank", Family::getctarank, OpcodeClass::conversion, 0).waits(WaitKind::none),
    hints(Opcode::griddepcontrol, "griddepcontrol", Family::no_operation),
    computes(Opcode::isspacep, "isspacep", Family::isspacep, OpcodeClass::comparison, 0),
    refused(Opcode::istypep, "istypep"),
    accesses(Opcode::ld, "ld", Family::load, OpcodeClass::load, Result::first, Findings::yes),
    accesses(Opcode::ldmatrix, "ldmatrix", Family::matrix, OpcodeClass::load, Result::first, Findings::yes),
    accesses(Opcode::ldu, "ldu", Family::load, OpcodeClass::load, Result::first, Findings::no),
    computes(Opcode::lg2, "lg2", Family::lanes, OpcodeClass::special_function, 1),
    computes(Opcode::lop3, "lop3", Family::lanes, Classing::by_type, 0),
    computes(Opcode::mad, "mad", Family::mad, Classing::by_type, 2),
    computes(Opcode::mad24, "mad24", Family::lanes, Classing::by_type, 0),
    computes(Opcode::madc, "madc", Family::lanes, Classing::by_type, 0),
    computes(Opcode::mapa, "mapa", Family::mapa, OpcodeClass::conversion, 0).waits(WaitKind::none),
    exchanges(Opcode::match, "match", Family::match, GivesAway::no, Findings::yes),
    computes(Opcode::max, "max", Family::min_or_max, Classing::by_type, 1),
    accesses(Opcode::mbarrier, "mbarrier", Family::mbarrier, OpcodeClass::atomic, Result::first, Findings::yes),
    orders(Opcode::membar, "membar", Family::fence, OpcodeClass::fence),
    computes(Opcode::min, "min", Family::min_or_max, Classing::by_type, 1),
    exchanges(Opcode::mma, "mma", Family::matrix, GivesAway::yes, Findings::yes),
    computes(Opcode::mov, "mov", Family::mov, OpcodeClass::move, 0),
    exchanges(Opcode::movmatrix, "movmatrix", Family::matrix, GivesAway::yes, Findings::yes),
    computes(Opcode::mul, "mul", Family::mul, Classing::by_type, 1),
    computes(Opcode::mul24, "mul24", Family::lanes, Classing::by_type, 0),
    refused(Opcode::multimem, "multimem"),
    hints(Opcode::nanosleep, "nanosleep", Family::nanosleep),
    computes(Opcode::neg, "neg", Family::abs_or_neg, Classing::by_type, 0),
    computes(Opcode::not_, "not", Family::logic, Classing::by_type, 0),
    computes(Opcode::or_, "or", Family::logic, Classing::by_type, 0),
    hints(Opcode::pmevent, "pmevent", Family::no_operation),
    computes(Opcode::popc, "popc", Family::lanes, Classing::by_type, 0),
    hints(Opcode::prefetch, "prefetch", Family::no_operation),
    hints(Opcode::prefetchu, "prefetchu", Family::no_operation),
    computes(Opcode::prmt, "prmt", Family::lanes, Classing::by_type, 0),
    computes(Opcode::rcp, "rcp", Family::float_unary, OpcodeClass::special_function, 1),
    accesses(Opcode::red, "red", Family::atomic, OpcodeClass::atomic, Result::none, Findings::yes)
        .waits(WaitKind::issue),
    exchanges(Opcode::redux, "redux", Family::redux, GivesAway::yes, Findings::yes),
    computes(Opcode::rem, "rem", Family::lanes, Classing::by_type, 0),
    leads(Opcode::ret, "ret", Family::ret, OpcodeClass::exit, Flow::end, Findings::no),
    computes(Opcode::rsqrt, "rsqrt", Family::float_unary, OpcodeClass::special_function, 1),
    computes(Opcode::sad, "sad", Family::lanes, Classing::by_type, 0),
    computes(Opcode::selp, "selp", Family::selp, OpcodeClass::comparison, 0),
    computes(Opcode::set, "set", Family::set, OpcodeClass::comparison, 0),
    hints(Opcode::setmaxnreg, "setmaxnreg", Family::no_operation),
    computes(Opcode::setp, "setp", Family::setp, OpcodeClass::comparison, 0),
    computes(Opcode::shf, "shf", Family::lanes, Classing::by_type, 0),
    exchanges(Opcode::shfl, "shfl", Family::shuffle, GivesAway::yes, Findings::yes),
    computes(Opcode::shl, "shl", Family::shift, Classing::by_type, 0),
    computes(Opcode::shr, "shr", Family::shift, Classing::by_type, 0),
    computes(Opcode::sin, "sin", Family::lanes, OpcodeClass::special_function, 1),
    computes(Opcode::slct, "slct", Family::slct, OpcodeClass::comparison, 0),
    computes(Opcode::sqrt, "sqrt", Family::float_unary, OpcodeClass::special_function, 1),
    accesses(Opcode::st, "st", Family::store, OpcodeClass::store, Result::none, Findings::yes),
    allocates(Opcode::stackrestore, "stackrestore", Result::none),
    allocates(Opcode::stacksave, "stacksave", Result::first),
    accesses(Opcode::stmatrix, "stmatrix", Family::matrix, OpcodeClass::store, Result::none, Findings::yes),
    computes(Opcode::sub, "sub", Family::add_or_sub, Classing::by_type, 1),
    computes(Opcode::subc, "subc", Family::lanes, Classing::by_type, 0),
    accesses(Opcode::suld, "suld", Family::surface_load, OpcodeClass::load, Result::first, Findings::yes),
    accesses(Opcode::suq, "suq", Family::image_query, OpcodeClass::load, Result::first, Findings::yes),
    accesses(Opcode::sured, "sured", Family::surface_reduction, OpcodeClass::atomic, Result::none, Findings::yes),
    accesses(Opcode::sust, "sust", Family::surface_store, OpcodeClass::store, Result::none, Findings::yes),
    computes(Opcode::szext, "szext", Family::lanes, Classing::by_type, 0),
    computes(Opcode::tanh, "tanh", Family::float_unary, OpcodeClass::special_function, 1),
    refused(Opcode::tcgen05, "tcgen05"),
    refused(Opcode::tensormap, "tensormap"),
    computes(Opcode::testp, "testp", Family::lanes, OpcodeClass::comparison, 0),
    accesses(Opcode::tex, "tex", Family::texture, OpcodeClass::load, Result::first, Findings::yes),
    accesses(Opcode::tld4, "tld4", Family::texture, OpcodeClass::load, Result::first, Findings::yes),
    leads(Opcode::trap, "trap", Family::trap, OpcodeClass::exit, Flow::end, Findings::yes),
    accesses(Opcode::txq, "txq", Family::image_query, OpcodeClass::load, Result::first, Findings::yes),
    computes(Opcode::vabsdiff, "vabsdiff", Family::video, Classing::by_type, 0),
    computes(Opcode::vabsdiff2, "vabsdiff2", Family::video, Classing::by_type, 0),
    computes(Opcode::vabsdiff4, "vabsdiff4", Family::video, Classing::by_type, 0),
    computes(Opcode::vadd, "vadd", Family::video, Classing::by_type, 0),
    computes(Opcode::vadd2, "vadd2", Family::video, Classing::by_type, 0),
    computes(Opcode::vadd4, "vadd4", Family::video, Classing::by_type, 0),
    computes(Opcode::vavrg2, "vavrg2", Family::video, Classing::by_type, 0),
    computes(Opcode::vavrg4, "vavrg4", Family::video, Classing::by_type, 0),
    computes(Opcode::vmad, "vmad", Family::video, Classing::by_type, 0),
    computes(Opcode::vmax, "vmax", Family::video, Classing::by_type, 0),
    computes(Opcode::vmax2, "vmax2", Family::video, Classing::by_type, 0),
    computes(Opcode::vmax4, "vmax4", Family::video, Classing::by_type, 0),
    computes(Opcode::vmin, "vmin", Family::video, Classing::by_type, 0),
    computes(Opcode::vmin2, "vmin2", Family::video, Classing::by_type, 0),
    computes(Opcode::vmin4, "vmin4", Family::video, Classing::by_type, 0),
    exchanges(Opcode::vote, "vote", Family::vote, GivesAway::no, Findings::yes),
    computes(Opcode::vset, "vset", Family::video, Classing::by_type, 0),
    computes(Opcode::vset2, "vset2", Family::video, Classing::by_type, 0),
    computes(Opcode::vset4, "vset4", Family::video, Classing::by_type, 0),
    computes(Opcode::vshl, "vshl", Family::video, Classing::by_type, 0),
    computes(Opcode::vshr, "vshr", Family::video, Classing::by_type, 0),
    computes(Opcode::vsub, "vsub", Family::video, Classing::by_type, 0),
    computes(Opcode::vsub2, "vsub2", Family::video, Classing::by_type, 0),
    computes(Opcode::vsub4, "vsub4", Family::video, Classing::by_type, 0),
    refused(Opcode::wgmma, "wgmma"),
    exchanges(Opcode::wmma, "wmma", Family::matrix, GivesAway::yes, Findings::yes),
    computes(Opcode::xor_, "xor", Family::logic, Classing::by_type, 0),
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kAll.size(); ++i) {
    if (static_cast<std::size_t>(kAll[i].opcode) != i || (i > 0 && kAll[i - 1].name >= kAll[i].name)) return false;
  }
  return kAll.size() == static_cast<std::size_t>(Opcode::unknown);
}
static_assert(in_order());

/// Of a word that is no opcode.
inline constexpr InstructionFacts kUnknown = refused(Opcode::unknown, "");

}  // namespace rows

constexpr const InstructionFacts& facts_of(Opcode opcode) {
  return opcode == Opcode::unknown ? rows::kUnknown : rows::kAll[static_cast<std::size_t>(opcode)];
}

/// `unknown` for a word that is no opcode.
constexpr Opcode opcode_from_name(std::string_view name) {
  const auto* const found = std::ranges::lower_bound(rows::kAll, name, {}, &InstructionFacts::name);
  return found != rows::kAll.end() && found->name == name ? found->opcode : Opcode::unknown;
}

}  // namespace cudalabs::vgpu::ptx
