// From what was made of a submission to what is compared of it.
#pragma once

#include "course/similar/all_pairs.h"
#include "course/similar/extract.h"
#include "lab/lab.h"

namespace cudalabs::similar {

/// Of PTX that the parser does not know there is no data flow.
Piece piece_of(const Extract& extract, const Lab& lab);

}  // namespace cudalabs::similar
