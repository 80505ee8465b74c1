// Plans of bulk work: splitting, the plan file, numbers of tasks, what is done of them.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/files.h"
#include "bulk/join.h"
#include "bulk/plan.h"
#include "bulk/ranges.h"
#include "bulk/record.h"
#include "bulk/run.h"
#include "bulk/splitter.h"
#include "bulk/status.h"
#include "bulk/submit.h"
#include "bulk/task_lock.h"
#include "nrs/error.h"
#include "property.h"
#include "temporary.h"

namespace nrs::bulk {
namespace {

struct Split {
  std::vector<std::string> texts;
  std::vector<Content> shards;
};

// `pieces` are inputs, each handed over in chunks of this size.
Split split(const std::vector<std::string>& inputs, std::uint64_t lines, std::size_t chunk) {
  Split found;
  bool open = false;
  Splitter splitter(lines, {.on_text =
                                [&](std::size_t shard, std::string_view text) {
                                  if (!open) found.texts.emplace_back();
                                  open = true;
                                  EXPECT_EQ(shard, found.texts.size());
                                  found.texts.back() += text;
                                },
                            .on_end = [&] { open = false; }});
  for (const std::string& input : inputs) {
    for (std::size_t at = 0; at < input.size(); at += chunk) {
      splitter.take(std::string_view(input).substr(at, chunk));
    }
    splitter.end_input();
  }
  found.shards = splitter.finish();
  return found;
}

TEST(Splitter, CutsAfterSoManyLines) {
  const Split found = split({"a\nb\nc\nd\ne"}, 2, 100);
  EXPECT_EQ(found.texts, (std::vector<std::string>{"a\nb\n", "c\nd\n", "e\n"}));
  EXPECT_EQ(found.shards.back().lines, 1u);
}

TEST(Splitter, EndsTheLastLineOfEachInput) {
  EXPECT_EQ(split({"a", "", "b\n", "c"}, 10, 100).texts, (std::vector<std::string>{"a\nb\nc\n"}));
  EXPECT_TRUE(split({"", ""}, 10, 100).texts.empty());
  EXPECT_EQ(split({"\n\n"}, 1, 100).texts.size(), 2u);
}

TEST(Splitter, ShardsAreTheInputsHoweverTheyArrive) {
  check_law("the shards, one after the other, are the inputs", [] {
    const auto inputs = *rc::gen::container<std::vector<std::string>>(
        rc::gen::container<std::string>(rc::gen::element('a', 'b', '\n', '\r')));
    const auto lines = *rc::gen::inRange<std::uint64_t>(1, 5);
    const auto chunk = *rc::gen::inRange<std::size_t>(1, 7);
    std::string whole;
    for (const std::string& input : inputs) {
      whole += input;
      if (!input.empty() && input.back() != '\n') whole += '\n';
    }
    const Split found = split(inputs, lines, chunk);
    std::string joined;
    for (std::size_t i = 0; i < found.texts.size(); ++i) {
      joined += found.texts[i];
      Content content;
      content.add(found.texts[i]);
      RC_ASSERT(content == found.shards[i]);
      RC_ASSERT(content.lines == lines || (i + 1 == found.texts.size() && content.lines < lines));
    }
    RC_ASSERT(joined == whole);
  });
}

TEST(Ranges, LeadBack) {
  EXPECT_EQ(to_ranges({1, 2, 3, 7, 9, 10}), "1-3,7,9-10");
  EXPECT_EQ(to_ranges({}), "");
  EXPECT_EQ(parse_ranges("9-10,1-3,2,7", 10), (std::vector<std::size_t>{1, 2, 3, 7, 9, 10}));
  for (const char* bad : {"0", "11", "a", "3-", "-3", "1,,2", "3-99999999999999999999", "1 2"}) {
    EXPECT_THROW(parse_ranges(bad, 10), Error) << bad;
  }
}

class BulkPlan : public TemporaryFolder {
 protected:
  PlanFiles files() const { return PlanFiles(folder / "work"); }
  Plan plan_of(const std::string& input) const {
    return {.program = "nrs 1",
            .kind = PlanKind::kCommands,
            .inputs = {{.file = write("in.txt", input).string()}}};
  }
  Plan made(const std::string& input) const {
    Plan plan = plan_of(input);
    EXPECT_TRUE(make_plan(files(), 1, plan));
    return plan;
  }
};

TEST_F(BulkPlan, IsReadAsItWasWritten) {
  Plan plan = plan_of("echo 1\necho 2\necho 3");
  plan.options = {"--json", "--model=a b.nrs"};
  plan.source = Source{"a b.nrs", "12345678"};
  ASSERT_TRUE(make_plan(files(), 2, plan));
  EXPECT_EQ(plan.shards.size(), 2u);
  EXPECT_EQ(plan.lines(), 3u);
  EXPECT_EQ(plan.lines_before(2), 2u);
  EXPECT_EQ(read_plan(files()), plan);
}

TEST_F(BulkPlan, IsMadeOnceAndNotReplacedByAnother) {
  made("echo 1\n");
  Plan same = plan_of("echo 1\n");
  EXPECT_FALSE(make_plan(files(), 1, same));
  Plan other = plan_of("echo 2\n");
  EXPECT_THROW(make_plan(files(), 1, other), Error);
  Plan none = plan_of("");
  EXPECT_THROW(make_plan(PlanFiles(folder / "none"), 1, none), Error);
  EXPECT_FALSE(std::filesystem::exists(folder / "none" / "plan.json"));
}

TEST_F(BulkPlan, RemovesOnlyWhatAPlanHasBegun) {
  write_file(folder / "work" / "done" / "mine.txt", "mine");
  Plan plan = plan_of("echo 1\n");
  EXPECT_THROW(make_plan(files(), 1, plan), Error);
  EXPECT_TRUE(std::filesystem::exists(folder / "work" / "done" / "mine.txt"));
  std::filesystem::remove_all(folder / "work");
  made("echo 1\n");
  std::filesystem::remove(files().plan());  // as if it had been killed before its end
  Plan again = plan_of("echo 2\n");
  EXPECT_TRUE(make_plan(files(), 1, again));
}

TEST_F(BulkPlan, DamagedFilesAreRefused) {
  made("echo 1\necho 2\n");
  const std::string text = read_file(files().plan(), 1 << 20);
  const std::size_t lines = text.find("\"lines\": 2");
  ASSERT_NE(lines, std::string::npos);
  for (std::string damaged : {text.substr(0, text.size() / 2), std::string("{}"), std::string(),
                              std::string(text).replace(lines, 10, "\"lines\": 3")}) {
    write_file(files().plan(), damaged);
    EXPECT_THROW(read_plan(files()), Error) << damaged;
  }
}

TEST_F(BulkPlan, TasksAreDoneOnceAndFailuresAreTold) {
  const Plan plan = made("echo a\nsh -c 'echo why >&2; exit 3'\necho c\n");
  const PlanFiles files = this->files();
  const TaskRunner runner(plan, files, {});
  EXPECT_EQ(runner.run(1, 1), TaskEnd::kDone);
  EXPECT_EQ(runner.run(1, 1), TaskEnd::kBefore);
  EXPECT_THROW(runner.run(2, 1), Error);
  Status status = status_of(plan, files);
  EXPECT_EQ(status.tasks[TaskState::kDone], std::vector<std::size_t>{1});
  EXPECT_EQ(status.tasks[TaskState::kFailed], std::vector<std::size_t>{2});
  EXPECT_NE(status.reasons[2].find("why"), std::string::npos);
  EXPECT_EQ(status.open(), (std::vector<std::size_t>{2, 3}));
  const auto ignore = [](std::string_view) {};
  EXPECT_THROW(join(plan, files, ignore), Error);
}

TEST_F(BulkPlan, WhoWorksOnATaskIsSeen) {
  const Plan plan = made("echo a\necho b\n");
  const PlanFiles files = this->files();
  {
    const TaskLock lock(files.locks(), 2);
    EXPECT_TRUE(lock.held());
    EXPECT_FALSE(TaskLock(files.locks(), 2).held());
    EXPECT_EQ(status_of(plan, files).tasks[TaskState::kRunning], std::vector<std::size_t>{2});
    EXPECT_EQ(TaskRunner(plan, files, {}).run(2, 1), TaskEnd::kTaken);
  }
  EXPECT_EQ(TaskRunner(plan, files, {}).run(2, 1), TaskEnd::kDone);
  write_file(files.done() / "000001.txt.77.tmp", "half");
  EXPECT_EQ(status_of(plan, files).tasks[TaskState::kFailed], std::vector<std::size_t>{1});
}

TEST_F(BulkPlan, JoinChecksWhatItJoins) {
  const Plan plan = made("printf 'a\\nb\\n'\necho c\n");
  const PlanFiles files = this->files();
  for (const std::size_t task : {2, 1}) TaskRunner(plan, files, {}).run(task, 1);
  std::string joined;
  const auto take = [&](std::string_view text) { joined += text; };
  EXPECT_EQ(join(plan, files, take).answers, 2u);
  EXPECT_EQ(joined, "a\nb\nc\n");
  write_file(files.answers(2), "d\n");
  EXPECT_THROW(join(plan, files, take), Error);
}

TEST_F(BulkPlan, AShardThatHasChangedIsNotRun) {
  const Plan plan = made("echo a\n");
  const PlanFiles files = this->files();
  write_file(files.shard(1), "echo b\n");
  EXPECT_THROW(TaskRunner(plan, files, {}).run(1, 1), Error);
}

TEST_F(BulkPlan, OneScriptIsThere) {
  const Plan plan = made("echo a\necho b\n");
  const PlanFiles files = this->files();
  EXPECT_THROW(resubmission(files, plan, {1}), Error);
  write_script(files, plan, {.engine = Engine::kSlurm, .program = "/bin/nrs"});
  EXPECT_NE(read_file(script_path(files, Engine::kSlurm), 1 << 20).find("--array=1-2\n"),
            std::string::npos);
  write_script(files, plan, {.engine = Engine::kSsh, .program = "/bin/nrs", .hosts = "a,2/b"});
  EXPECT_FALSE(std::filesystem::exists(script_path(files, Engine::kSlurm)));
  const std::string script = script_path(files, Engine::kSsh).string();
  EXPECT_EQ(resubmission(files, plan, {2}), (std::vector<std::string>{script, "2"}));
  EXPECT_TRUE(resubmission(files, plan, {}).empty());
}

}  // namespace
}  // namespace nrs::bulk
