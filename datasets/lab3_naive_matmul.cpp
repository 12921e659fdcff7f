// Lab 3's test data: matrix products (see matmul.h).
#include "datasets/matmul.h"

namespace cudalabs::datasets {
namespace {

const RegisterGenerator kGenerator("lab3_naive_matmul", matmul_case);

}  // namespace
}  // namespace cudalabs::datasets
