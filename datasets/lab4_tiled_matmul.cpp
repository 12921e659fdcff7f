// Lab 4's test data: matrix products (see matmul.h).
#include "datasets/matmul.h"

namespace cudalabs::datasets {
namespace {

const RegisterGenerator kGenerator("lab4_tiled_matmul", matmul_case);

}  // namespace
}  // namespace cudalabs::datasets
