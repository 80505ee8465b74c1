"""The Python module: the same answers as the program, arrays, errors with a place, threads, learning, types."""
import doctest
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time

import pytest

NRS = pathlib.Path(os.environ["NRS"])
ROOT = pathlib.Path(os.environ["ROOT"])
PACKAGES = NRS.parent.parent / "python"
sys.path.insert(0, str(PACKAGES))

import nrs  # noqa: E402

DOMAINS = "logic", "listops", "arithmetic", "algebra"


@pytest.fixture(scope="module")
def multi():
    return nrs.load("multi")


def test_a_formula_and_a_list_of_them(multi):
    answer = multi.simplify("((15+5)*(3-4))")
    assert (answer.ok, answer.value, answer.stop, answer.rounds) == (True, "-20", "final", 2)
    assert multi.simplify(["(1+1)", "(True AND p)"]).values == ["2", "p"]
    assert multi.simplify(question for question in ["(1+2)"]).values == ["3"]
    assert list(multi.simplify([])) == []


def test_the_same_answers_as_the_program(multi):
    questions = [question for domain in DOMAINS for question, _ in nrs.generate(domain, 3, 249, seed=7)]
    questions += ["(a&b)", "(1+?)", "1+2", "(1+"]
    assert len(questions) == 1000
    done = subprocess.run([NRS, "simplify", "--json", "--model", "multi"], input="\n".join(questions),
                          capture_output=True, text=True)
    theirs = [json.loads(line) for line in done.stdout.splitlines()]
    answers = multi.simplify(questions)
    for our, their in zip(answers, theirs, strict=True):
        if "error" in their:
            assert our.error.hint == their["error"].get("hint", "")
            assert our.error.offset + 1 == their["error"]["column"]
            assert their["error"]["message"] in str(our.error)
        else:
            assert (our.formula, our.stop, our.rounds) == (their["result"], their["stop"], their["rounds"])
    assert answers.rewrites[:-4].tolist() == [their["steps"] for their in theirs[:-4]]


def test_generated_values_are_right(multi):
    scores = multi.evaluate(nrs.generate("arithmetic", 3, 100, seed=3))
    assert (scores.right, scores.asked, scores.accuracy) == (100, 100, 1.0)
    assert nrs.generate("arithmetic", 3, 100, seed=3) == nrs.generate("arithmetic", 3, 100, seed=3)


def test_what_is_wrong_and_what_is_refused_are_told_apart(multi):
    scores = multi.evaluate([("(1+1)", "2"), ("(1+1)", "3"), ("(a&b)", "a"), ("(1+", "1")])
    assert (scores.right, len(scores.wrong), len(scores.unanswered)) == (1, 1, 2)
    assert scores.wrong[0].value == "2"
    assert scores.unanswered[0].stop == "unknown_leaf"
    assert scores.unanswered[1].error is not None


def test_steps_lead_from_the_question_to_the_answer(multi):
    answer = multi.simplify("((15+5)*(3-4))")
    assert [(step.round, step.leaf, step.value) for step in answer.steps] == [
        (0, "(15+5)", "20"), (0, "(3-4)", "-1"), (1, "(20*-1)", "-20")]
    assert answer.log_probs.shape == (3, 2)
    assert (answer.log_probs <= 0).all()
    assert answer.log_probs[2, 1] == answer.steps[2].solver_log_prob


def test_many_answers_are_arrays(multi):
    answers = multi.simplify(["((1+1)+1)", "(a&b)", "(1+"])
    assert [nrs.STOPS[stop] for stop in answers.stops] == ["final", "unknown_leaf", "error"]
    assert answers.ok.tolist() == [True, False, False]
    assert answers.rewrites.tolist() == [2, 0, 0]
    assert answers.values == ["3", None, None]
    assert (answers.stops.dtype, answers.rewrites.dtype) == ("uint8", "int64")
    assert multi.simplify([]).stops.shape == (0,)


def test_many_answers_are_a_sequence(multi):
    answers = multi.simplify(["(1+1)", "(1+2)", "(1+"])
    assert (len(answers), answers[0].value, answers[-1].ok) == (3, "2", False)
    assert [answer.value for answer in answers[:2]] == [answer.value for answer in answers][:2] == ["2", "3"]
    assert repr(answers[:2]) == "[<2>, <3>]"
    for outside in 3, -4:
        with pytest.raises(IndexError):
            answers[outside]


def test_literal_formulas_are_in_the_notation_of_the_model():
    logic = nrs.load("logic", literal=True)
    assert logic.simplify("((l|l)&(!F))").value == "l"
    with pytest.raises(nrs.Error):
        logic.simplify("((l OR l) AND T)")


def test_a_stream_reads_no_more_than_a_batch_ahead(multi):
    read = []

    def endless():
        while True:
            read.append(f"({len(read)}+1)")
            yield read[-1]

    answers = multi.stream(endless(), batch=8)
    assert [next(answers).value for _ in range(10)] == [str(n + 1) for n in range(10)]
    assert len(read) == 16
    assert list(multi.stream([])) == []


def test_a_notebook_shows_derivations_and_tables(multi):
    page = multi.simplify("((15+5)*(3-4))")._repr_html_()
    assert page.count("<li>") == 3
    assert ">(15+5)</span>*<span" in page
    assert "<strong>-20</strong>" in page
    assert "stopped: unknown_leaf" in multi.simplify("(a&b)")._repr_html_()
    table = multi.simplify(["(1+1)", "(1+<)"] + ["(1+2)"] * 30)._repr_html_()
    assert "<code>2</code>" in table and "(1+&lt;)" in table and "and 12 more" in table


