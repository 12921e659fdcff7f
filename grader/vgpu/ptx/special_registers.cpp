// Which names beginning with % are the ISA's own (PTX ISA, chapter "Special Registers").
#include "vgpu/ptx/special_registers.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace cudalabs::vgpu::ptx {
namespace {

constexpr std::array<std::string_view, 8> kVectors{"%tid",       "%ntid",       "%ctaid",         "%nctaid",
                                                   "%clusterid", "%nclusterid", "%cluster_ctaid", "%cluster_nctaid"};

constexpr std::array<std::string_view, 29> kScalars{"%laneid",
                                                    "%warpid",
                                                    "%nwarpid",
                                                    "%smid",
                                                    "%nsmid",
                                                    "%gridid",
                                                    "%is_explicit_cluster",
                                                    "%cluster_ctarank",
                                                    "%cluster_nctarank",
                                                    "%lanemask_eq",
                                                    "%lanemask_le",
                                                    "%lanemask_lt",
                                                    "%lanemask_ge",
                                                    "%lanemask_gt",
                                                    "%clock",
                                                    "%clock_hi",
                                                    "%clock64",
                                                    "%globaltimer",
                                                    "%globaltimer_lo",
                                                    "%globaltimer_hi",
                                                    "%reserved_smem_offset_begin",
                                                    "%reserved_smem_offset_end",
                                                    "%reserved_smem_offset_cap",
                                                    "%reserved_smem_offset_0",
                                                    "%reserved_smem_offset_1",
                                                    "%total_smem_size",
                                                    "%aggr_smem_size",
                                                    "%dynamic_smem_size",
                                                    "%current_graph_exec"};

// "%pm3" with prefix "%pm" and count 8.
bool is_numbered(std::string_view name, std::string_view prefix, unsigned count) {
  if (!name.starts_with(prefix)) return false;
  name.remove_prefix(prefix.size());
  unsigned number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc{} && end == name.data() + name.size() && number < count;
}

}  // namespace

bool is_vector_special_register(std::string_view name) {
  return std::find(kVectors.begin(), kVectors.end(), name) != kVectors.end();
}

bool is_special_register(std::string_view name) {
  if (is_vector_special_register(name)) return true;
  if (std::find(kScalars.begin(), kScalars.end(), name) != kScalars.end()) return true;
  if (name.ends_with("_64") && is_numbered(name.substr(0, name.size() - 3), "%pm", 8)) return true;
  return is_numbered(name, "%pm", 8) || is_numbered(name, "%envreg", 32);
}

bool is_reserved_name(std::string_view name) {
  return name == "_" || name == "WARP_SZ" || is_special_register(name);
}

}  // namespace cudalabs::vgpu::ptx
