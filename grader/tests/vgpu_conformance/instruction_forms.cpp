// Every form of arithmetic instruction, family by family.
#include "instruction_forms.h"

#include <set>
#include <utility>

#include "vgpu/exec/handlers/lane_form.h"
#include "vgpu/ptx/instruction_set.h"
#include "video.h"

namespace cudalabs::conformance {

namespace {

using vgpu::exec::LaneForm;
using vgpu::ptx::Family;
using vgpu::ptx::Type;

using Words = std::vector<std::string>;

const Words kSmallIntegers{"u8", "s8"};
const Words kIntegers{"u16", "s16", "u32", "s32", "u64", "s64"};
const Words kPackedIntegers{"u16x2", "s16x2"};
const Words kHalves{"f16", "f16x2", "bf16", "bf16x2"};
const Words kReals{"f32", "f64"};
const Words kRoundings{"", ".rn", ".rz", ".rm", ".rp"};
const Words kFlush{"", ".ftz"};
const Words kSaturate{"", ".sat"};

Words joined(const Words& left, const Words& right) {
  Words all = left;
  all.insert(all.end(), right.begin(), right.end());
  return all;
}

/// All words that take one of each list's parts, in the lists' order.
Words spellings(const std::vector<Words>& lists) {
  Words made{""};
  for (const Words& list : lists) {
    Words longer;
    for (const std::string& begun : made) {
      for (const std::string& part : list) longer.push_back(begun + part);
    }
    made = std::move(longer);
  }
  return made;
}

// Types that the virtual GPU does not know are bits to it.
Slot slot_of(const std::string& name) {
  if (name == "tf32" || name == "u16x2" || name == "s16x2") return {Type::b32, 32};
  if (name.ends_with("x2") && name[0] == 'e') return {Type::b16, 16};
  const Type type = vgpu::ptx::type_from_name(name).value();
  if (type == Type::pred) return {type, 1};
  const std::uint32_t bits = 8 * vgpu::ptx::size_in_bytes(type);
  return {type, bits < 16 ? 16 : bits};
}

Slot predicate() {
  return {Type::pred, 1};
}

Words comparisons_of(const std::string& type) {
  Words all{"eq", "ne"};
  if (type[0] != 'b' || type.starts_with("bf")) all = joined(all, {"lt", "le", "gt", "ge"});
  if (type[0] == 'u') all = joined(all, {"lo", "ls", "hi", "hs"});
  if (type[0] == 'f' || type.starts_with("bf")) {
    all = joined(all, {"equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"});
  }
  return all;
}

/// Whether ptxas 13.0 makes code of it that does what the PTX ISA says. On an H200 it did not for these: merges into
/// the upper half word leave zeros there, merges with `.sat` saturate what fits, `.min` and `.max` of results without a
/// sign or of shifts to the left choose the wrong one, sums and differences without a sign, and absolute differences of
/// two signs, do not saturate, and products without a sign are scaled and saturated as if the sum had one.
bool compiled_as_written(const reference::VideoInstruction& instruction) {
  const std::string& text = instruction.text;
  const auto has = [&](const char* part) { return text.find(part) != std::string::npos; };
  const auto begins = [&](const char* part) { return text.starts_with(part); };
  if (begins("vmad")) return begins("vmad.u32.s32.s32") || begins("vmad.s32.s32.s32") || !(has(".sat") || has(".shr"));
  if (!instruction.d.empty()) return !has(".sat") && instruction.d != ".h1";
  const bool signed_result = text.substr(text.find('.')).starts_with(".s32");
  if (has(".min") || has(".max")) return !has(".sat") && !begins("vshl") && (begins("vset") || signed_result);
  if (!has(".sat")) return true;
  if (begins("vadd") || begins("vsub")) return signed_result;
  return !(begins("vabsdiff") && has(".u32") && has(".s32"));
}

class FormList {
 public:
  std::vector<InstructionForm> build() {
    for (const auto& [name, form] : vgpu::exec::lane_forms_by_name()) lane_form(name, *form);
    for (const vgpu::ptx::InstructionFacts& facts : vgpu::ptx::rows::kAll) family(facts);
    return std::move(forms_);
  }

