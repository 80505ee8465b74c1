#!/usr/bin/env python3
"""Relearns the systems of a folder of rule files (ARI) from chains, and prints a table.

For each system: chains of random ground terms of depth 2-5, leftmost-innermost, as plain text; `nrs learn` sees this text
and nothing else. Then the rules are compared with the true ones up to renaming, and the normal forms of fresh terms of depth
7 with those of the true rules. Reader, generator, rewriter and comparison share no code with nrs. What a random term is can
be said in many ways (--sorts, --shape, --roots, --constants): a learner should not depend on it.

  python3 benchmarks/relearn.py FOLDER [--chains 600] [--fresh 200] [--seed 1] [--nrs PROGRAM] [--only PART] [...]
"""
import argparse
import collections
import concurrent.futures
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time

sys.setrecursionlimit(100000)


# --- ARI -------------------------------------------------------------------------------------------
def read_expressions(text):
    stack = [[]]
    for token in re.findall(r";[^\n]*|\|[^|]*\||[()]|[^\s()]+", text):
        if token[0] == ";":
            continue
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token.strip("|") if token[0] == "|" else token)
    return stack[0]


class System:
    """Symbols with arities, rules as pairs of tuples (symbol, argument...); variables are strings."""

    def __init__(self, path, options):
        self.options = options
        self.arity, self.rules, self.declared = {}, [], {}
        for item in read_expressions(open(path).read()):
            if item[0] == "fun":
                name, kind = item[1], item[2]
                self.arity[name] = len(kind) - 2 if isinstance(kind, list) else (int(kind) if kind.isdigit() else 0)
                if not (isinstance(kind, str) and kind.isdigit()):
                    self.declared[name] = kind[1:] if isinstance(kind, list) else [kind]
            elif item[0] == "rule":
                self.rules.append((self.term(item[1]), self.term(item[2])))
        self.infer_sorts()

    def term(self, item):
        if isinstance(item, list):
            return (item[0],) + tuple(self.term(a) for a in item[1:])
        return (item,) if item in self.arity else item

    def infer_sorts(self):
        self.defined = {l[0] for l, _ in self.rules}
        parent = {}

        def find(x):
            parent.setdefault(x, x)
            while parent[x] != x:
                x = parent[x]
            return x

        def slot(t, scope):
            return ("var", scope, t) if isinstance(t, str) else (t[0], 0)

        def visit(t, scope):
            if isinstance(t, str):
                return
            for i, a in enumerate(t[1:], 1):
                parent[find(slot(a, scope))] = find((t[0], i))
                visit(a, scope)

        for name, sorts in self.declared.items():
            for i, s in enumerate(sorts[:-1], 1):
                parent[find((name, i))] = find(("sort", s))
            parent[find((name, 0))] = find(("sort", sorts[-1]))
        for k, (l, r) in enumerate(self.rules):
            visit(l, k), visit(r, k)
            parent[find(slot(l, k))] = find(slot(r, k))
        place = find if self.options.sorts == "inferred" else lambda x: "all"
        self.result = {f: place((f, 0)) for f in self.arity}
        self.params = {f: [place((f, i)) for i in range(1, n + 1)] for f, n in self.arity.items()}
        self.add_constants()

    def add_constants(self):
        """New constants for sorts in which nothing could be told apart, or as many as asked for every sort."""
        sorts = sorted({s for f in self.arity for s in [self.result[f]] + self.params[f]}, key=str)
        poor = [s for s in sorts if self.constructor_terms(s) < 2]
        extra = self.options.constants
        for k, s in enumerate(poor * 2 if extra is None else sorts * extra):
            name = "c%d" % k
            while name in self.arity:
                name += "_"
            self.arity[name], self.result[name], self.params[name] = 0, s, []
        low = self.least_depths()
        for s in sorts:
            if s not in low:
                name = "e%d" % len(self.arity)
                self.arity[name], self.result[name], self.params[name] = 0, s, []
                low = self.least_depths()
        self.low = low
        self.by_sort = collections.defaultdict(list)
        for f in self.arity:
            self.by_sort[self.result[f]].append((f, self.least(f)))

    def constructor_terms(self, sort):
        """How many terms without a symbol that has rules: 0, 1, or 2 for more."""
        counts = collections.Counter()
        for _ in range(len(self.arity) + 2):
            new = collections.Counter()
            for f in self.arity:
                if f not in self.defined:
                    ways = 1
                    for p in self.params[f]:
                        ways = min(2, ways * counts[p])
                    new[self.result[f]] = min(2, new[self.result[f]] + ways)
            counts = new
        return counts[sort]

    def least(self, f):
        return 1 + max((self.low.get(s, 10**9) for s in self.params[f]), default=-1)

    def least_depths(self):
        self.low = {}
        changed = True
        while changed:
            changed = False
            for f in self.arity:
                d = self.least(f)
                if d < 10**8 and d < self.low.get(self.result[f], 10**9):
                    self.low[self.result[f]] = d
                    changed = True
        return self.low

    def random_term(self, sort, depth, rng, deep):
        """Every symbol that fits is as likely as every other. Shape deep: one branch goes down as far as it can; full: all do;
        any: none has to."""
        options = [f for f, low in self.by_sort[sort] if low <= max(depth, self.low[sort])]
        if deep or (self.options.shape == "full" and depth > 0):
            options = [f for f in options if self.arity[f]] or options
        return self.fill_args(rng.choice(options), depth, rng, deep)

    def fill_args(self, f, depth, rng, deep):
        way = rng.randrange(self.arity[f]) if deep and self.arity[f] else -1
        return (f,) + tuple(self.random_term(s, depth - 1, rng, i == way) for i, s in enumerate(self.params[f]))

    def instance(self, pattern, sort, depth, rng, variables):
        """The left side of a rule with random terms for its variables, of at most this depth; None if that is not possible."""
        if isinstance(pattern, str):
            if pattern not in variables:
                variables[pattern] = self.random_term(sort, depth, rng, False) if depth >= self.low[sort] else None
            return variables[pattern]
        args = [self.instance(p, s, depth - 1, rng, variables) for p, s in zip(pattern[1:], self.params[pattern[0]])]
        return None if depth < 0 or None in args else (pattern[0],) + tuple(args)

    def training_sample(self, depth, rng):
        """With roots=rules every other term begins with a redex, so that every rule is shown."""
        if self.options.roots == "rules" and rng.random() < 1 / 2:
            left = rng.choice(self.rules)[0]
            term = self.instance(left, self.result[left[0]], depth, rng, {})
            if term:
                return term
        return self.sample(depth, rng)

    def sample(self, depth, rng):
        deep = self.options.shape == "deep"
        if self.options.roots == "any":
            return self.random_term(rng.choice(sorted(self.by_sort, key=str)), depth, rng, deep)
        return self.fill_args(rng.choice(sorted(self.defined)), depth - 1, rng, deep)


