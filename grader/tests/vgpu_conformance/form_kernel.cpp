// A kernel for one form.
#include "form_kernel.h"

#include <fmt/format.h>

namespace cudalabs::conformance {

namespace {

class KernelWriter {
 public:
  KernelWriter(const InstructionForm& form, std::size_t rows) : form_(form), rows_(rows) {}

  std::string write() {
    text_ = ".version 8.6\n.target sm_90\n.address_size 64\n";
    if (form_.shape == Shape::function) declare_function();
    text_ += ".visible .entry form(.param .u64 operands, .param .u64 results)\n{\n";
    line(".reg .b32 %thread, %block, %threads, %word, %sum; .reg .b64 %in, %out, %cell; .reg .pred %other;");
    if (shared()) line(".shared .align 8 .b8 cells[{}];", 8 * kThreadsPerBlock);
    line("mov.u32 %thread, %tid.x; mov.u32 %block, %ctaid.x; mov.u32 %threads, %ntid.x;");
    if (shared()) line("mov.u64 %cell, cells; mad.wide.u32 %cell, %thread, 8, %cell;");
    line("mad.lo.u32 %thread, %block, %threads, %thread;");
    line("ld.param.u64 %in, [operands]; ld.param.u64 %out, [results];");
    line("cvta.to.global.u64 %in, %in; cvta.to.global.u64 %out, %out;");
    line("mad.wide.u32 %in, %thread, 8, %in; mad.wide.u32 %out, %thread, 16, %out;");
    for (std::size_t i = 0; i < form_.operands.size(); ++i) load(i, form_.operands[i]);
    if (form_.result.bits != 0) line(".reg .{} %x;", register_type(form_.result));
    compute();
    line("ret;");
    return text_ + "}\n";
  }

 private:
  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text_ += '\t' + fmt::format(format, std::forward<Arguments>(arguments)...) + '\n';
  }
  bool shared() const { return form_.shape == Shape::shared_atomic || form_.shape == Shape::shared_reduction; }

  void load(std::size_t index, const Slot& slot) {
    line(".reg .{} %a{};", register_type(slot), index);
    if (slot.bits == 1) {
      line("ld.global.u32 %word, [%in+{}]; setp.ne.u32 %a{}, %word, 0;", index * rows_ * 8, index);
    } else {
      line("ld.global.{} %a{}, [%in+{}];", register_type(slot), index, index * rows_ * 8);
    }
  }

  void store(const std::string& value, const Slot& slot, unsigned offset) {
    if (slot.bits == 1) {
      line("selp.b32 %word, 1, 0, {}; st.global.u32 [%out+{}], %word;", value, offset);
    } else {
      line("st.global.{} [%out+{}], {};", register_type(slot), offset, value);
    }
  }

  std::string operands(std::size_t first) const {
    std::string list;
    for (std::size_t i = first; i < form_.operands.size(); ++i) list += fmt::format(", %a{}", i);
    return list;
  }

  void compute() {
    switch (form_.shape) {
      case Shape::function:
        return call();
      case Shape::predicate_pair:
        line("{} %x|%other{};", form_.text, operands(0));
        line("selp.b32 %word, 1, 0, %x; @%other or.b32 %word, %word, 2; st.global.u32 [%out], %word;");
        return;
      case Shape::plain:
        return instruction();
      default:
        return atomic();
    }
  }

  void instruction() {
    const bool borrows = form_.text.starts_with("sub");
    if (form_.carry_in) {
      line("ld.global.u32 %word, [%in+{}];", form_.operands.size() * rows_ * 8);
      line("{};", borrows ? "sub.cc.u32 %word, 0, %word" : "add.cc.u32 %word, %word, -1");
    }
    if (form_.table) {
      line("mov.b32 %sum, 0;");
      for (unsigned table = 0; table < 256; ++table) {
        line("{} %x{}, {}; mad.lo.u32 %sum, %sum, 33, %x;", form_.text, operands(0), table);
      }
      line("mov.b32 %x, %sum;");
    } else if (!form_.written.empty()) {
      line("{} {};", form_.text, form_.written);
    } else {
      line("{} %x{};", form_.text, operands(0));
    }
    if (form_.carry_out) {
      line("{} %word, 0, 0;", borrows ? "subc.u32" : "addc.u32");
      line("st.global.u32 [%out+8], %word;");
    }
    store("%x", form_.result, 0);
  }

