// What one sees, in the part of the address behind #, so that a link shows the same.
import { builtIns } from "./models";

export type Tab = "simplify" | "teach";
export type View = "text" | "tree";

export interface State {
  tab: Tab;
  model: string;
  formula: string;
  step?: number; // unset: from the beginning, and playing
  view: View;
}

const first = builtIns[0]!;

export const initial: State = {
  tab: "simplify",
  model: first.name,
  formula: first.examples[0]!.formula,
  view: "text",
};

export function read(hash: string): State {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const model = fields.get("model") ?? initial.model;
  const examples = builtIns.find((one) => one.name === model)?.examples ?? [];
  const step = fields.get("step");
  return {
    tab: fields.get("tab") === "teach" ? "teach" : "simplify",
    model,
    formula: fields.get("formula") ?? examples[0]?.formula ?? "",
    step: step !== null && /^\d+$/.test(step) ? Number(step) : undefined,
    view: fields.get("view") === "tree" ? "tree" : "text",
  };
}

export function write(state: State): string {
  const fields = new URLSearchParams();
  if (state.tab !== "simplify") fields.set("tab", state.tab);
  fields.set("model", state.model);
  fields.set("formula", state.formula);
  if (state.step !== undefined) fields.set("step", String(state.step));
  if (state.view !== "text") fields.set("view", state.view);
  return `#${fields}`;
}
