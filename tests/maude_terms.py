"""Our formulas as terms of Maude, a rewriting system by others.

Each formula is re-spelt, character by character, as a term over operators that are defined here from the
paper's semantics; Maude parses and evaluates it."""
import re
import subprocess

MODULES = """
fmod ARITHMETIC is
  protecting INT .
  op cut : Int -> Int .
  ops plus minus times : Int Int -> Int .
  vars A B : Int .
  eq cut(A) = if A < 0 then -(- A rem 100) else A rem 100 fi .
  eq plus(A, B) = cut(A + B) .
  eq minus(A, B) = cut(A - B) .
  eq times(A, B) = cut(A * B) .
endfm
fmod LISTOPS is
  protecting NAT .
  sort List .
  subsort Nat < List .
  op _;_ : List List -> List [assoc] .
  ops lo hi su : List -> Nat .
  vars A B : Nat . var L : List .
  eq lo(A) = A .  eq lo(A ; L) = min(A, lo(L)) .
  eq hi(A) = A .  eq hi(A ; L) = max(A, hi(L)) .
  eq su(A) = A rem 10 .  eq su(A ; L) = (A + su(L)) rem 10 .
endfm
fmod LOGIC is
  protecting QID .
  sort Term .
  subsort Qid < Term .
  ops yes no : -> Term .
  ops both either : Term Term -> Term [comm] .
  op not : Term -> Term .
  var X : Term .
  eq both(X, yes) = X .   eq both(X, no) = no .   eq both(X, X) = X .
  eq either(X, no) = X .  eq either(X, yes) = yes .  eq either(X, X) = X .
  eq not(yes) = no .  eq not(no) = yes .
endfm
"""


def arithmetic(text):
    """Reads (A op B) with a stack; a sign right after '(' or an operator belongs to a number."""
    stack, tokens = [], re.findall(r"[()]|(?<=[(+*-])-?\d+|^-?\d+|[+*-]", text)
    for token in tokens:
        if token == ")":
            right, op, left = stack.pop(), stack.pop(), stack.pop()
            stack.pop()
            stack.append("%s(%s, %s)" % ({"+": "plus", "-": "minus", "*": "times"}[op], left, right))
        else:
            stack.append(token)
    return stack[0]


def algebra(text):
    """All monomials share their variables, so a formula is the sum of its coefficients."""
    names = re.search(r"[abxy](\*[abxy])*", text).group(0)
    text = text.replace("*" + names, "").replace(names, "1")
    text = re.sub(r"(?<=[\d)])\+(?=[(+-])", "&", text)  # a sum that is not also a sign
    stack = []
    for token in re.findall(r"[()&]|[+-]\d+", text):
        if token == ")":
            terms = []
            while stack[-1] != "(":
                terms.append(stack.pop())
            stack.pop()
            right, left = (t for t in terms if t != "&")
            stack.append("plus(%s, %s)" % (left, right))
        else:
            stack.append(token.lstrip("+"))
    return stack[0], names


def monomial(coefficient, names):
    number = int(coefficient)
    size = "" if abs(number) == 1 else "%d*" % abs(number)
    return ("-" if number < 0 else "+") + size + names


def listops(text):
    text = re.sub(r"(?<=\d|\])(?=\d|\[)", " ; ", text)
    for ours, theirs in (("[MIN", "lo("), ("[MAX", "hi("), ("[SM", "su(")):
        text = text.replace(ours, theirs)
    return text.replace("]", ")")


def logic(text):
    stack = []
    for c in text:
        if c == ")":
            right, op = stack.pop(), stack.pop()
            if op == "!":
                term = "not(%s)" % right
            else:
                term = "%s(%s, %s)" % ("both" if op == "&" else "either", stack.pop(), right)
            stack.pop()
            stack.append(term)
        elif c.islower():
            stack.append("'" + c)
        else:
            stack.append({"T": "yes", "F": "no"}.get(c, c))
    return stack[0]


def maude(module, terms):
    script = MODULES + "".join("red in %s : %s .\n" % (module, term) for term in terms) + "quit .\n"
    command = ["maude", "-batch", "-no-banner", "-no-advise", "-no-wrap", "-no-ansi-color"]
    done = subprocess.run(command, input=script, capture_output=True, text=True, check=True)
    return re.findall(r"^result \S+: (\S+)$", done.stdout, re.M)