# --- rewriting -------------------------------------------------------------------------------------
class Engine:
    """Rewrites ground terms. A term is a number, the same one for equal terms, so that huge ones with many equal parts cost
    no more than their different parts."""

    def __init__(self, rules, store):
        self.store = store
        self.by_root = collections.defaultdict(list)
        for l, r in rules:
            self.by_root[l[0]].append((l, r))
        self.normal = set()
        self.redexes = collections.defaultdict(collections.Counter)  # of each rule

    def match(self, pattern, term, sub):
        if isinstance(pattern, str):
            return sub.setdefault(pattern, term) == term
        node = self.store.nodes[term]
        return pattern[0] == node[0] and len(pattern) == len(node) and all(
            self.match(p, t, sub) for p, t in zip(pattern[1:], node[1:]))

    def fill(self, pattern, sub):
        if isinstance(pattern, str):
            return sub[pattern]
        return self.store.make((pattern[0],) + tuple(self.fill(p, sub) for p in pattern[1:]))

    def at_root(self, term):
        for l, r in self.by_root.get(self.store.nodes[term][0], ()):
            sub = {}
            if self.match(l, term, sub):
                self.redexes[l, r][term] += 1
                return self.fill(r, sub)
        return None

    def step(self, term):
        """One leftmost-innermost step, or None."""
        if term in self.normal:
            return None
        node = self.store.nodes[term]
        for i in range(1, len(node)):
            u = self.step(node[i])
            if u is not None:
                return self.store.make(node[:i] + (u,) + node[i + 1:])
        u = self.at_root(term)
        if u is None:
            self.normal.add(term)
        return u

    def normal_form(self, term, limit):
        memo, left = {}, [limit]

        def nf(t):
            if t in memo:
                return memo[t]
            node = self.store.nodes[t]
            u = self.store.make((node[0],) + tuple(nf(a) for a in node[1:]))
            r = self.at_root(u)
            if r is not None:
                left[0] -= 1
                if left[0] < 0:
                    raise TimeoutError
                r = nf(r)
            memo[t] = memo[u] = u if r is None else r
            return memo[t]
        return nf(term)


