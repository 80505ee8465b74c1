"""A formula as a question in words, and the answer in what somebody wrote in words, such as
`Hence (28*-16) = -448, which is **-48** modulo -100.` The last value that is mentioned counts."""
import re

SIGNS = {"\u2212": "-", "\u2013": "-", "\u00b7": "*", "\u22c5": "*", "\u00d7": "*", "\u00a0": " ",
         "\u202f": " ", "\\cdot": "*", "\\times": "*", "\\,": " "}
SIGN = re.compile("|".join(map(re.escape, SIGNS)))
# "modulo 100", "mod 10", "\pmod{-100}", "% 100": the numbers in such phrases answer nothing.
MODULO = re.compile(r"(?:%|(?<![A-Za-oq-z])(?i:mod(?:ulus|ulo)?)(?![A-Za-z]))[ \t{(\\$-]*[0-9]+")
WORD = re.compile(r"[A-Za-z0-9]+")
NUMBER = re.compile(r"([0-9]+(?:,[0-9]{3}(?![0-9]))*)(?:\.([0-9]+))?")
# What a number can be subtracted from: "3", "17xy" or ")", but not "is".
OPERAND = re.compile(r"(?:[)\]0-9]|(?<![A-Za-z])[abxy]+)\Z")
# A product of a number and of variables, which may touch, have a star between them, or stand apart
# as in "17 x y". A lone `a` is as likely an article. Eight factors are more than any of ours has.
APART = r" (?=a[ *]*[abxy](?![A-Za-z])|[bxy](?:(?![A-Za-z0-9])|[ *]*[abxy](?![A-Za-z])))"
PRODUCT = re.compile(rf"([0-9]*+)((?:(?: *\*(?!\*) *|{APART})?[abxy]){{1,8}}+)(?![A-Za-z0-9])")


def boxed(text):
    """What is in the braces of the last \\boxed{...}, or everything."""
    _, box, inside = text.rpartition("\\boxed{")
    if not box:
        return text
    depth = 1
    for brace in re.finditer("[{}]", inside):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return inside[:brace.start()]
    return inside


def tidy(text):
    """What an answer is looked for in: plain signs, and no phrases such as "modulo 100"."""
    return MODULO.sub("", SIGN.sub(lambda sign: SIGNS[sign[0]], boxed(text)))


def is_negative(text, start):
    """Whether a minus belongs to what starts here: in "is -4" and "= - 4", but not in "3 - 4", nor
    the dash of a list."""
    sign = text[:start].rstrip(" \t")
    if not sign.endswith("-"):
        return False
    left = sign[:-1].rstrip(" \t")
    if left.endswith(("\n", "\r")):
        return len(sign) == start
    return not OPERAND.search(left, max(0, len(left) - 1000))


def last_number(text, _formula):
    """As one would write it: "-48", "1234", "2.5"; never "-0" or "07"."""
    found = None
    for found in NUMBER.finditer(text):
        pass
    if not found:
        return None
    number = found[1].replace(",", "").lstrip("0") or "0"
    fraction = (found[2] or "").rstrip("0")
    if fraction:
        number += "." + fraction
    return "-" + number if number != "0" and is_negative(text, found.start()) else number


def is_preposition(text, product):
    """In "divided by", the last word is no product of b and y, unless it is where an answer is."""
    if product[1] or product[2].replace(" ", "") != "by":
        return False
    left = text[:product.start()].rstrip(" \t")[-1:]
    return left != "" and left not in "=:${`*(+-\n"


def last_monomial(text, formula):
    """In the form "+17*a*x". A lone 0 is the zero monomial of the formula."""
    found, place = None, 0
    while word := WORD.search(text, place):
        product = PRODUCT.match(text, word.start())
        if product and re.search("[xy]", product[2]) and not is_preposition(text, product):
            found, place = product, product.end()
        else:
            found, place = "0" if word[0] == "0" else found, word.end()
    if found is None:
        return None
    if found == "0":
        return "+0*" + "*".join(sorted(set(re.findall("[abxy]", formula))))
    coefficient = (found[1] or "1").lstrip("0") or "0"
    sign = "-" if coefficient != "0" and is_negative(text, found.start()) else "+"
    factors = sorted(re.findall("[abxy]", found[2]))
    degree = "^" if text[found.end():].startswith("^") else ""  # too high: no monomial of ours
    return sign + "*".join(factors if coefficient == "1" else [coefficient, *factors]) + degree


def is_name(text, place):
    """Whether the single letter here stands for itself and not for a word."""
    left, right, next_one = text[place - 1:place], text[place + 1:place + 2], text[place + 2:place + 3]
    if "'" in (left, right):
        return left == right  # 'z', but not "it's"
    if left == "." or (right == "." and next_one.isalpha()):
        return False  # "e.g."
    return not (text[place] == "a" and right == " " and next_one.islower())


def last_truth(text, formula):
    """"T" or "F", also as a word, or a variable of the formula."""
    variables, found = set(re.findall(r"\b[a-z]\b", formula)), None
    for word in WORD.finditer(text):
        if word[0] in "TF" or word[0].lower() in ("true", "false"):
            found = word[0][0].upper()
        elif word[0] in variables and is_name(text, word.start()):
            found = word[0]
    return found


def in_words(formula):
    """The paper's notation of logic."""
    names = {"&": " AND ", "|": " OR ", "!": "NOT ", "T": "True", "F": "False"}
    return "".join(names.get(character, character) for character in formula)


def set_apart(formula):
    """The paper's notation of ListOps: [MIN [SM 5 4] [MIN 3 9]]."""
    return re.sub(r"(?<=.)(?=[\[0-9])", " ", formula)


# For each domain: the highest of the paper's test levels, what is asked before and after the
# formula, how the formula is written there, and how the answer is found. The paper prints its
# question for ListOps, which is used to the letter; the others are ours.
DOMAINS = {
    "logic": (12, "AND, OR, and NOT are the operators of propositional logic, and lower-case letters "
                  "are variables. Simplify the following expression to True, False, or a single "
                  "variable: ", ".", in_words, last_truth),
    "listops": (6, "MIN, MAX, and SM are operators on lists of single-digit integers, representing "
                   "minimum, maximum, and sum modulo 10, respectively. Solve the following expression "
                   "using these operators: ", ".", set_apart, last_number),
    "arithmetic": (6, "Solve the following arithmetic expression: ",
                   ". Take the value of every operation modulo 100 if it is positive, and modulo -100 "
                   "if it is negative, before you go on with it.", str, last_number),
    "algebra": (6, "Simplify the following algebraic expression to a single monomial: ",
                ". Take the coefficient of every sum modulo 100 if it is positive, and modulo -100 "
                "if it is negative, before you go on with it.", str, last_monomial)}


def test_levels(domain):
    return "1-%d" % DOMAINS[domain][0]


def question_of(domain, formula):
    _, before, after, write, _ = DOMAINS[domain]
    return before + write(formula) + after


def answer_in(domain, reply, formula):
    """The value that a reply gives the formula, or None. It may be too large to be an atom."""
    return DOMAINS[domain][4](tidy(reply), formula)
