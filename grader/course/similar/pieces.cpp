// From what was made of a submission to what is compared of it.
#include "course/similar/pieces.h"

#include "course/similar/data_flow.h"
#include "course/similar/token_runs.h"

namespace cudalabs::similar {

Piece piece_of(const Extract& extract, const Lab& lab) {
  Piece piece{.tokens = token_runs(read_tokens(extract.tokens)), .flow = {}};
  try {
    if (!extract.ptx.empty()) piece.flow = neighbourhoods(vgpu::ptx::parse(extract.ptx), lab.contract.source);
  } catch (const vgpu::ptx::ParseError&) {
    // Inline assembly may hold anything.
  }
  return piece;
}

}  // namespace cudalabs::similar
