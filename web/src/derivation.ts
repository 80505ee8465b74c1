// A derivation as the page shows it: frames, one for each formula on the way, cut into pieces.
import type { Answer, Step } from "./protocol";

export interface Frame {
  formula: string;
  steps: Step[]; // what was found in it
  fresh: Range[]; // what the round before has written
}

// In characters, not in bytes.
export interface Range {
  begin: number;
  end: number;
}

export interface Piece {
  text: string;
  fresh: boolean;
}

// Text that is no leaf, or one leaf.
export interface Part {
  step?: Step;
  index: number; // of the step
  pieces: Piece[];
}

// The runtime counts bytes of UTF-8.
export function placesOf(text: string): (byte: number) => number {
  if (!/[^\x00-\x7f]/.test(text)) return (byte) => byte;
  const places: number[] = [];
  let index = 0;
  for (const character of text) {
    const bytes = new TextEncoder().encode(character).length;
    for (let i = 0; i < bytes; ++i) places.push(index);
    index += character.length;
  }
  return (byte) => places[byte] ?? text.length;
}

function freshAfter(formula: string, steps: Step[]): Range[] {
  const place = placesOf(formula);
  let shift = 0;
  return steps.filter((step) => step.applied).map((step) => {
    const begin = place(step.begin) + shift;
    const value = step.value ?? "";
    shift += value.length - (place(step.end) - place(step.begin));
    return { begin, end: begin + value.length };
  });
}

// The last frame is the result. A round in which nothing was rewritten belongs to it.
export function framesOf(answer: Answer): Frame[] {
  const frames: Frame[] = [];
  let fresh: Range[] = [];
  for (const { formula, steps } of answer.trace ?? []) {
    frames.push({ formula, steps, fresh });
    fresh = freshAfter(formula, steps);
  }
  const last = frames.at(-1);
  if (!last || last.steps.some((step) => step.applied)) {
    frames.push({ formula: answer.result, steps: [], fresh });
  }
  return frames;
}

// Cuts [begin, end) where what is fresh begins or ends.
function cut(text: string, begin: number, end: number, fresh: Range[]): Piece[] {
  const pieces: Piece[] = [];
  let at = begin;
  const add = (to: number, isFresh: boolean) => {
    if (to > at) pieces.push({ text: text.slice(at, to), fresh: isFresh });
    at = Math.max(at, to);
  };
  for (const range of fresh) {
    if (range.end <= at || range.begin >= end) continue;
    add(Math.max(range.begin, at), false);
    add(Math.min(range.end, end), true);
  }
  add(end, false);
  return pieces;
}

export function partsOf({ formula, steps, fresh }: Frame): Part[] {
  const place = placesOf(formula);
  const parts: Part[] = [];
  let at = 0;
  const plain = (to: number) => {
    if (to > at) parts.push({ index: -1, pieces: cut(formula, at, to, fresh) });
  };
  steps.forEach((step, index) => {
    const begin = place(step.begin), end = place(step.end);
    if (begin < at) return; // of a router: one step is the whole
    plain(begin);
    parts.push({ step, index, pieces: cut(formula, begin, end, fresh) });
    at = end;
  });
  plain(formula.length);
  return parts;
}

// "> 99.99 %": rounding up would say more than is known.
export function percent(logProb: number): string {
  const share = 100 * Math.exp(logProb);
  if (share > 99.99) return "> 99.99 %";
  if (share < 0.01) return "< 0.01 %";
  return `${(Math.floor(share * 100) / 100).toFixed(2)} %`;
}

export const stops: Record<string, string> = {
  final: "nothing is left to compute",
  missing: "the Selector named a leaf that is not in the formula",
  malformed: "a rewrite would leave a bracket without its partner",
  low_confidence: "the model is not sure enough of any value",
  unknown_leaf: "the model was taught nothing like these leaves",
  no_leaf: "the model found nothing to rewrite",
  cycle: "a formula came back",
  step_limit: "too many rewrites",
  memory_limit: "the term became too large",
};

export const plural = (count: number, word: string, words = `${word}s`) =>
  `${count.toLocaleString("en")} ${count === 1 ? word : words}`;

// A table knows only on which side of the threshold the Solver was.
export function solverSaid(step: Step): string {
  if (step.solver_log_prob == null || step.known === false) return "–";
  if (step.source !== "table") return percent(step.solver_log_prob);
  return step.solver_log_prob >= (step.threshold ?? 0) ? "sure" : "unsure";
}

// What is said of a leaf, in one line.
export function describe(step: Step): string {
  const words: string[] = [];
  if (step.known === false) words.push("not taught");
  else if (!step.applied && !step.omega) words.push("not sure enough, so not used");
  if (step.rule) words.push(`rule ${step.rule}`);
  else if (step.source === "table") words.push("from the table");
  else if (step.source === "rule") words.push("by a rule");
  if (step.selector_log_prob != null && step.source === undefined) {
    words.push(`leaf ${percent(step.selector_log_prob)}`);
  }
  if (step.solver_log_prob != null && step.known !== false) {
    words.push(step.source === "table" ? `value ${solverSaid(step)}`
      : `value ${solverSaid(step)}, used from ${percent(step.threshold ?? 0)}`);
  }
  return words.join("; ");
}
