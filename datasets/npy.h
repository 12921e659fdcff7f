// NPY files, version 1.0: the format numpy.save writes and numpy.load reads.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "datasets/dataset.h"

namespace cudalabs::datasets {

/// The bytes of an NPY 1.0 file: magic, header (a Python dictionary, padded so that the data starts at a multiple of 64
/// bytes), then the elements, little-endian, row-major. Throws std::invalid_argument when data and shape differ.
std::string npy_bytes(const Array& array);

/// Writes npy_bytes(array). Throws std::runtime_error naming the file when that fails.
void write_npy(const std::filesystem::path& path, const Array& array);

/// Parses an NPY 1.0 file of one of our element types in row-major order. Throws std::invalid_argument saying what is
/// wrong: anything else, data cut short and bytes left over included.
Array parse_npy(std::span<const std::byte> bytes, std::string name);

/// Reads a file for parse_npy(); its messages start with the file's path. Throws std::runtime_error when it cannot be
/// read.
Array read_npy(const std::filesystem::path& path, std::string name);

}  // namespace cudalabs::datasets