  void atomic() {
    const std::string type = register_type(form_.result);
    const bool returns = form_.shape == Shape::global_atomic || form_.shape == Shape::shared_atomic;
    const std::string address = shared() ? "%cell" : "%out+8";
    line("st.{}.{} [{}], %a0;", shared() ? "shared" : "global", type, address);
    line("{} {}[{}]{};", form_.text, returns ? "%x, " : "", address, operands(1));
    if (returns) store("%x", form_.result, 0);
    if (shared()) line("ld.shared.{} %x, [%cell]; st.global.{} [%out+8], %x;", type, type);
  }

  void declare_function() {
    const auto parameter = [](const Slot& slot, const std::string& name) {
      return fmt::format(".param .{} {}", register_type(slot), name);
    };
    std::string parameters;
    for (std::size_t i = 0; i < form_.operands.size(); ++i) {
      parameters += (i == 0 ? "" : ", ") + parameter(form_.operands[i], fmt::format("a{}", i));
    }
    for (std::size_t i = 0; i < form_.stores.size(); ++i) parameters += fmt::format(", .param .b64 s{}", i);
    const std::string result = form_.result.bits != 0 ? fmt::format("({}) ", parameter(form_.result, "r")) : "";
    text_ += fmt::format(".extern .func {}{}({});\n", result, form_.text, parameters);
  }

  void call() {
    std::string arguments;
    for (std::size_t i = 0; i < form_.operands.size(); ++i) {
      const std::string type = register_type(form_.operands[i]);
      line(".param .{} p{}; st.param.{} [p{}], %a{};", type, i, type, i, i);
      arguments += fmt::format("{}p{}", i == 0 ? "" : ", ", i);
    }
    const bool returns = form_.result.bits != 0;
    unsigned place = returns ? 8 : 0;
    line("cvta.global.u64 %out, %out;");
    for (std::size_t i = 0; i < form_.stores.size(); ++i, place += 8) {
      line("add.u64 %cell, %out, {}; .param .b64 q{}; st.param.b64 [q{}], %cell;", place, i, i);
      arguments += fmt::format(", q{}", i);
    }
    if (returns) line(".param .{} r;", register_type(form_.result));
    line("call {}{}, ({});", returns ? "(r), " : "", form_.text, arguments);
    if (!returns) return;
    line("ld.param.{} %x, [r]; st.{} [%out], %x;", register_type(form_.result), register_type(form_.result));
  }

  const InstructionForm& form_;
  const std::size_t rows_;
  std::string text_;
};

const char* c_type(const Slot& slot) {
  switch (register_letter(slot)) {
    case 'f':
      return "float";
    case 'e':
      return "double";
    case 'd':
      return "long long";
    default:
      return "int";
  }
}

}  // namespace

std::string kernel_of(const InstructionForm& form, std::size_t rows) {
  return KernelWriter(form, rows).write();
}

std::string source_of(const std::vector<InstructionForm>& functions) {
  std::string text;
  for (const InstructionForm& form : functions) {
    std::string parameters, arguments;
    for (std::size_t i = 0; i < form.operands.size(); ++i) {
      const char* const type = c_type(form.operands[i]);
      parameters += fmt::format("{}{}", i == 0 ? "" : ", ", type);
      arguments += fmt::format("{}*({} const*)(in + {} * rows)", i == 0 ? "" : ", ", type, i);
    }
    const bool returns = form.result.bits != 0;
    std::size_t place = returns ? 1 : 0;
    for (const Slot& slot : form.stores) {
      parameters += fmt::format(", {}*", c_type(slot));
      arguments += fmt::format(", ({}*)(out + {})", c_type(slot), place++);
    }
    const char* const result = returns ? c_type(form.result) : "void";
    text += fmt::format("extern \"C\" __device__ {} {}({});\n", result, form.text, parameters);
    text += fmt::format(
        "extern \"C\" __global__ void form{}(long long const* operands, long long* results) {{\n"
        "  long long const rows = (long long)gridDim.x * blockDim.x, row = (long long)blockIdx.x * blockDim.x + "
        "threadIdx.x;\n  long long const* in = operands + row;\n  long long* out = results + 2 * row;\n  "
        "{}{}({});\n}}\n",
        form.text, returns ? fmt::format("*({}*)out = ", result) : "", form.text, arguments);
  }
  return text;
}

}  // namespace cudalabs::conformance
