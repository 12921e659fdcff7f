// y = A x with A in rows of compressed storage, a warp for each row. Right, because a row's begin and end lie in one
// array with an entry more than rows, all lanes take part in the shuffles, and one lane writes the row's place.
#include <cuda_runtime.h>

#include <vector>

constexpr int kRows = 100, kColumns = 80;

__global__ void multiply(const int* begins, const int* columns, const float* values, const float* x, float* y,
                         int rows) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  // MUTANT off-by-one `row >= rows` -> `row > rows` (bounds): row 100 has a begin, and no end.
  // MUTANT guard-dropped (bounds): 104 warps for 100 rows.
  if (row >= rows) return;
  float sum = 0.0f;
  // MUTANT off-by-one `k < begins[row + 1]` -> `k <= begins[row + 1]` (bounds): the last row reads behind the values.
  for (int k = begins[row] + lane; k < begins[row + 1]; k += 32) sum += values[k] * x[columns[k]];
  // MUTANT mask-changed `0xffffffffu` -> `0x0fffffffu` (barrier): four lanes shuffle with a mask that does not name
  // them.
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffffu, sum, distance);
  // MUTANT guard-dropped (race): 32 lanes write different sums to one place.
  if (lane == 0) y[row] = sum;
}

int main() {
  std::vector<int> begins = {0}, columns;
  std::vector<float> values, x(kColumns), y(kRows);
  for (int row = 0; row < kRows; ++row) {
    for (int column = row % 5; column < kColumns; column += 1 + row % 7) {
      columns.push_back(column);
      values.push_back(row % 3 + 1);
    }
    begins.push_back(columns.size());
  }
  for (int i = 0; i < kColumns; ++i) x[i] = i % 4;
  int *d_begins = nullptr, *d_columns = nullptr;
  float *d_values = nullptr, *d_x = nullptr, *d_y = nullptr;
  cudaMalloc(&d_begins, begins.size() * sizeof(int));
  cudaMalloc(&d_columns, columns.size() * sizeof(int));
  cudaMalloc(&d_values, values.size() * sizeof(float));
  cudaMalloc(&d_x, kColumns * sizeof(float));
  cudaMalloc(&d_y, kRows * sizeof(float));
  // MUTANT copy-shortened `begins.size() * sizeof(int)` -> `(begins.size() - 1) * sizeof(int)` (uninitialised): the end
  // of the last row is never written.
  cudaMemcpy(d_begins, begins.data(), begins.size() * sizeof(int), cudaMemcpyHostToDevice);
  // MUTANT initialisation-skipped (uninitialised): the columns are whatever lay there.
  cudaMemcpy(d_columns, columns.data(), columns.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(d_values, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_x, x.data(), kColumns * sizeof(float), cudaMemcpyHostToDevice);
  multiply<<<(kRows * 32 + 255) / 256, 256>>>(d_begins, d_columns, d_values, d_x, d_y, kRows);
  const cudaError_t error = cudaMemcpy(y.data(), d_y, kRows * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(d_begins);
  cudaFree(d_columns);
  cudaFree(d_values);
  cudaFree(d_x);
  cudaFree(d_y);
  if (error != cudaSuccess) return 2;
  for (int row = 0; row < kRows; ++row) {
    float sum = 0.0f;
    for (int k = begins[row]; k < begins[row + 1]; ++k) sum += values[k] * x[columns[k]];
    if (y[row] != sum) return 1;
  }
  return 0;
}
