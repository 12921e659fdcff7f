// Gives PTX instructions their meaning: one PTX function becomes one function of the decoder's own form.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "vgpu/exec/decode/operation_facts.h"
#include "vgpu/exec/decode/shared_pointers.h"
#include "vgpu/exec/decode/suffixes.h"
#include "vgpu/exec/matrix_form.h"
#include "vgpu/ptx/instruction_set.h"
#include "vgpu/ptx/module.h"
#include "vgpu/ptx/refusal.h"

namespace cudalabs::vgpu::exec {

struct Builtin;
struct VideoForm;

/// What the translator must know of the world outside the function.
struct Surroundings {
  const ptx::Module* module = nullptr;
  std::map<std::string, std::uint64_t, std::less<>> variables;  // module-scope global and constant variables: address
  bool narrow_constants = true;  // all constant variables lie in the first 4 GiB of global memory
  std::vector<SharedPointer> shared_pointers;
  bool uses_clusters = false;  // the kernel, or what it calls, has instructions for the blocks of its cluster
  std::map<std::string, std::uint64_t, std::less<>> shared;              // shared variables of this kernel: offset
  std::map<std::string, std::uint64_t, std::less<>> functions;           // address of a function, as a value
  std::map<std::string, const ptx::Function*, std::less<>> definitions;  // aliases resolved
};

/// Bytes a lane of a register of this type takes in its row; 0 for predicates.
std::uint32_t row_width(ptx::Type type);

class Translator {
 public:
  /// `first_instruction`: index of the function's first instruction in the program.
  Translator(const Surroundings& surroundings, const ptx::Function& function, std::uint32_t first_instruction);

  /// Throws UnsupportedPtx.
  ir::Function translate();

  /// Functions the code calls by name, in order of first appearance.
  const std::vector<const ptx::Function*>& callees() const { return callees_; }

 private:
  [[noreturn]] void refuse(const std::string& why, ptx::Defect defect = ptx::Defect::not_executed) const;
  void require(bool condition, const char* why) const {
    if (!condition) refuse(why);
  }

  // Declarations
  void declare_registers();
  void declare_parameters();
  void declare_local_variables();

  // Blocks
  void find_blocks();
  std::uint32_t block_at(const std::string& label) const;
  std::uint32_t new_block();
  void start_block(std::uint32_t block);
  bool block_is_open() const;
  void translate_instruction(std::uint32_t index);
  void translate_lanes(const LaneForm& form, const ptx::Instruction& instruction);
  void translate_as(ptx::Family family, const ptx::Instruction& instruction, Suffixes& suffixes);

  // Emitting
  ir::Operation& append(ir::Operation operation);
  ir::Operation& emit(ir::Opcode opcode, ir::Type type, std::vector<std::uint32_t> defs, std::vector<ir::Value> uses);
  void terminate(ir::Operation operation);
  void return_from_function();
  /// Ends the block with an operation after which the same lanes go on in a fresh block.
  void emit_ending_block(ir::Operation operation);
  /// For an instruction that ends its block: branches around it where its guard does not hold.
  void open_guard();
  void close_guard();
  std::uint32_t temporary(ir::Type type);
  std::uint32_t carry();

  // Operands
  const ptx::Operand& operand(const ptx::Instruction& instruction, std::size_t index) const;
  ir::Value use(const ptx::Operand& operand, ir::Type type);
  ir::Value use_predicate(const ptx::Operand& operand);
  std::uint32_t def(const ptx::Operand& operand, ir::Type type);
  std::uint32_t register_of(const ptx::Operand& operand, std::uint32_t index) const;
  ir::Value symbol_value(const ptx::SymbolRef& symbol);
  ir::Value resized(ir::Value value, ir::Type have, ir::Type want);
  ir::Value in_register(ir::Value value, ir::Type type);
  ir::Type type_of(const ptx::Operand& operand) const;
  ir::Type take_type(Suffixes& suffixes) const;
  std::optional<ir::Rounding> take_rounding(Suffixes& suffixes) const;
  void expect_operands(const ptx::Instruction& instruction, std::size_t least, std::size_t most) const;

  // Instructions, by chapter of the PTX ISA (one file each)
  void add_or_sub(const ptx::Instruction&, Suffixes&);
  void mul(const ptx::Instruction&, Suffixes&);
  void mad(const ptx::Instruction&, Suffixes&);
  void min_or_max(const ptx::Instruction&, Suffixes&);
  void abs_or_neg(const ptx::Instruction&, Suffixes&);
  void logic(const ptx::Instruction&, Suffixes&);
  void shift(const ptx::Instruction&, Suffixes&);

