// The safetensors layer: what is written is read back, and everything else is refused by name.
#include "model/safetensors.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <limits>

#include "base/rng.h"
#include "model/checksum.h"

namespace nrs::model {
namespace {

namespace fs = std::filesystem;

std::string with_length(std::uint64_t length, std::string_view rest) {
  return std::string(reinterpret_cast<const char*>(&length), sizeof length) + std::string(rest);
}

// A file with this header text and so many bytes of data.
std::string file_of(std::string_view json, std::size_t data = 0) {
  return with_length(json.size(), json) + std::string(data, 'd');
}

std::string entry(std::string_view name, std::string_view shape, std::string_view offsets,
                  std::string_view dtype = "F32") {
  return fmt::format(R"("{}":{{"dtype":"{}","shape":{},"data_offsets":{}}})", name, dtype, shape,
                     offsets);
}

// The error line of reading this content, or "accepted".
std::string refusal(std::string content) {
  try {
    TensorFile::parse(std::move(content), "some.nrs");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_TRUE(std::string(error.what()).starts_with("some.nrs: ")) << error.what();
    return error.line();
  }
  return "accepted";
}

struct Sample {
  std::vector<float> weights{1.5f, -2.0f, 0.25f, std::numeric_limits<float>::denorm_min(),
                             3.0f, 7.0f};
  std::vector<std::int64_t> counters{-1, std::numeric_limits<std::int64_t>::max()};
  std::vector<std::uint8_t> flags{1, 0, 255};
  std::vector<double> scalar{0.1};
  std::vector<float> nothing;

  std::vector<TensorView> views() const {
    return {view_of<float>("weights", {2, 3}, weights), view_of<std::uint8_t>("flags", {3}, flags),
            view_of<std::int64_t>("counters", {2}, counters), view_of<double>("scalar", {}, scalar),
            view_of<float>("nothing", {4, 0}, nothing)};
  }
  Metadata metadata() const { return {{"b", "say \"hi\"\n"}, {"a", "π"}, {"empty", ""}}; }
  std::string bytes() const { return serialise_tensors(metadata(), views()); }
};

class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / fmt::format("nrs-safetensors-{}", ::getpid())) {
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  fs::path operator/(const char* name) const { return path_ / name; }

 private:
  fs::path path_;
};

std::string load_refusal(const fs::path& path) {
  try {
    TensorFile::load(path);
  } catch (const Error& error) {
    return error.line();
  }
  return "accepted";
}

void put(const fs::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

TEST(Crc32, KnownValues) {
  EXPECT_EQ(crc32(""), 0u);
  EXPECT_EQ(crc32("123456789"), 0xcbf43926u);
  EXPECT_EQ(crc32("456789", crc32("123")), 0xcbf43926u);
  EXPECT_EQ(crc32("The quick brown fox jumps over the lazy dog"), 0x414fa339u);
}

TEST(Safetensors, ReadsWhatItWrote) {
  const Sample sample;
  const TensorFile file = TensorFile::parse(sample.bytes(), "x");
  ASSERT_EQ(file.tensors().size(), 5u);
  EXPECT_EQ(file.values<float>("weights"), sample.weights);
  EXPECT_EQ(file.tensor("weights").shape, (nn::TensorShape{2, 3}));
  EXPECT_EQ(file.values<std::int64_t>("counters"), sample.counters);
  EXPECT_EQ(file.values<std::uint8_t>("flags"), sample.flags);
  EXPECT_EQ(file.values<double>("scalar"), sample.scalar);
  EXPECT_TRUE(file.tensor("scalar").shape.empty());
  EXPECT_TRUE(file.values<float>("nothing").empty());
  for (const auto& [key, text] : sample.metadata()) EXPECT_EQ(file.text(key), text);
  file.require_checksum();
}

TEST(Safetensors, BytesDoNotDependOnTheOrderGiven) {
  const Sample sample;
  std::vector<TensorView> views = sample.views();
  std::reverse(views.begin(), views.end());
  EXPECT_EQ(serialise_tensors(sample.metadata(), views), sample.bytes());
}

TEST(Safetensors, EveryTensorIsAlignedToItsType) {
  const std::string bytes = Sample().bytes();
  std::uint64_t header = 0;
  std::memcpy(&header, bytes.data(), sizeof header);
  EXPECT_EQ(header % 8, 0u);
  const TensorFile file = TensorFile::parse(bytes, "x");
  const char* base = file.tensor("counters").bytes.data();
  for (const TensorView& tensor : file.tensors()) {
    EXPECT_EQ((tensor.bytes.data() - base) % static_cast<int>(size_of(tensor.dtype)), 0)
        << tensor.name;
  }
}

// The example of docs/model-format.md, byte for byte.
TEST(Safetensors, WritesTheDocumentedExample) {
  const std::vector<float> values{1.0f, -2.5f};
  const std::string json = R"({"__metadata__":{"crc32":"2c5da8ca","name":"demo"},)"
                           R"("head.bias":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
  const std::string data("\x00\x00\x80\x3f\x00\x00\x20\xc0", 8);
  EXPECT_EQ(serialise_tensors({{"name", "demo"}}, {view_of<float>("head.bias", {2}, values)}),
            with_length(json.size(), json) + data);
}

TEST(Safetensors, ViewsOutliveAMove) {
  TensorFile first = TensorFile::parse(Sample().bytes(), "x");
  const TensorFile second = std::move(first);
  EXPECT_EQ(second.values<float>("weights"), Sample().weights);
}

TEST(Safetensors, SavesAndLoadsAFileWhole) {
  const Folder folder;
  const Sample sample;
  save_tensors(folder / "m.nrs", sample.metadata(), sample.views());
  EXPECT_EQ(fs::file_size(folder / "m.nrs"), sample.bytes().size());
  EXPECT_EQ(TensorFile::load(folder / "m.nrs").values<float>("weights"), sample.weights);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder / "."), {}), 1);
}

