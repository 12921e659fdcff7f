// Static pages of a class: one for the instructor, and one for each student that says nothing of the others.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "course/class_data.h"

namespace cudalabs::course {

/// For the instructor. Links to the students' pages below `students/`.
std::string index_page(const ClassData& data, Store& store);

/// For one student, by id.
std::string student_page(const ClassData& data, Store& store, std::string_view student);

/// The name of a student's page: their id, made a file's name.
std::string student_file(std::string_view id);

/// Writes a page, unless it says the same already: to have a thousand safely on the disk takes seconds. Throws
/// std::runtime_error naming the file.
void write_page(const std::filesystem::path& path, const std::string& text);

/// Writes `folder`/index.html and `folder`/students/ID.html; removes pages of who is no longer in the class. Throws
/// std::runtime_error naming the file.
void write_pages(const std::filesystem::path& folder, Store& store, const ClassData& data);

}  // namespace cudalabs::course