  void float_binary(const ptx::Instruction&, Suffixes&, ir::Opcode opcode, ir::Type type);
  void fma(const ptx::Instruction&, Suffixes&);
  void float_unary(const ptx::Instruction&, Suffixes&);
  void float_div(const ptx::Instruction&, Suffixes&);
  void copysign(const ptx::Instruction&, Suffixes&);

  void setp(const ptx::Instruction&, Suffixes&);
  void set(const ptx::Instruction&, Suffixes&);
  void selp(const ptx::Instruction&, Suffixes&);
  void slct(const ptx::Instruction&, Suffixes&);
  void compare_suffixes(ir::Operation& operation, Suffixes& suffixes) const;

  void video(const ptx::Instruction&, Suffixes&);
  void video_of_one(const ptx::Instruction&, Suffixes&, VideoForm form);
  void video_of_several(const ptx::Instruction&, Suffixes&, VideoForm form, std::uint32_t parts);
  void video_multiply(const ptx::Instruction&, Suffixes&, VideoForm form);
  ir::Value video_operand(const ptx::Operand& operand, bool negatable);
  ir::Value chosen_parts(const ptx::PartSelector& selector, std::uint32_t parts, bool second, ir::Value a, ir::Value b);
  void emit_video(const ptx::Operand& result, VideoForm form, std::uint32_t parts, std::vector<ir::Value> uses);

  void cvt(const ptx::Instruction&, Suffixes&);
  void cvta(const ptx::Instruction&, Suffixes&);
  void isspacep(const ptx::Instruction&, Suffixes&);
  void mapa(const ptx::Instruction&, Suffixes&);
  void getctarank(const ptx::Instruction&, Suffixes&);

  void mov(const ptx::Instruction&, Suffixes&);
  void load(const ptx::Instruction&, Suffixes&);
  void store(const ptx::Instruction&, Suffixes&);
  void store_async(const ptx::Instruction&, Suffixes&, bool reduces);
  void extend_into(std::uint32_t reg, ir::Value source, ir::Type type);
  void atomic(const ptx::Instruction&, Suffixes&);
  std::optional<AtomicOperation> take_reduction(Suffixes& suffixes) const;
  void cp(const ptx::Instruction&, Suffixes&);
  void bulk(const ptx::Instruction&, Suffixes&, bool reduces);
  void copy_in_bulk(const ptx::Instruction&, Suffixes&, bool reduces);
  void copy_tensor(const ptx::Instruction&, Suffixes&, bool reduces);
  std::uint8_t tensor_suffixes(Suffixes& suffixes) const;
  void add_map(ir::Operation& operation, const ptx::Instruction&, std::size_t at, std::size_t dimensions);
  void prefetch_tensor(const ptx::Instruction&, Suffixes&, const BulkForm& form);
  ir::Value whole_address(const ptx::Operand& operand, ptx::Space space, bool of_cluster);
  ir::Value in_32_bits(const ptx::Operand& mask);
  void fence(const ptx::Instruction&, Suffixes&);
  void proxy_fence(const ptx::Instruction&, Suffixes&);
  void mbarrier(const ptx::Instruction&, Suffixes&);
  void barrier_suffixes(ir::MemoryFields& memory, Suffixes& suffixes) const;
  void set_barrier(const ptx::Instruction&, Suffixes&, bool valid);
  void arrive_at_barrier(const ptx::Instruction&, Suffixes&, bool drops);
  void count_bytes(const ptx::Instruction&, Suffixes&, AtomicOperation change);
  void look_at_barrier(const ptx::Instruction&, Suffixes&);
  void arrive_after_copies(const ptx::Instruction&, Suffixes&);
  ir::Value computed(ir::Opcode opcode, ir::Value a, ir::Value b);
  ir::Value widened(const ptx::Operand& operand);
  void texture(const ptx::Instruction&, Suffixes&);
  void surface(const ptx::Instruction&, Suffixes&);
  void reduce_surface(const ptx::Instruction&, Suffixes&);
  void query_image(const ptx::Instruction&, Suffixes&);
  void image_handle(ir::Operation& operation, const ptx::Operand& operand);
  void image_operands(ir::Operation& operation, const ptx::Instruction& instruction, std::size_t address_at);
  void cache_policy(const ptx::Instruction&, Suffixes&);
  void no_operation(const ptx::Instruction&, Suffixes&);
  void stack(const ptx::Instruction&, Suffixes&);
  void memory_suffixes(ir::MemoryFields& memory, Suffixes& suffixes) const;
  ir::Value address(const ptx::Operand& operand, ir::MemoryFields& memory);

