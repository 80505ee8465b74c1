// What the runtime says: the JSON of `nrs simplify --json --trace` and of web/wasm/page.cc.

export interface Fault {
  message: string;
  hint?: string;
  column?: number; // from 1, in bytes
}

export interface Step {
  begin: number; // in bytes of the round's formula
  end: number;
  leaf: string;
  value: string | null; // null: nothing is left to compute
  known?: boolean; // false: nothing like it was taught
  omega?: boolean;
  selector_log_prob?: number | null; // null: minus infinity
  solver_log_prob?: number | null;
  threshold?: number;
  applied: boolean;
  source?: string; // "table" or "rule"; of a network nothing is said
  rule?: string;
}

export interface Round {
  formula: string;
  steps: Step[];
}

export interface Answer {
  formula: string;
  domain?: string;
  error?: Fault;
  result: string;
  stop: string;
  steps: number;
  rounds: number;
  trace?: Round[]; // missing if it is too long to be shown
}

export interface ModelInfo {
  id: number;
  name: string;
  architecture: string;
  purpose: string;
  domains: string[];
  parameters: number;
  terms: boolean; // formulas are terms
  summary: { heading: string; text: string }[];
}

// A symbol of a term behind its arguments: name, number of arguments, place in the text.
export type SymbolAt = [name: string, arity: number, offset: number];

// What was learned from examples.
export interface Taught {
  report: string;
  model: ArrayBuffer;
}

// What the worker is asked, each call with its arguments and what it gives.
export interface Calls {
  start: { args: [wasm: ArrayBuffer]; gives: null };
  put: { args: [name: string, bytes: ArrayBuffer]; gives: null };
  load: { args: [bytes: ArrayBuffer]; gives: ModelInfo };
  simplify: { args: [model: number, formula: string]; gives: Answer };
  symbols: { args: [model: number, formula: string]; gives: SymbolAt[] };
  rules: { args: [model: number]; gives: { rules: string } };
  learn: { args: [examples: string, name: string, kind: string]; gives: Taught };
}

export type Request = {
  [Name in keyof Calls]: { number: number; name: Name; args: Calls[Name]["args"] };
}[keyof Calls];

export interface Reply {
  number: number;
  value?: unknown;
  fault?: Fault;
}
