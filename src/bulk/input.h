#pragma once
// Input of any size, in pieces; compressed files are unpacked by the tools that made them.
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace nrs::bulk {

using TakeChunk = std::function<void(std::string_view chunk)>;

// As it is. Throws Error (I/O).
void read_plain(const std::filesystem::path& file, const TakeChunk& take);

// A file, or standard input for "-". What begins as gzip, xz and zstd files do is unpacked by the
// program of that name. Throws Error: I/O; usage if that program is missing; input if it finds the
// file damaged, or if something compressed comes through a pipe.
void read_input(const std::filesystem::path& file, const TakeChunk& take);

}  // namespace nrs::bulk