def test_errors_have_a_place_and_a_hint(multi):
    with pytest.raises(nrs.Error, match="column 4") as caught:
        multi.simplify("(1+?)")
    assert caught.value.offset == 3
    with pytest.raises(nrs.Error) as caught:
        multi.simplify("1+2")
    assert caught.value.hint == "write (1+2)"
    with pytest.raises(nrs.Error, match="column 4"):
        raise multi.simplify(["(1+?)"])[0].error


def test_an_unknown_model_or_domain_is_an_error():
    for wrong in lambda: nrs.load("mutli"), lambda: nrs.load("/no/such.nrs"), lambda: nrs.generate("arith", 1, 1):
        with pytest.raises(nrs.Error):
            wrong()
    assert "multi" in nrs.models()


def test_other_threads_run_meanwhile(multi):
    formulas = [question for question, _ in nrs.generate("algebra", 5, 200, seed=1)]
    turns, ended = 0, threading.Event()
    worker = threading.Thread(target=lambda: (multi.simplify(formulas), ended.set()))
    worker.start()
    while not ended.is_set():
        turns += 1
    worker.join()
    assert turns > 1000


def test_ctrl_c_ends_a_long_list():
    script = ("import nrs; m = nrs.load('multi')\n"
              "f = [q for q, _ in nrs.generate('algebra', 4, 1000, seed=1)] * 1000\n"
              "print('ready', flush=True)\n"
              "m.simplify(f)")
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env=dict(os.environ, PYTHONPATH=str(PACKAGES))) as child:
        assert child.stdout.readline() == "ready\n"
        time.sleep(1)  # so that it is at work
        assert child.poll() is None
        child.send_signal(signal.SIGINT)
        errors = child.communicate(timeout=60)[1]
    assert "KeyboardInterrupt" in errors
    assert child.returncode == -signal.SIGINT


def test_what_the_guide_shows_is_what_happens(tmp_path, monkeypatch):
    page = (ROOT / "docs" / "python.md").read_text()
    shown = "\n".join(re.findall(r"```python\n(.*?)```", page, re.S))
    guide = doctest.DocTestParser().get_doctest(shown, {}, "docs/python.md", None, None)
    os.symlink(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.DocTestRunner().run(guide)
    assert failed == 0
    assert tried > 10


def test_a_card_is_that_of_the_program(tmp_path):
    subprocess.run([NRS, "info", "--card", "logic.nrs", "--license", "mit", "--out", tmp_path / "logic.md"],
                   cwd=ROOT / "models", check=True)
    assert nrs.load("logic").card(license="mit") == (tmp_path / "logic.md").read_text()


def test_learning_from_a_file(tmp_path):
    model = nrs.learn(ROOT / "examples" / "booleans.txt", tmp_path / "mine.nrs")
    assert model.simplify("not ( True and not ( False or True ) )").value == "True"
    assert "<value> and <value>" in model.report


def number(n):
    return "s(" * n + "0" + ")" * n


def addition(n, m):
    steps = ["s(" * k + f"plus({number(n - k)},{number(m)})" + ")" * k for k in range(n + 1)]
    return [*steps, number(n + m)]


def test_learning_from_chains_and_their_rules(tmp_path):
    model = nrs.learn([addition(n, m) for n in range(4) for m in range(4)])
    question = f"plus({number(9)},{number(2)})"
    assert model.simplify(question).value == number(11)
    assert "plus" in nrs.rules(model)
    assert model.simplify(question).steps[0].source == "rule"
    model.save(tmp_path / "mine.nrs")
    assert nrs.load(tmp_path / "mine.nrs").simplify(question).value == number(11)
    own = model.path
    del model
    assert not own.exists()


def test_faults_of_examples_are_errors(tmp_path):
    out = tmp_path / "mine.nrs"
    with pytest.raises(nrs.Error):
        nrs.learn([], out)
    with pytest.raises(nrs.Error, match="example 1 has a line end"):
        nrs.learn([["a\n", "b", "c"]], out)
    with pytest.raises(nrs.Error, match="no-such.txt"):
        nrs.learn("no-such.txt", out)
    assert not out.exists()


def test_without_the_program_an_error_says_how_to_get_it(monkeypatch):
    monkeypatch.delenv("NRS")
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(nrs.Error, match="set NRS to the file ./nrs"):
        nrs.rules("logic")


def check_types(folder, *words):
    done = subprocess.run([sys.executable, "-m", *words], cwd=folder, capture_output=True, text=True,
                          env=dict(os.environ, MYPYPATH=str(PACKAGES), PYTHONPATH=str(PACKAGES)))
    assert done.returncode == 0, done.stdout + done.stderr


def test_types_are_told(tmp_path):
    check_types(tmp_path, "mypy", "--strict", "--package", "nrs")


def test_types_of_the_compiled_part_are_true(tmp_path):
    # What pybind11 gives every class.
    (tmp_path / "allowed").write_text(r"nrs\._nrs\.(Answer|Batch|Rewriter|Step)(\.__init__)?")
    check_types(tmp_path, "mypy.stubtest", "nrs._nrs", "--allowlist", "allowed")


if __name__ == "__main__":
    sys.exit(pytest.main([__file__, "-q", "-p", "no:cacheprovider", "--durations=5"]))
