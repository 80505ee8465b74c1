#include "bulk/input.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <exception>
#include <thread>
#include <vector>

#include "base/child.h"
#include "base/descriptor.h"
#include "base/output_target.h"
#include "base/text.h"
#include "nrs/error.h"

namespace nrs::bulk {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

constexpr std::size_t kChunk = std::size_t{1} << 20;

struct Packing {
  std::string_view beginning;
  std::string tool;
};
const std::array kPackings{Packing{"\x1f\x8b"sv, "gzip"},
                           Packing{"\xfd"
                                   "7zXZ\0"sv,
                                   "xz"},
                           Packing{"\x28\xb5\x2f\xfd"sv, "zstd"}};

const Packing* packing_of(std::string_view beginning) {
  for (const Packing& packing : kPackings) {
    if (beginning.starts_with(packing.beginning)) return &packing;
  }
  return nullptr;
}

Descriptor open_input(const fs::path& file) {
  Descriptor input(file == "-" ? ::dup(STDIN_FILENO) : ::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (input.number() < 0) throw io_error(file, "read", errno);
  return input;
}

// Empty at the end. A pipe gives little at a time: more calls would be made of less.
std::string_view read_chunk(const fs::path& file, const Descriptor& input,
                            std::vector<char>& buffer) {
  std::size_t size = 0;
  while (size < buffer.size()) {
    const ssize_t count = ::read(input.number(), buffer.data() + size, buffer.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw io_error(file, "read", errno);
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  return {buffer.data(), size};
}

void read_rest(const fs::path& file, const Descriptor& input, std::vector<char>& buffer,
               const TakeChunk& take) {
  for (std::string_view chunk = read_chunk(file, input, buffer); !chunk.empty();
       chunk = read_chunk(file, input, buffer)) {
    take(chunk);
  }
}

// Runs the tool beside us, so that what it unpacks is taken while it comes.
class Unpacking {
 public:
  Unpacking(const fs::path& file, const std::string& tool) : file_(file), tool_(tool) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw io_error(file, "unpack", errno);
    output_ = Descriptor(ends[0]);
    runner_ = std::jthread([this, input = Descriptor(ends[1])] { run(input.number()); });
  }
  // If we go before the end, the tool finds its pipe closed, and ends.
  ~Unpacking() { output_.close(); }
  Unpacking(const Unpacking&) = delete;
  Unpacking& operator=(const Unpacking&) = delete;

  const Descriptor& output() const { return output_; }

  // Once all of it has been read.
  void check() {
    runner_.join();
    if (failure_) std::rethrow_exception(failure_);
    if (end_.code == 0) return;
    throw Error(ErrorKind::kInput, fmt::format("{}: {} cannot unpack it: {}", file_.string(), tool_,
                                               excerpt(last_line(end_.errors), 200)));
  }

 private:
  void run(int output) {
    try {
      end_ = run_child({.program = tool_,
                        .words = {tool_, "-dc", "--", file_.string()},
                        .keep_errors = true,
                        .output = output});
    } catch (const Error& error) {
      failure_ = std::make_exception_ptr(
          Error(ErrorKind::kUsage, error.in(file_.string()).what(),
                fmt::format("install {}, or unpack the file first", tool_)));
    } catch (...) {
      failure_ = std::current_exception();
    }
  }

  fs::path file_;
  std::string tool_;
  Descriptor output_;
  ChildEnd end_;
  std::exception_ptr failure_;
  std::jthread runner_;  // last, for it uses the others
};

}  // namespace

void read_plain(const fs::path& file, const TakeChunk& take) {
  std::vector<char> buffer(kChunk);
  read_rest(file, open_input(file), buffer, take);
}

void read_input(const fs::path& file, const TakeChunk& take) {
  std::vector<char> buffer(kChunk);
  const Descriptor input = open_input(file);
  const std::string_view first = read_chunk(file, input, buffer);
  const Packing* packing = packing_of(first);
  if (packing == nullptr) {
    if (!first.empty()) take(first);
    read_rest(file, input, buffer, take);
    return;
  }
  std::error_code code;
  if (!fs::is_regular_file(file, code)) {
    throw Error(ErrorKind::kInput,
                fmt::format("{}: compressed input must be a file", file.string()),
                fmt::format("give its name, or unpack it first: {} -dc", packing->tool));
  }
  Unpacking unpacking(file, packing->tool);
  read_rest(file, unpacking.output(), buffer, take);
  unpacking.check();
}

}  // namespace nrs::bulk