class Store:
    def __init__(self):
        self.nodes, self.numbers, self.sizes = [], {}, []

    def make(self, node):
        number = self.numbers.setdefault(node, len(self.nodes))
        if number == len(self.nodes):
            self.nodes.append(node)
            self.sizes.append(1 + sum(self.sizes[a] for a in node[1:]))
        return number

    def intern(self, term):
        return self.make((term[0],) + tuple(self.intern(a) for a in term[1:]))

    def show(self, term):
        f, *args = self.nodes[term]
        return f + ("(" + ",".join(self.show(a) for a in args) + ")" if args else "")


def show(t):
    if isinstance(t, str):
        return t
    return t[0] + ("(" + ",".join(show(a) for a in t[1:]) + ")" if len(t) > 1 else "")


def show_rule(rule):
    return show(rule[0]) + " -> " + show(rule[1])


def spoil(chain, store, rng):
    """The chain with a mistake in it: a step left out, a symbol replaced, or a subterm dropped. None if it has no place for it."""
    if len(chain) > 2 and rng.random() < 1 / 3:
        i = rng.randrange(1, len(chain) - 1)
        return chain[:i] + chain[i + 1:]
    i = rng.randrange(len(chain))
    drop = rng.random() < 1 / 2

    def change(term, at):
        """The term with its node number `at`, counted from the root, changed."""
        node = store.nodes[term]
        if at == 0 and drop:
            return rng.choice(node[1:]) if len(node) > 1 else term
        if at == 0:
            return store.make((rng.choice(sorted({n[0] for n in store.nodes if len(n) == len(node)})),) + node[1:])
        at -= 1
        for k in range(1, len(node)):
            if at < store.sizes[node[k]]:
                return store.make(node[:k] + (change(node[k], at),) + node[k + 1:])
            at -= store.sizes[node[k]]
    wrong = change(chain[i], rng.randrange(store.sizes[chain[i]]))
    return None if wrong == chain[i] else chain[:i] + [wrong] + chain[i + 1:]


def chains(system, rng):
    """The lines, for each rule the redexes that they show, and the numbers of lines that were spoiled."""
    options = system.options
    store = Store()
    engine, lines, seen, tries = Engine(system.rules, store), [], set(), 0
    shown, spoiled = collections.defaultdict(collections.Counter), set()
    noise = random.Random(rng.random()) if options.noise else None
    while len(lines) < options.chains and tries < options.chains * 20:
        tries += 1
        t = store.intern(system.training_sample(rng.randint(2, 5), rng))
        if t in seen and not options.duplicates:
            continue
        seen.add(t)
        chain, done = [t], False
        engine.redexes.clear()
        while not done and len(chain) <= options.steps and store.sizes[chain[-1]] <= 300:
            following = engine.step(chain[-1])
            done = following is None
            chain += [] if done else [following]
        if done or options.long == "cut":
            wrong = spoil(chain, store, noise) if noise and noise.random() < options.noise else None
            if wrong:
                chain = wrong
                spoiled.add(len(lines) + 1)
            lines.append(" -> ".join(store.show(t) for t in chain) + ("" if done else " -> ..."))
            for rule, redexes in engine.redexes.items():
                shown[canonical(rule)].update(redexes)
    return lines, shown, spoiled


# --- comparing -------------------------------------------------------------------------------------
def parse(text):
    """A term as nrs prints it: names between bars are names, ?1 is a variable."""
    tokens = re.findall(r"[(),]|\|[^|]*\||[^\s(),]+", text)
    at = 0

    def term():
        nonlocal at
        f = tokens[at]
        at += 1
        if f[0] == "?" and len(f) > 1:
            return f
        f = f[1:-1] if f[0] == "|" and len(f) > 1 else f
        args = []
        if at < len(tokens) and tokens[at] == "(":
            while tokens[at] != ")":
                at += 1
                if tokens[at] == ")":
                    break
                args.append(term())
            at += 1
        return (f,) + tuple(args)
    return term()


def canonical(rule):
    names = {}

    def walk(t):
        if isinstance(t, str):
            return "?%d" % names.setdefault(t, len(names))
        return (t[0],) + tuple(walk(a) for a in t[1:])
    return walk(rule[0]), walk(rule[1])


NOTHING = {"rules": [], "suspicious": []}