 private:
  void add(InstructionForm form) {
    if (known_.insert(form.key()).second) forms_.push_back(std::move(form));
  }
  void add(const std::string& text, const Slot& result, std::vector<Slot> operands, Shape shape = Shape::plain) {
    add(InstructionForm{.text = text, .shape = shape, .result = result, .operands = std::move(operands)});
  }
  /// Every operand and the result have the type: what the lists make, a dot, the type.
  void same(const std::vector<Words>& lists, const Words& types, std::size_t operands) {
    for (const std::string& type : types) {
      for (const std::string& text : spellings(lists)) {
        add(text + "." + type, slot_of(type), std::vector<Slot>(operands, slot_of(type)));
      }
    }
  }

  void lane_form(const std::string& name, const LaneForm& lanes) {
    InstructionForm form{.text = name};
    const auto slot = [](Type type) { return Slot{type, type == Type::pred ? 1 : 8 * vgpu::ptx::size_in_bytes(type)}; };
    form.result = slot(lanes.result);
    form.carry_out = lanes.carries_out;
    for (std::size_t i = 0; i < lanes.count; ++i) {
      if (lanes.operands[i].type == Type::pred) {
        form.carry_in = true;
      } else if (lanes.operands[i].in_text) {
        form.table = true;
      } else {
        form.operands.push_back(slot(lanes.operands[i].type));
      }
    }
    add(std::move(form));
  }

  void family(const vgpu::ptx::InstructionFacts& facts) {
    const std::string name(facts.name);
    switch (facts.family) {
      case Family::abs_or_neg:
        same({{name}, kFlush}, joined(joined(kIntegers, kHalves), kReals), 1);
        return;
      case Family::add_or_sub:
        same({{name}, kSaturate}, joined(kIntegers, kPackedIntegers), 2);
        same({{name}, kRoundings, kFlush, kSaturate}, joined(kHalves, kReals), 2);
        return;
      case Family::mul:
        same({{name}, {".lo", ".hi"}}, kIntegers, 2);
        wide(name, false);
        same({{name}, kRoundings, kFlush, kSaturate}, joined(kHalves, kReals), 2);
        return;
      case Family::mad:
        same({{name}, {".lo", ".hi"}, kSaturate}, kIntegers, 3);
        wide(name, true);
        same({{name}, kRoundings, kFlush, kSaturate}, kReals, 3);
        return;
      case Family::fma:
        same({{name}, kRoundings, kFlush, kSaturate}, joined(kHalves, kReals), 3);
        same({{name + ".rn"}, kFlush, {"", ".oob"}, {".relu"}}, kHalves, 3);
        same({{name + ".rn"}, kFlush, {".oob"}}, kHalves, 3);
        return;
      case Family::div:
        same({{name}, joined(kRoundings, {".approx", ".full"}), kFlush}, kReals, 2);
        return;
      case Family::float_unary:
        same({{name}, joined(kRoundings, {".approx"}), kFlush}, joined(kHalves, kReals), 1);
        return;
      case Family::copysign:
        same({{name}}, kReals, 2);
        return;
      case Family::min_or_max:
        same({{name}, {"", ".relu"}}, joined(kIntegers, kPackedIntegers), 2);
        same({{name}, kFlush, {"", ".NaN"}, {"", ".xorsign.abs"}}, joined(kHalves, kReals), 2);
        return;
      case Family::logic:
        same({{name}}, {"pred", "b16", "b32", "b64"}, name == "not" || name == "cnot" ? 1 : 2);
        return;
      case Family::shift:
        for (const std::string& type : joined(kIntegers, {"b16", "b32", "b64"})) {
          add(name + "." + type, slot_of(type), {slot_of(type), slot_of("u32")});
        }
        return;
      case Family::selp:
        for (const std::string& type : joined(joined(kIntegers, {"b16", "b32", "b64"}), kReals)) {
          add(name + "." + type, slot_of(type), {slot_of(type), slot_of(type), predicate()});
        }
        return;
      case Family::slct:
        for (const std::string& type : joined(joined(kIntegers, {"b16", "b32", "b64"}), kReals)) {
          for (const std::string tested : {".s32", ".f32"}) {
            for (const std::string& flush : kFlush) {
              const std::string form = std::string(name).append(flush).append(".").append(type).append(tested);
              add(form, slot_of(type), {slot_of(type), slot_of(type), slot_of(tested.substr(1))});
            }
          }
        }
        return;
      case Family::set:
        comparisons(name, {"u32", "s32", "f32", "u16", "s16", "f16", "bf16", "f16x2", "bf16x2"});
        return;
      case Family::setp:
        comparisons(name, {});
        return;
      case Family::cvt:
        conversions();
        return;
      case Family::atomic:
        atomics(name);
        return;
      case Family::video:
        video(name);
        return;
      // The lane forms are there already. What moves values, exchanges them between lanes or threads, or does nothing
      // with them is held by random programs.
      case Family::lanes:
      case Family::refused:
      case Family::texture:
      case Family::surface_load:
      case Family::surface_reduction:
      case Family::surface_store:
      case Family::active_mask:
      case Family::barrier:
      case Family::bra:
      case Family::brx:
      case Family::cache_policy:
      case Family::call:
      case Family::copy:
      case Family::cvta:
      case Family::elect:
      case Family::exit:
      case Family::fence:
      case Family::getctarank:
      case Family::image_query:
      case Family::isspacep:
      case Family::load:
      case Family::mapa:
      case Family::match:
      case Family::matrix:
      case Family::mbarrier:
      case Family::mov:
      case Family::nanosleep:
      case Family::no_operation:
      case Family::redux:
      case Family::ret:
      case Family::shuffle:
      case Family::stack:
      case Family::store:
      case Family::trap:
      case Family::vote:
        return;
    }
  }