TEST(Safetensors, RefusesToWriteWhatNoFileCanHold) {
  const std::vector<float> two(2);
  const auto one = view_of<float>("a", {2}, two);
  EXPECT_THROW(serialise_tensors({}, {one, one}), std::invalid_argument);
  EXPECT_THROW(serialise_tensors({}, {view_of<float>("a", {3}, two)}), std::invalid_argument);
  EXPECT_THROW(serialise_tensors({}, {view_of<float>("__metadata__", {2}, two)}),
               std::invalid_argument);
  EXPECT_THROW(serialise_tensors({{"key", "\xff"}}, {}), std::invalid_argument);
}

TEST(Safetensors, AcceptsTheSmallestFiles) {
  EXPECT_EQ(refusal(file_of("{}")), "accepted");
  EXPECT_EQ(refusal(file_of("{\"__metadata__\":{}}   ")), "accepted");
  EXPECT_EQ(refusal(file_of("{" + entry("a", "[]", "[0,4]") + "}", 4)), "accepted");
  EXPECT_EQ(refusal(file_of("{" + entry("a", "[0]", "[0,0]") + "," + entry("b", "[1]", "[0,4]") +
                                "," + entry("c", "[3,0]", "[4,4]") + "}",
                            4)),
            "accepted");
}

TEST(Safetensors, RefusesEveryTruncation) {
  const std::string bytes = Sample().bytes();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    ASSERT_NE(refusal(bytes.substr(0, length)), "accepted") << length;
  }
}

