// The models that the page has inside, and formulas to begin with.

export interface Example {
  label: string;
  formula: string;
}

export interface BuiltIn {
  name: string; // in links
  title: string;
  about: string;
  examples: Example[];
}

const fourDomains: Example[] = [
  { label: "arithmetic", formula: "((15+5)*(3-4))" },
  { label: "logic", formula: "((l OR l) AND (NOT (r AND False)))" },
  { label: "lists", formula: "[MIN[MAX10][SM9968]7]" },
  { label: "algebra", formula: "((-43*y+66*y)-6*y)" },
  { label: "deep", formula: "((((1+2)*(3-4))-((5*6)+(7-8)))*(((9+10)-(11*12))+((13-14)*(15+16))))" },
  { label: "refused", formula: "((a&b)|(T&F))" },
];

export const builtIns: BuiltIn[] = [
  {
    name: "multi-compiled",
    title: "multi: logic, lists, numbers, algebra",
    about: "The default of nrs: what two networks learned from worked examples, compiled to automata and tables.",
    examples: fourDomains,
  },
  {
    name: "multi",
    title: "multi, by networks that say how sure they are",
    about: "Two small networks learned four systems from worked examples. They say how sure they are.",
    examples: fourDomains,
  },
  {
    name: "derivatives",
    title: "derivatives: rules with variables",
    about: "Learned from 300 worked examples: 15 rules, proved to end and to give one result.",
    examples: [
      { label: "product", formula: "d(mul(x,sin(x)))" },
      { label: "chain", formula: "d(exp(sin(mul(x,x))))" },
      { label: "sum", formula: "d(plus(mul(a,x),exp(x)))" },
    ],
  },
  {
    name: "booleans",
    title: "booleans: words with precedence",
    about: "Taught by 300 chains of and, or, not. Nobody said what binds tighter.",
    examples: [
      { label: "nested", formula: "not ( True and not ( False or ( not False and True ) ) )" },
      { label: "precedence", formula: "True or False and not True" },
      { label: "never taught", formula: "not not False" },
    ],
  },
  {
    name: "sorting",
    title: "sorting: letters that change places",
    about: "Taught by 300 chains such as cab → acb → abc.",
    examples: [
      { label: "short", formula: "cabba" },
      { label: "longer", formula: "ccbbaaccbbaaabc" },
    ],
  },
];

export const builtIn = (name: string) => builtIns.find((model) => model.name === name);
