// What course.toml may say: every key with its type, default, unit and meaning.
#pragma once

#include "lab/lab_keys.h"

namespace cudalabs::course {

const KeyTable& course_keys();  // the top of course.toml

}  // namespace cudalabs::course