def run(path, options):
    rng = random.Random("%s %d" % (os.path.basename(path), options.seed))
    system = System(path, options)
    lines, shown, spoiled = chains(system, rng)
    row = {"name": os.path.basename(path)[:-4], "rules": len(set(map(canonical, system.rules))), "chains": len(lines)}
    keep = options.keep
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(keep or folder, row["name"] + ".chains")
        open(name, "w").write("\n".join(lines) + "\n")
        start = time.time()
        try:
            got = subprocess.run([options.nrs, "learn", name, "--json"], capture_output=True, text=True, timeout=60)
            answer = json.loads(got.stdout) if got.returncode == 0 else NOTHING
        except subprocess.TimeoutExpired:
            answer = NOTHING
        row["seconds"] = time.time() - start
    learned = [(parse(rule["left"]), parse(rule["right"])) for rule in answer["rules"]]
    suspicious = {bad["line"] for bad in answer["suspicious"]}
    row["spoiled"], row["suspicious"], row["both"] = len(spoiled), len(suspicious), len(spoiled & suspicious)
    true, found = set(map(canonical, system.rules)), set(map(canonical, learned))
    row["found"], row["same"] = len(found), true == found
    row["missing"] = sorted("%s  (%d redexes in %d steps)" % (show_rule(rule), len(shown[rule]), sum(shown[rule].values()))
                            for rule in true - found)
    row["extra"] = sorted(map(show_rule, found - true))
    store = Store()
    exact, own = Engine(system.rules, store), Engine(learned, store)
    right = wrong = skipped = 0
    row["example"] = ""
    while right + wrong < options.fresh and skipped < 3 * options.fresh:
        t = store.intern(system.sample(7, rng))
        if store.sizes[t] > 2000:
            skipped += 1
            continue
        try:
            want = exact.normal_form(t, 3000)
        except (TimeoutError, RecursionError):
            skipped += 1
            continue
        try:
            good = own.normal_form(t, 9000) == want
        except (TimeoutError, RecursionError):
            good = False
        right, wrong = right + good, wrong + (not good)
        if not good and not row["example"]:
            row["example"] = store.show(t)[:200]
    row["right"], row["wrong"] = right, wrong
    return row


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--chains", type=int, default=600)
    parser.add_argument("--fresh", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--constants", type=int,
                        help="new constants for every sort; default: two for each sort with less than two constructor terms")
    parser.add_argument("--sorts", choices=["inferred", "none"], default="inferred")
    parser.add_argument("--shape", choices=["deep", "any", "full"], default="deep",
                        help="terms of exactly the depth by one branch, of at most the depth, or by all branches")
    parser.add_argument("--roots", choices=["defined", "any", "rules"], default="defined",
                        help="the root: a symbol with rules, any symbol, or in every other chain the left side of a rule")
    parser.add_argument("--steps", type=int, default=100, help="of a chain at most")
    parser.add_argument("--long", choices=["drop", "cut"], default="drop", help="chains with more steps")
    parser.add_argument("--noise", type=float, default=0, help="share of lines with a mistake in them")
    parser.add_argument("--duplicates", action="store_true", help="keep chains that begin with the same term")
    parser.add_argument("--nrs", default=os.path.join(os.path.dirname(__file__), "..", "nrs"))
    parser.add_argument("--only", default="", help="systems whose name has this in it")
    parser.add_argument("--keep", default="", help="folder to write the chains to")
    parser.add_argument("--differences", action="store_true", help="list rules that differ")
    options = parser.parse_args()
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
    paths = sorted(os.path.join(options.folder, f) for f in os.listdir(options.folder) if f.endswith(".ari") and options.only in f)
    rows = []
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        for row in pool.map(run, paths, [options] * len(paths)):
            rows.append(row)
            print("%-48s %2d rules %4d chains: found %3d %-5s right %3d wrong %3d  %.2f s" % (
                row["name"], row["rules"], row["chains"], row["found"], "same" if row["same"] else "-",
                row["right"], row["wrong"], row["seconds"]), flush=True)
            if options.noise or row["suspicious"]:
                print("      spoiled lines %d, called suspicious %d, both %d" % (row["spoiled"], row["suspicious"], row["both"]))
            if options.differences or row["wrong"]:
                for rule in row["missing"]:
                    print("      missing", rule)
                for rule in row["extra"]:
                    print("      extra  ", rule)
                if row["example"]:
                    print("      wrong: ", row["example"])
    if options.noise:
        spoiled, suspicious, both = (sum(r[k] for r in rows) for k in ("spoiled", "suspicious", "both"))
        print("spoiled lines %d, called suspicious %d: precision %.3f, recall %.3f" % (
            spoiled, suspicious, both / max(1, suspicious), both / max(1, spoiled)))
    print("systems %d, all right %d, same rules %d, slowest %.1f s" % (
        len(rows), sum(r["wrong"] == 0 and r["right"] > 0 for r in rows), sum(r["same"] for r in rows), max(r["seconds"] for r in rows)))


if __name__ == "__main__":
    main()