  void wide(const std::string& name, bool adds) {
    for (const auto& [narrow, result] : {std::pair{"u16", "u32"}, {"s16", "s32"}, {"u32", "u64"}, {"s32", "s64"}}) {
      std::vector<Slot> operands{slot_of(narrow), slot_of(narrow)};
      if (adds) operands.push_back(slot_of(result));
      add(name + ".wide." + narrow, slot_of(result), operands);
    }
  }

  // `results`: the types that `set` may yield; none for `setp`.
  void comparisons(const std::string& name, const Words& results) {
    const Words types = joined(joined(joined({"b16", "b32", "b64"}, kIntegers), kHalves), kReals);
    for (const std::string& type : types) {
      const bool flushes = type == "f32" || type == "f16" || type == "f16x2";
      for (const std::string& text :
           spellings({{name + "."}, comparisons_of(type), {"", ".and", ".or", ".xor"}, flushes ? kFlush : Words{""}})) {
        std::vector<Slot> operands{slot_of(type), slot_of(type)};
        const bool combines = text.find(".and") != std::string::npos || text.find(".or") != std::string::npos ||
                              text.find(".xor") != std::string::npos;
        if (combines) operands.push_back(predicate());
        if (results.empty()) {
          add(text + "." + type, predicate(), operands);
          add(text + "." + type, predicate(), operands, Shape::predicate_pair);
        }
        for (const std::string& result : results) {
          const bool packed = result.ends_with("x2"), half = result.ends_with("16");
          if ((packed || half) && !type.starts_with("f16") && !type.starts_with("bf16")) continue;
          if (packed != (type.ends_with("x2") && result[0] != 'u' && result[0] != 's')) continue;
          // What a comparison is combined with has nothing to do with the result's type: one type shows it all.
          if (combines && result != "u32" && text.find(".and") == std::string::npos) continue;
          add(std::string(text).append(".").append(result).append(".").append(type), slot_of(result), operands);
        }
      }
    }
  }

  // Also where types narrower than their registers stand in wider ones.
  void convert(const std::string& modifiers, const std::string& to, const std::string& from) {
    const auto registers = [](const std::string& name) {
      std::vector<Slot> slots{slot_of(name)};
      if (slots[0].bits == 16 && (name[0] == 'u' || name[0] == 's')) slots.push_back({slots[0].type, 32});
      return slots;
    };
    const std::string text = std::string("cvt").append(modifiers).append(".").append(to).append(".").append(from);
    for (const Slot& result : registers(to)) {
      for (const Slot& operand : registers(from)) add(text, result, {operand});
    }
  }

