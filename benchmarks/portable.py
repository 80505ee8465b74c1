"""How much slower the library is when it is built for any processor: with and without NRS_NATIVE, on the same formulas.
usage: python3 benchmarks/portable.py [MODEL [DOMAIN [DEEPEST]]]

Builds bench_simplify three times, in build/bench-*: for this processor only; for any, with kernels for AVX2 and AVX-512
that are chosen at the start; and for any, without those, which is how the second runs on a processor that has neither. Each run
loads the model and simplifies 375 formulas of each nesting 1 to DEEPEST. The programs take turns, and of each the
least seconds of processor count: what else the machine does can only add to them. Fails if the portable program takes
more than 1.3 times as long as the native one, unless this processor has no AVX2, or if it has other answers right."""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILDS = {
    "native": ["-DNRS_NATIVE=ON"],
    "portable": ["-DNRS_NATIVE=OFF"],
    "portable-without-copies": ["-DNRS_NATIVE=OFF", "-DNRS_COPIES=OFF"],
}
COUNT, SEED = 375, 2025
REPEATS = 5
ALLOWED = 1.3


def build(name, options):
    folder = ROOT / "build" / ("bench-" + name)
    for command in (["cmake", "--preset", "release", "-B", folder, "-DNRS_BENCHMARKS=ON", *options],
                    ["cmake", "--build", folder, "--target", "bench_simplify"]):
        subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
    return folder / "bin" / "bench_simplify"


def run(program, model, domain, deepest):
    words = [program, model, domain, COUNT, deepest, SEED]
    seconds, count, right = subprocess.run(map(str, words), capture_output=True, text=True, check=True).stdout.split()
    return float(seconds), int(count), int(right)


def main(model=ROOT / "models" / "multi.nrs", domain="arithmetic", deepest=4):
    programs = {name: build(name, options) for name, options in BUILDS.items()}
    least, results = {}, set()
    for _ in range(REPEATS):
        for name, program in programs.items():
            seconds, count, right = run(program, model, domain, deepest)
            results.add((count, right))
            least[name] = min(seconds, least.get(name, seconds))
    for count, right in results:
        print("%d formulas, %d right; least of %d runs in turns" % (count, right, REPEATS))
    for name, seconds in least.items():
        print("%-24s %6.2f s of processor, %.2f times native" % (name, seconds, seconds / least["native"]))
    if len(results) > 1:
        sys.exit("they do not have the same formulas right")
    has_avx2 = {"avx2", "fma"} <= set(pathlib.Path("/proc/cpuinfo").read_text().split())
    if has_avx2 and least["portable"] > ALLOWED * least["native"]:
        sys.exit("the portable program takes more than %.1f times as long" % ALLOWED)


main(*sys.argv[1:])
