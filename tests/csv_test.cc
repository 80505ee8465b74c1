#include "data/csv.h"

#include "nrs/error.h"
#include "temporary.h"

namespace nrs::data {
namespace {

class Csv : public TemporaryFolder {
 protected:
  std::string complaint(std::string_view content) {
    const auto path = write("data.csv", content);
    try {
      CsvReader reader(path);
      std::vector<std::string> fields;
      while (reader.next(fields)) {
      }
      return "fine";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInput);
      return std::string(error.what()).substr(path.string().size());
    }
  }
};

TEST_F(Csv, ReadsQuotesAndLineEnds) {
  CsvReader reader(write("data.csv", "\xef\xbb\xbfX,Y\r\n\"a,\"\"b\"\"\",\r\n\n,c"));
  EXPECT_EQ(reader.require({"formula", "X"}), 0u);
  EXPECT_EQ(reader.find("Z"), std::nullopt);
  std::vector<std::string> fields;
  ASSERT_TRUE(reader.next(fields));
  EXPECT_EQ(fields, (std::vector<std::string>{"a,\"b\"", ""}));
  ASSERT_TRUE(reader.next(fields));
  EXPECT_EQ(fields, (std::vector<std::string>{"", "c"}));
  EXPECT_TRUE(reader.place().ends_with("data.csv:4"));
  EXPECT_FALSE(reader.next(fields));
}

TEST_F(Csv, NamesTheLineOfAFault) {
  EXPECT_EQ(complaint(""), ":1: the header line is missing");
  EXPECT_EQ(complaint("X,Y\na,b\nc\n"), ":3: 1 fields, but the header has 2");
  EXPECT_EQ(complaint("X,Y\n\"a,b\n"), ":2: a quoted field does not end on its line");
  EXPECT_EQ(complaint("X,Y\n\"a\"b,c\n"), ":2: text follows a closing quote");
  EXPECT_EQ(complaint("X,Y\na\"b,c\n"), ":2: a quote inside a field that is not quoted");
  EXPECT_EQ(complaint("X\n" + std::string(5000, ',')), ":2: there are more than 1000 fields");
}

TEST_F(Csv, MissingColumnIsNamedWithTheHeader) {
  CsvReader reader(write("data.csv", "a,b\n"));
  try {
    reader.require({"formula", "X"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_TRUE(error.line().ends_with(":1: no column 'formula' or 'X' (the header has: a, b)"));
  }
}

TEST_F(Csv, WhatIsWrittenIsReadBack) {
  const std::vector<std::string> fields = {"plain", "with,comma", "with \"quote\"", ""};
  std::string content = "a,b,c,d\n";
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) content += ',';
    append_csv_field(content, fields[i]);
  }
  CsvReader reader(write("data.csv", content));
  std::vector<std::string> read;
  ASSERT_TRUE(reader.next(read));
  EXPECT_EQ(read, fields);
}

}  // namespace
}  // namespace nrs::data