  void conversions() {
    const Words integers = joined(kSmallIntegers, kIntegers);
    const Words floats{"f16", "bf16", "f32", "f64"};
    for (const std::string& to : integers) {
      for (const std::string& from : integers) {
        for (const std::string& modifiers : kSaturate) convert(modifiers, to, from);
      }
      for (const std::string& real : floats) {
        const Words flush = real == "f32" ? kFlush : Words{""};
        for (const std::string& modifiers : spellings({{".rni", ".rzi", ".rmi", ".rpi"}, flush, kSaturate})) {
          convert(modifiers, to, real);
        }
        for (const std::string& modifiers : spellings({{".rn", ".rz", ".rm", ".rp"}, kSaturate})) {
          convert(modifiers, real, to);
        }
      }
    }
    const Words roundings = joined(kRoundings, {".rna", ".rni", ".rzi", ".rmi", ".rpi"});
    for (const std::string& from : floats) {
      for (const std::string& to : joined(floats, {"tf32"})) {
        const Words flush = from == "f32" || to == "f32" ? kFlush : Words{""};
        for (const std::string& modifiers : spellings({roundings, flush, kSaturate})) convert(modifiers, to, from);
        for (const std::string& modifiers : spellings({{".rn", ".rz", ".rna"}, {"", ".relu"}, {"", ".satfinite"}})) {
          if (from == "f32" && modifiers.size() > 4) convert(modifiers, to, from);
        }
      }
    }
    packed_conversions();
  }

  void packed_conversions() {
    const Words relu{"", ".relu"};
    for (const std::string to : {"f16x2", "bf16x2"}) {
      for (const std::string& text : spellings({{"cvt"}, {".rn", ".rz"}, relu, {"", ".satfinite"}})) {
        add(std::string(text).append(".").append(to).append(".f32"), slot_of(to), {slot_of("f32"), slot_of("f32")});
      }
    }
    for (const std::string narrow : {"e4m3x2", "e5m2x2"}) {
      for (const std::string& modifiers : relu) {
        const std::string text = "cvt.rn.satfinite" + modifiers + "." + narrow;
        add(text + ".f32", slot_of(narrow), {slot_of("f32"), slot_of("f32")});
        add(text + ".f16x2", slot_of(narrow), {slot_of("f16x2")});
        add("cvt.rn" + modifiers + ".f16x2." + narrow, slot_of("f16x2"), {slot_of(narrow)});
      }
    }
    for (const std::string sign : {"u", "s"}) {
      add("cvt.pack.sat." + sign + "16.s32", slot_of("b32"), {slot_of("s32"), slot_of("s32")});
      for (const std::string bits : {"8", "4", "2"}) {
        add(std::string("cvt.pack.sat.").append(sign).append(bits).append(".s32.b32"), slot_of("b32"),
            {slot_of("s32"), slot_of("s32"), slot_of("b32")});
      }
    }
  }

  // Each thread has a place of its own: what is held is the arithmetic, not the order.
  void atomics(const std::string& name) {
    const bool returns = name == "atom";
    const Words types = joined(joined({"u32", "s32", "u64", "s64", "b16", "b32", "b64"}, kHalves), kReals);
    for (const std::string operation : {"add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec"}) {
      for (const std::string& type : types) {
        std::vector<Slot> operands(operation == "cas" ? 3 : 2, slot_of(type));
        const bool half = type.starts_with("f16") || type.starts_with("bf16");
        const std::string text = std::string(".").append(operation).append(half ? ".noftz." : ".").append(type);
        add(name + ".global" + text, slot_of(type), operands, returns ? Shape::global_atomic : Shape::global_reduction);
        add(name + ".shared" + text, slot_of(type), operands, returns ? Shape::shared_atomic : Shape::shared_reduction);
      }
    }
  }

  void video(const std::string& name) {
    const auto add_one = [&](const reference::VideoInstruction& instruction) {
      if (!instruction.text.starts_with(name + ".")) return;
      InstructionForm form{.text = instruction.text, .result = slot_of("u32")};
      form.operands.assign(instruction.has_c ? 3 : 2, slot_of("u32"));
      const std::string written = instruction.spelled("%x", "%a0", "%a1", "%a2").substr(instruction.text.size() + 1);
      // Without a selector the key is like those of other forms.
      if (written != (instruction.has_c ? "%x, %a0, %a1, %a2" : "%x, %a0, %a1")) form.written = written;
      add(std::move(form));
    };
    for (const reference::VideoInstruction& instruction : reference::scalar_video_instructions()) {
      if (compiled_as_written(instruction)) add_one(instruction);
    }
    // Of several values, one mask in four.
    std::size_t masked = 0;
    for (const reference::VideoInstruction& instruction : reference::packed_video_instructions()) {
      if (instruction.d.empty() || ++masked % 4 == 0) add_one(instruction);
    }
  }

  std::vector<InstructionForm> forms_;
  std::set<std::string> known_;
};

}  // namespace

std::vector<InstructionForm> all_instruction_forms() {
  return FormList().build();
}

}  // namespace cudalabs::conformance
