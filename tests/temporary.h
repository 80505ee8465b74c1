#pragma once
// A folder for one test.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace nrs {

class TemporaryFolder : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "nrs-test-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  std::filesystem::path write(const std::string& name, std::string_view content) const {
    std::ofstream(folder / name, std::ios::binary) << content;
    return folder / name;
  }

  std::filesystem::path folder;
};

}  // namespace nrs
