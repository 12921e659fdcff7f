// What course.toml may say.
#include "course/course_keys.h"

namespace cudalabs::course {
namespace {

const KeyTable& late_keys() {
  static const KeyTable kTable{
      "[late]",
      "What being late costs, for an attempt that came after its deadline, extra time and grace.",
      {{"percent_per_day", KeyType::number, "0", "% of the points", "Lost for every day that has begun. At most 100."},
       {"grace_minutes", KeyType::count, "0", "minutes", "After the deadline, that cost nothing."},
       {"most_days", KeyType::count, "no end", "days", "After these nothing counts any more."},
       {"file_times", KeyType::flag, "false", "",
        "Whether the times of files and commits count where the system gives none. Students can set both."}}};
  return kTable;
}

const KeyTable& lab_keys_of_course() {
  static const KeyTable kTable{
      "[[labs]]",
      "What a lab is in the course. A lab without a table has weight 1 and no deadline.",
      {{"lab", KeyType::text, "", "", "The lab's id."},
       {"weight", KeyType::number, "1", "", "In the course's percentage."},
       {"deadline", KeyType::moment, "none", "", "The last moment that is not late."},
       {"canvas", KeyType::text, "the lab's title", "", "The title of its column in Canvas's gradebook."}}};
  return kTable;
}

const KeyTable& extra_time_keys() {
  static const KeyTable kTable{"[[extra_time]]",
                               "More time for one student. `days` and `hours` add up, and one of them must be there.",
                               {{"student", KeyType::text, "", "", "The student's id."},
                                {"lab", KeyType::text, "all", "", "The lab's id."},
                                {"days", KeyType::number, "0", "days", "After the deadline."},
                                {"hours", KeyType::number, "0", "hours", "After the deadline."},
                                {"reason", KeyType::text, "`\"extra time\"`", "", "For the reader of the file."}}};
  return kTable;
}

}  // namespace

const KeyTable& course_keys() {
  static const KeyTable kTable{"course.toml",
                               "The rules of a course.",
                               {{"title", KeyType::text, "`\"CUDA Labs\"`", "", "The course's name, for pages."},
                                {"attempt", KeyType::text, "`\"last\"`", "", "Which attempt counts: `last` or `best`."},
                                {"late", KeyType::table, "nothing is lost", "", "See", &late_keys()},
                                {"labs", KeyType::tables, "none", "", "See", &lab_keys_of_course()},
                                {"extra_time", KeyType::tables, "none", "", "See", &extra_time_keys()}}};
  return kTable;
}

}  // namespace cudalabs::course