TEST(Safetensors, RefusesALyingHeaderLength) {
  const std::string json = "{" + entry("a", "[]", "[0,4]") + "}";
  const std::uint64_t size = json.size() + 12;
  for (const std::uint64_t length :
       {std::uint64_t{0}, std::uint64_t{7}, size - 7, size + 1, std::uint64_t{1} << 32,
        std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
    EXPECT_NE(refusal(with_length(length, json + "data")), "accepted") << length;
  }
  EXPECT_EQ(refusal(file_of(json, 4)), "accepted");
}

struct Bad {
  const char* what;  // name of the case
  std::string content;
  std::vector<const char*> says;  // each must be in the message
};

std::vector<Bad> bad_files() {
  const auto one = [](const std::string& text, std::size_t data = 8) {
    return file_of("{" + text + "}", data);
  };
  const std::string big = "18446744073709551615";
  return {
      {"duplicate name",
       one(entry("a", "[1]", "[0,4]") + "," + entry("a", "[1]", "[4,8]")),
       {"'a'", "twice"}},
      {"overlap",
       one(entry("a", "[2]", "[0,8]") + "," + entry("b", "[1]", "[4,8]")),
       {"'b'", "overlap"}},
      {"gap",
       one(entry("a", "[1]", "[0,4]") + "," + entry("b", "[1]", "[8,12]"), 12),
       {"'b'", "gap"}},
      {"gap at the start", one(entry("a", "[1]", "[4,8]")), {"'a'", "gap"}},
      {"tail", one(entry("a", "[1]", "[0,4]")), {"4 bytes at the end"}},
      {"data without tensors", file_of("{}", 1), {"1 bytes at the end"}},
      {"end beyond the data", one(entry("a", "[3]", "[0,12]")), {"'a'", "beyond"}},
      {"end before begin", one(entry("a", "[1]", "[4,0]")), {"'a'", "end before"}},
      {"negative offset", one(entry("a", "[1]", "[-4,0]")), {"'a'", "negative"}},
      {"fractional offset", one(entry("a", "[1]", "[0,4.5]")), {"'a'", "fraction"}},
      {"exponent offset", one(entry("a", "[1]", "[0,4e0]")), {"'a'", "fraction"}},
      {"huge offset", one(entry("a", "[1]", "[0," + big + "9]")), {"'a'", "64 bits"}},
      {"infinite offset", one(entry("a", "[1]", "[0,1e999]")), {"JSON"}},
      {"huge range", one(entry("a", "[1]", "[0," + big + "]")), {"'a'", "18446744073709551615"}},
      {"wrapping range", one(entry("a", "[1]", "[" + big + ",3]")), {"'a'", "end before"}},
      {"one offset", one(entry("a", "[1]", "[0]")), {"'a'", "must be two"}},
      {"three offsets", one(entry("a", "[1]", "[0,4,8]")), {"'a'", "must be two"}},
      {"text as offset", one(entry("a", "[1]", R"([0,"4"])")), {"'a'", "text"}},
      {"shape and size differ", one(entry("a", "[3]", "[0,8]")), {"'a'", "[3]", "12", "8"}},
      {"shape overflow", one(entry("a", "[4294967296,4294967296]", "[0,8]")), {"'a'", "overflows"}},
      {"byte overflow", one(entry("a", "[9223372036854775807]", "[0,8]")), {"'a'", "overflows"}},
      {"overflow behind a zero",
       one(entry("a", "[0,4294967296,4294967296]", "[0,0]")),
       {"'a'", "overflows"}},
      {"negative axis", one(entry("a", "[-1]", "[0,4]")), {"'a'", "negative"}},
      {"nested shape", one(entry("a", "[[2]]", "[0,8]")), {"'a'", "list"}},
      {"unknown dtype", one(entry("a", "[2]", "[0,8]", "BF16")), {"'a'", "BF16", "U16", "F32"}},
      {"no dtype", one(R"("a":{"shape":[2],"data_offsets":[0,8]})"), {"'a'", "no dtype"}},
      {"no shape", one(R"("a":{"dtype":"F32","data_offsets":[0,8]})"), {"'a'", "no shape"}},
      {"no offsets", one(R"("a":{"dtype":"F32","shape":[2]})"), {"'a'", "no data_offsets"}},
      {"field twice",
       one(R"("a":{"dtype":"F32","dtype":"F32","shape":[2],"data_offsets":[0,8]})"),
       {"'a'", "dtype", "twice"}},
      {"shape twice",
       one(R"("a":{"dtype":"F32","shape":[1],"shape":[2],"data_offsets":[0,8]})"),
       {"'a'", "shape", "twice"}},
      {"unknown field",
       one(R"("a":{"dtype":"F32","shape":[2],"data_offsets":[0,8],"x":1})"),
       {"'a'", "'x'"}},
      {"tensor is a number", one(R"("a":5)"), {"'a'", "number"}},
      {"tensor is null", one(R"("a":null)"), {"'a'", "null"}},
      {"tensor is a list", one(R"("a":[])"), {"'a'", "list"}},
      {"header is a list", file_of("[]"), {"'{'"}},
      {"header with a byte order mark", file_of("\xef\xbb\xbf{}"), {"'{'"}},
      {"header cut", file_of("{\"a\""), {"'}'"}},
      {"header with something after it", file_of("{} {}"), {"JSON"}},
      {"header padded with NUL", file_of({"{}\0\0", 4}), {"NUL"}},
      {"something hidden behind NUL", file_of({"{}\0 hidden }", 12}), {"NUL"}},
      {"header padded with newline", file_of("{}\n"), {"spaces"}},
      {"comment", file_of("{/* */}"), {"JSON"}},
      {"bad UTF-8 in a name", one(entry("\xff", "[2]", "[0,8]")), {"UTF-8"}},
      {"overlong UTF-8", one(entry("\xc0\x80", "[2]", "[0,8]")), {"UTF-8"}},
      {"half a surrogate pair", one(entry("\\ud800", "[2]", "[0,8]")), {"UTF-8"}},
      {"metadata is a text", file_of(R"({"__metadata__":"x"})"), {"metadata", "text"}},
      {"metadata is a number", file_of(R"({"__metadata__":{"k":5}})"), {"'k'", "number"}},
      {"metadata is nested", file_of(R"({"__metadata__":{"k":{}}})"), {"'k'", "object"}},
      {"metadata is null", file_of(R"({"__metadata__":{"k":null}})"), {"'k'", "null"}},
      {"metadata twice", file_of(R"({"__metadata__":{},"__metadata__":{}})"), {"twice"}},
      {"metadata key twice", file_of(R"({"__metadata__":{"k":"","k":""}})"), {"'k'", "twice"}},
  };
}

TEST(Safetensors, RefusesEachFaultAndNamesIt) {
  for (const Bad& bad : bad_files()) {
    const std::string message = refusal(bad.content);
    for (const char* part : bad.says) {
      EXPECT_NE(message.find(part), message.npos)
          << bad.what << ": \"" << message << "\" does not say " << part;
    }
  }
}

TEST(Safetensors, RefusesTooManyAxes) {
  std::string shape = "1";
  for (int i = 1; i < 1000; ++i) shape += ",1";
  EXPECT_NE(refusal(file_of("{" + entry("a", "[" + shape + "]", "[0,4]") + "}", 4)).find("axes"),
            std::string::npos);
  EXPECT_EQ(refusal(file_of("{" + entry("a", "[1,1,1,1,1,1,1,1]", "[0,4]") + "}", 4)), "accepted");
}

TEST(Safetensors, RefusesDeepNestingWithoutRecursion) {
  for (const char* bracket : {"[", "{\"a\":"}) {
    std::string json = "{\"a\":";
    for (int i = 0; i < 100'000; ++i) json += bracket;
    EXPECT_NE(refusal(file_of(json + "}")), "accepted");
    EXPECT_NE(refusal(file_of("{\"__metadata__\":{\"k\":" + json + "}")), "accepted");
  }
}

TEST(Safetensors, RefusesAMillionTensors) {
  std::string json = "{";
  for (int i = 0; i < 1'000'000; ++i) {
    json += (i == 0 ? "" : ",") + entry(std::to_string(i), "[0]", "[0,0]");
  }
  EXPECT_NE(refusal(file_of(json + "}")).find("header of"), std::string::npos);
  json = "{";
  for (std::size_t i = 0; i <= kMaxTensors; ++i) {
    json += (i == 0 ? "" : ",") + entry(std::to_string(i), "[0]", "[0,0]");
  }
  EXPECT_NE(refusal(file_of(json + "}")).find("more than"), std::string::npos);
}

TEST(Safetensors, NamesOtherKindsOfFile) {
  const std::string filler(64, '\x01');
  const std::vector<std::pair<std::string, const char*>> kinds{{"GGUF", "GGUF"},
                                                               {"PK\x03\x04", "PyTorch"},
                                                               {"\x80\x02}q", "pickle"},
                                                               {"\x7f"
                                                                "ELF",
                                                                "program"},
                                                               {"\x1f\x8b", "gzip"},
                                                               {"\x93NUMPY", "NumPy"}};
  for (const auto& [start, word] : kinds) {
    EXPECT_NE(refusal(start + filler).find(word), std::string::npos) << word;
  }
  EXPECT_NE(refusal("PK\x03\x04").find("PyTorch"), std::string::npos);
}

TEST(Safetensors, RefusesWhatIsNoRegularFile) {
  const Folder folder;
  EXPECT_NE(load_refusal(folder / "absent").find("absent"), std::string::npos);
  EXPECT_NE(load_refusal(folder / "."), "accepted");
  ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
  ::alarm(10);  // a hang ends the test program, loudly
  EXPECT_NE(load_refusal(folder / "fifo").find("regular"), std::string::npos);
  ::alarm(0);
  fs::create_symlink("loop", folder / "loop");
  EXPECT_NE(load_refusal(folder / "loop"), "accepted");
  put(folder / "empty", "");
  EXPECT_NE(load_refusal(folder / "empty").find("empty"), std::string::npos);
}

TEST(Safetensors, SaysWhichTextTensorOrTypeIsMissing) {
  const TensorFile file = TensorFile::parse(Sample().bytes(), "some.nrs");
  const auto message = [](const std::function<void()>& act) -> std::string {
    try {
      act();
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_EQ(message([&] { file.text("seed"); }), "some.nrs: metadata 'seed' is missing");
  EXPECT_EQ(message([&] { file.tensor("bias"); }), "some.nrs: tensor 'bias' is missing");
  EXPECT_EQ(message([&] { file.values<double>("weights"); }),
            "some.nrs: tensor 'weights' is F32, expected F64");
}

bool sound(const std::string& bytes) {
  try {
    TensorFile::parse(bytes, "x").require_checksum();
    return true;
  } catch (const Error&) {
    return false;
  }
}

TEST(Safetensors, FindsEveryFlippedByte) {
  const std::string good = Sample().bytes();
  ASSERT_TRUE(sound(good));
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (const unsigned flip : {0x01u, 0x20u, 0x80u, 0xffu}) {
      std::string bad = good;
      bad[i] = static_cast<char>(static_cast<unsigned char>(bad[i]) ^ flip);
      ASSERT_FALSE(sound(bad)) << "byte " << i << " flipped by " << flip;
    }
  }
}

TEST(Safetensors, RequiresTheChecksumToBeThere) {
  EXPECT_FALSE(sound(file_of("{}")));
  EXPECT_FALSE(sound(file_of(R"({"__metadata__":{"crc32":""}})")));
  EXPECT_FALSE(sound(file_of(R"({"__metadata__":{"crc32" : "00000000"}})")));
}

RC_GTEST_PROP(SafetensorsProperty, WriteThenReadIsIdentity, ()) {
  const auto metadata = *rc::gen::container<std::map<std::string, std::string>>(
      rc::gen::string<std::string>(), rc::gen::string<std::string>());
  const auto rows = *rc::gen::inRange(0, 5);
  const auto values = *rc::gen::container<std::vector<float>>(static_cast<std::size_t>(rows) * 3,
                                                              rc::gen::arbitrary<float>());
  const auto numbers = *rc::gen::arbitrary<std::vector<std::uint64_t>>();
  Metadata texts;
  for (const auto& [key, text] : metadata) {
    const auto ascii = [](std::string s) {
      for (char& c : s) c = static_cast<char>(c & 0x7f);
      return s;
    };
    texts[ascii(key)] = ascii(text);
  }
  const std::string bytes =
      serialise_tensors(texts, {view_of<float>("x", {static_cast<std::uint64_t>(rows), 3}, values),
                                view_of<std::uint64_t>("y", {numbers.size()}, numbers)});
  const TensorFile file = TensorFile::parse(bytes, "x");
  file.require_checksum();
  RC_ASSERT(file.values<std::uint64_t>("y") == numbers);
  RC_ASSERT(file.tensor("x").bytes ==
            (view_of<float>("x", {}, values).bytes));  // bit for bit: NaN too
  for (const auto& [key, text] : texts) {
    if (key != kChecksumKey) RC_ASSERT(file.text(key) == text);
  }
}

TEST(SafetensorsProperty, ManglingNeverCrashesAndIsFound) {
  const std::string good = Sample().bytes();
  for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
    Rng rng(seed);
    std::string bad = good;
    for (int change = rng.between(1, 8); change > 0; --change) {
      const auto at = static_cast<std::size_t>(rng.below(bad.size()));
      switch (rng.below(4)) {
        case 0:
          bad.erase(at, 1 + rng.below(4));
          break;
        case 1:
          bad.insert(at, 1 + rng.below(4), static_cast<char>(rng.below(256)));
          break;
        case 2:
          bad[at] = good[static_cast<std::size_t>(rng.below(good.size()))];
          break;
        default:
          bad[at] = static_cast<char>(rng.below(256));
      }
      if (bad.empty()) break;
    }
    ASSERT_TRUE(bad == good || !sound(bad)) << "seed " << seed;
  }
}

#if !defined(__SANITIZE_ADDRESS__)
// Peak memory of a process that reads this content.
long peak_kilobytes(const std::string& content) {
  const pid_t child = ::fork();
  if (child == 0) {
    refusal(content);
    ::_exit(0);
  }
  int status = 0;
  struct rusage usage {};
  ::wait4(child, &status, 0, &usage);
  EXPECT_EQ(status, 0);
  return usage.ru_maxrss;
}

TEST(Safetensors, ABadFileCostsLittleMemory) {
  std::string many = "{\"__metadata__\":{";
  while (many.size() + 32 < kMaxHeaderSize) many += fmt::format("\"{}\":\"\",", many.size());
  const std::vector<std::string> contents{
      file_of("{\"" + std::string(kMaxHeaderSize - 3, 'x') + "}"),
      file_of("{\"__metadata__\":{\"k\":\"" + std::string(kMaxHeaderSize - 24, '\\') + "}"),
      file_of(many + "\"end\":\"\"}}"),
      with_length(std::uint64_t{1} << 62, std::string(1000, ' ')),
  };
  for (const std::string& content : contents) {
    const long limit = 2 * static_cast<long>(content.size() / 1024) + 16 * 1024;
    const long before = peak_kilobytes(std::string());
    EXPECT_LT(peak_kilobytes(content) - before, limit) << content.substr(8, 30);
  }
}
#endif

}  // namespace
}  // namespace nrs::model
