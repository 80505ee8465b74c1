"""Systems of terms with results that are computed: chains to learn from, and fresh deeper terms.

  python3 benchmarks/computed_terms.py arithmetic --chains 20000 --nesting 1-3 --seed 1 > a.chains
  ./nrs learn a.chains --out a.nrs
  python3 benchmarks/computed_terms.py arithmetic --measure a.nrs --count 1000 --nesting 6 --seed 2

`arithmetic` is the domain of that name as terms: plus, minus and times of numbers from -99 to 99, of
results the sign and the last two digits. `polynomials` are derivatives of sums of monomials. The
chains are leftmost-innermost and written by this file alone, so that nothing but text is learned
from. Measuring says how many of the answers are right, refused (with a reason) and wrong."""

import argparse
import random
import subprocess
import sys
import time


class Arithmetic:
    """times(plus(15,5),minus(3,4)) -> ... -> -20"""

    OPERATIONS = {"plus": lambda a, b: a + b, "minus": lambda a, b: a - b, "times": lambda a, b: a * b}

    def draw(self, rng, nesting):
        if nesting == 0:
            return str(rng.randint(-99, 99))
        deep = [self.draw(rng, nesting - 1), self.draw(rng, rng.randint(0, nesting - 1))]
        rng.shuffle(deep)
        return (rng.choice(list(self.OPERATIONS)), *deep)

    def redex(self, term):
        if isinstance(term, str) or not all(isinstance(arg, str) for arg in term[1:]):
            return None
        value = self.OPERATIONS[term[0]](int(term[1]), int(term[2]))
        return str((abs(value) % 100) * (1 if value >= 0 else -1))


class Polynomials:
    """d(plus(mul(12,pow(x,5)),mul(7,x))) -> ... -> plus(mul(60,pow(x,4)),7)"""

    def __init__(self, powers=9):
        self.powers = powers

    def monomial(self, rng):
        number = str(rng.randint(2, 99))
        power = rng.randint(0, self.powers)
        if power == 0:
            return number
        base = "x" if power == 1 else ("pow", "x", str(power))
        return ("mul", number, base)

    def sum(self, rng, nesting):
        if nesting == 0:
            return self.monomial(rng)
        deep = [self.sum(rng, nesting - 1), self.sum(rng, rng.randint(0, nesting - 1))]
        rng.shuffle(deep)
        return ("plus", *deep)

    def draw(self, rng, nesting):
        return ("d", self.sum(rng, nesting))

    def redex(self, term):
        if isinstance(term, str) or term[0] != "d":
            return None
        inner = term[1]
        if isinstance(inner, str):
            return "1" if inner == "x" else "0"
        if inner[0] == "plus":
            return ("plus", ("d", inner[1]), ("d", inner[2]))
        number, base = int(inner[1]), inner[2]
        if base == "x":
            return str(number)
        power = int(base[2])
        lower = "x" if power == 2 else ("pow", "x", str(power - 1))
        return ("mul", str(number * power), lower)


def text(term):
    return term if isinstance(term, str) else f"{term[0]}({','.join(text(arg) for arg in term[1:])})"


def step(system, term):
    """The term after one leftmost-innermost rewrite; None for a normal form."""
    if isinstance(term, str):
        return None
    for i in range(1, len(term)):
        after = step(system, term[i])
        if after is not None:
            return (*term[:i], after, *term[i + 1:])
    return system.redex(term)


def chain(system, term):
    terms = [term]
    while (after := step(system, terms[-1])) is not None:
        terms.append(after)
    return terms


def nestings(words):
    low, _, high = words.partition("-")
    return range(int(low), int(high or low) + 1)


def measure(options, system, rng):
    terms = [system.draw(rng, rng.choice(options.nesting)) for _ in range(options.count)]
    begin = time.time()
    run = subprocess.run([options.nrs, "simplify", "--model", options.measure, "-"], text=True,
                         input="".join(text(term) + "\n" for term in terms), capture_output=True)
    seconds = time.time() - begin
    answers = run.stdout.splitlines()
    if len(answers) != len(terms):
        sys.exit(f"{len(answers)} answers to {len(terms)} terms: {run.stderr}")
    refused = {}
    right = wrong = 0
    for term, answer in zip(terms, answers):
        if answer.startswith(("stopped: ", "error: ")):
            reason = answer.split(":")[1].strip()
            refused[reason] = refused.get(reason, 0) + 1
        elif answer == text(chain(system, term)[-1]):
            right += 1
        else:
            wrong += 1
    print(f"{right} right, {sum(refused.values())} refused {refused or ''}, {wrong} wrong "
          f"of {len(terms)}; {seconds:.1f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("system", choices=["arithmetic", "polynomials"])
    parser.add_argument("--chains", type=int, default=1000, help="how many to print")
    parser.add_argument("--nesting", type=nestings, default=nestings("1-3"))
    parser.add_argument("--powers", type=int, default=9, help="largest exponent (polynomials)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--measure", help="a model: print no chains, but ask it for fresh terms")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--nrs", default="./nrs")
    options = parser.parse_args()
    system = Arithmetic() if options.system == "arithmetic" else Polynomials(options.powers)
    rng = random.Random(options.seed)
    if options.measure:
        return measure(options, system, rng)
    for _ in range(options.chains):
        print(" -> ".join(text(term) for term in chain(system, system.draw(rng, rng.choice(options.nesting)))))


if __name__ == "__main__":
    main()
