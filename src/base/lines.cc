#include "base/lines.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <string_view>

#include "base/text.h"
#include "nrs/error.h"

namespace nrs {
namespace {

constexpr std::size_t kBufferSize = std::size_t{1} << 16;
constexpr std::size_t kBeginning = 200;  // what is kept of a line without memory

constexpr std::size_t kMaxColumns = 1000;

// Reads the quoted field that begins at `i`; goes on behind it.
void read_quoted(std::string_view line, std::size_t& i, std::string& field) {
  for (++i;; ++i) {
    if (i >= line.size()) {
      throw Error(ErrorKind::kInput, "a quoted field does not end on its line");
    }
    if (line[i] == '"' && line.substr(i + 1).starts_with('"'))
      ++i;
    else if (line[i] == '"')
      break;
    field += line[i];
  }
  ++i;
}

}  // namespace

LineReader::LineReader(const std::filesystem::path& path, std::size_t limit)
    : path_(path),
      file_(path == "-" ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                        : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)),
      limit_(limit),
      buffer_(kBufferSize) {
  if (file_.number() < 0) {
    throw Error(ErrorKind::kIo, fmt::format("{}: {}", path.string(), std::strerror(errno)));
  }
}

bool LineReader::fill() {
  ssize_t count = 0;
  do {
    count = ::read(file_.number(), buffer_.data(), buffer_.size());
  } while (count < 0 && errno == EINTR);
  if (count < 0) {
    throw Error(ErrorKind::kIo, fmt::format("{}: {}", path_.string(), std::strerror(errno)));
  }
  begin_ = 0;
  end_ = static_cast<std::size_t>(count);
  return count > 0;
}

// What is at hand of the current line; `ended` if that reaches its end.
std::string_view LineReader::take_part(bool& ended) {
  const char* from = buffer_.data() + begin_;
  const char* newline = static_cast<const char*>(std::memchr(from, '\n', end_ - begin_));
  ended = newline != nullptr;
  const std::size_t size = ended ? static_cast<std::size_t>(newline - from) : end_ - begin_;
  begin_ += size + (ended ? 1 : 0);
  return {from, size};
}

// One character more than allowed may stay: it can still turn out to be the "\r" of "\r\n".
void LineReader::keep(std::string_view part, std::string& line) {
  if (no_memory_) return;
  try {
    line.append(part.substr(0, limit_ + 1 - std::min(limit_ + 1, line.size())));
  } catch (const std::bad_alloc&) {
    line = line.substr(0, kBeginning);  // the memory of the rest is free again
    too_long_ = no_memory_ = true;
  }
}

bool LineReader::next(std::string& line) {
  line.clear();
  too_long_ = no_memory_ = false;
  if (begin_ == end_ && !fill()) return false;
  ++number_;
  bool ended = false;
  do {
    const std::string_view part = take_part(ended);
    keep(part, line);
    too_long_ = too_long_ || part.size() > limit_ + 1 || line.size() > limit_;
  } while (!ended && fill());
  if (too_long_ && line.size() == limit_ + 1 && line.back() == '\r' && ended) too_long_ = false;
  if (!line.empty() && line.back() == '\r') line.pop_back();
  if (number_ == 1 && line.starts_with(kByteOrderMark)) line.erase(0, kByteOrderMark.size());
  return true;
}

void split_csv_line(std::string_view line, char delimiter, std::vector<std::string>& fields) {
  fields.clear();
  std::size_t i = 0;
  while (true) {
    std::string& field = fields.emplace_back();
    if (fields.size() > kMaxColumns) {
      throw Error(ErrorKind::kInput, "there are more than 1000 fields");
    }
    if (i < line.size() && line[i] == '"') {
      read_quoted(line, i, field);
      if (i < line.size() && line[i] != delimiter) {
        throw Error(ErrorKind::kInput, "text follows a closing quote");
      }
    } else {
      const std::size_t end = std::min(line.find(delimiter, i), line.size());
      field = line.substr(i, end - i);
      if (field.find('"') != std::string::npos) {
        throw Error(ErrorKind::kInput, "a quote inside a field that is not quoted");
      }
      i = end;
    }
    if (i >= line.size()) return;
    ++i;  // the delimiter; a line that ends with one has an empty last field
  }
}

void append_csv_field(std::string& line, std::string_view field, char delimiter) {
  const char special[] = {delimiter, '"', '\r', '\n'};
  if (field.find_first_of(std::string_view(special, sizeof special)) == std::string_view::npos) {
    line += field;
    return;
  }
  line += '"';
  for (const char c : field) {
    if (c == '"') line += '"';
    line += c;
  }
  line += '"';
}

void for_each_line(const std::filesystem::path& path, std::size_t limit,
                   const std::function<void(const std::string& line)>& take) {
  LineReader lines(path, limit);
  std::string line;
  while (lines.next(line)) {
    if (line.empty()) continue;
    try {
      if (lines.too_long()) throw Error(ErrorKind::kInput, "the line is too long");
      take(line);
    } catch (const Error& error) {
      throw error.in(fmt::format("{}:{}", path.string(), lines.number()));
    }
  }
}

}  // namespace nrs
