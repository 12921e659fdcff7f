// Puts a deck's pictures inside it as data URIs.
#include <openssl/evp.h>

#include <fstream>
#include <regex>
#include <sstream>

#include "deck/deck.h"

namespace cudalabs::deck {
namespace {

std::string base64(const std::string& bytes) {
  std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');
  const int length =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                      reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(length));
  return text;
}

std::string media_type(const std::filesystem::path& path) {
  if (path.extension() == ".svg") return "image/svg+xml";
  if (path.extension() == ".png") return "image/png";
  throw std::runtime_error(path.string() + ": pictures are .svg or .png files");
}

std::string data_uri(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path.string() + ": no such picture");
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return "data:" + media_type(path) + ";base64," + base64(bytes.str());
}

}  // namespace

std::string with_pictures(std::string_view markdown, const std::filesystem::path& folder) {
  static const std::regex kPicture(R"((!\[[^\]]*\]\()([^)\s]+)(\)))");
  std::istringstream stream{std::string(markdown)};
  std::string result;
  std::size_t number = 0;
  bool in_code = false;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (line.starts_with("```")) in_code = !in_code;
    if (!in_code) {
      std::string rewritten;
      auto rest = line.cbegin();
      for (std::sregex_iterator at(line.cbegin(), line.cend(), kPicture), end; at != end; ++at) {
        rewritten.append(rest, (*at)[0].first);
        if ((*at)[2].str().find("://") != std::string::npos) {
          throw DeckError("line " + std::to_string(number) + ": a deck's pictures are files beside it, not addresses");
        }
        try {
          rewritten += (*at)[1].str() + data_uri(folder / (*at)[2].str()) + (*at)[3].str();
        } catch (const std::runtime_error& error) {
          throw DeckError("line " + std::to_string(number) + ": " + error.what());
        }
        rest = (*at)[0].second;
      }
      rewritten.append(rest, line.cend());
      line = rewritten;
    }
    result += line + '\n';
  }
  return result;
}

}  // namespace cudalabs::deck
