// What the class's page says of who is alike in a lab.
#include "course/similarity_summary.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "report/write_file.h"
#include "text/counted.h"

namespace cudalabs::course {
namespace {

constexpr int kSummaryVersion = 1;
constexpr const char* kName = "summary.json";

}  // namespace

std::filesystem::path similarity_folder(const std::filesystem::path& folder, const std::string& lab) {
  return folder / "similar" / lab;
}

std::string shown(const SimilaritySummary& summary) {
  return fmt::format("{}: {} compared, {} of different files alike, {}", summary.lab, counted(summary.files, "file"),
                     counted(summary.pairs, "pair"), counted(summary.groups.size(), "group"));
}

void write_summary(const std::filesystem::path& folder, const SimilaritySummary& summary) {
  const nlohmann::json json{{"version", kSummaryVersion}, {"lab", summary.lab},     {"students", summary.students},
                            {"files", summary.files},     {"pairs", summary.pairs}, {"made", summary.made},
                            {"groups", summary.groups}};
  // Ids may come from a student.
  write_file(similarity_folder(folder, summary.lab) / kName,
             json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

std::optional<SimilaritySummary> read_summary(const std::filesystem::path& folder, const std::string& lab) {
  std::ifstream stream(similarity_folder(folder, lab) / kName, std::ios::binary);
  if (!stream) return std::nullopt;
  try {
    const nlohmann::json json = nlohmann::json::parse(stream);
    if (json.at("version") != kSummaryVersion || json.at("lab") != lab) return std::nullopt;
    return SimilaritySummary{.lab = lab,
                             .students = json.at("students"),
                             .files = json.at("files"),
                             .pairs = json.at("pairs"),
                             .made = json.at("made"),
                             .groups = json.at("groups")};
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;  // the command that writes it is there to be run again
  }
}

}  // namespace cudalabs::course