  void shfl(const ptx::Instruction&, Suffixes&);
  void vote(const ptx::Instruction&, Suffixes&);
  void match(const ptx::Instruction&, Suffixes&);
  void redux(const ptx::Instruction&, Suffixes&);
  void elect(const ptx::Instruction&, Suffixes&);
  void active_mask(const ptx::Instruction&, Suffixes&);
  void barrier(const ptx::Instruction&, Suffixes&);
  void cluster_barrier(const ptx::Instruction&, Suffixes&);
  void nanosleep(const ptx::Instruction&, Suffixes&);

  void matrix(const ptx::Instruction&, Suffixes&);
  void multiply_matrices(const ptx::Instruction&, Suffixes&);
  void access_matrix(const ptx::Instruction&, Suffixes&, bool stores);
  void access_matrix_rows(const ptx::Instruction&, Suffixes&, bool stores);
  void transpose_matrix(const ptx::Instruction&, Suffixes&);
  tensor::Shape take_shape(const ptx::Instruction&, Suffixes&) const;
  std::vector<const ptx::Operand*> fragment_registers(const ptx::Operand&, const tensor::Fragment&) const;
  void use_fragment(ir::Operation&, const ptx::Operand&, const tensor::Fragment&);
  void define_fragment(ir::Operation&, const ptx::Operand&, const tensor::Fragment&);
  void emit_matrix(ir::Operation operation, MatrixForm form);

  void bra(const ptx::Instruction&, Suffixes&);
  void brx(const ptx::Instruction&, Suffixes&);
  void call(const ptx::Instruction&, Suffixes&);
  void call_builtin(const std::string& name, const std::vector<std::uint32_t>& arguments,
                    const std::vector<std::uint32_t>& results);
  void call_with_extents(const Builtin& builtin, const std::vector<std::uint32_t>& arguments,
                         const std::vector<std::uint32_t>& results);
  void ret(const ptx::Instruction&, Suffixes&);
  void exit(const ptx::Instruction&, Suffixes&);
  void trap(const ptx::Instruction&, Suffixes&);

  /// A parameter, result or argument: a scalar in a register, or an array as a blob of rows.
  struct ParameterPlace {
    std::uint32_t reg = ir::kNoRegister;
    ir::Type type = ir::Type::none;  // none: a blob
    std::uint64_t bytes = 0;
    std::uint32_t kernel_offset = 0;
    bool of_kernel = false;
    bool in_frame = false;  // a function's: has a place in local memory as well
    std::uint64_t frame_offset = 0;
  };
  void declare_parameter(const ptx::Variable& variable);
  const ParameterPlace* parameter(const ptx::Operand& address, std::int64_t& offset) const;
  void parameter_address(const ptx::SymbolRef& symbol, const ptx::Operand& result, ir::Type type);
  ir::Value generic_parameter_address(const ptx::SymbolRef& symbol);
  void load_parameter(ir::Operation operation, const ptx::Operand& from);
  void store_parameter(ir::Operation operation, const ptx::Operand& to);
  void access_in_memory(ir::Operation operation, const ParameterPlace& place, std::int64_t offset, bool inside);
  void copy_with_frame(const ParameterPlace& place, bool to_frame);
  void receive_parameters();
  void deliver_results();
  std::uint64_t reserve_in_frame(std::uint64_t bytes, std::uint32_t alignment);
  /// The address in local memory of a byte of this function's frame.
  ir::Value frame_address(std::uint64_t offset);

  const Surroundings& surroundings_;
  const ptx::Function& source_;
  std::uint32_t first_instruction_;
  ir::Function out_;
  std::vector<std::uint32_t> register_base_;  // PTX register -> first of ours
  std::map<std::string, ParameterPlace, std::less<>> parameters_;
  std::map<std::string, std::uint64_t, std::less<>> local_;  // local variables: offset in the frame
  std::map<std::uint32_t, std::pair<std::string, std::int64_t>>
      parameter_pointers_;               // registers that only ever hold the address of a kernel's parameter
  std::vector<std::uint32_t> writers_;   // kernels: instructions that may write a PTX register
  std::uint64_t frame_bytes_ = 0;        // of local memory
  std::vector<std::uint32_t> block_of_;  // by PTX instruction; kNoRegister: no block starts here
  std::uint32_t current_ = 0;            // block
  const ptx::Instruction* instruction_ = nullptr;
  std::uint32_t instruction_index_ = 0;
  std::optional<std::uint32_t> after_guard_;
  std::uint32_t carry_ = ir::kNoRegister;  // predicate that stands for CC.CF
  std::vector<const ptx::Function*> callees_;
};

}  // namespace cudalabs::vgpu::exec
