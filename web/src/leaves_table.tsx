// What was found in the formula of one moment, with what the model says of it.
import { percent, plural, solverSaid } from "./derivation";
import type { Step } from "./protocol";

const kMost = 50;

function selectorSaid(step: Step): string {
  if (step.selector_log_prob == null) return "–";
  return step.source === "table" ? "sure" : percent(step.selector_log_prob);
}

// In one line if it is short.
const Text = ({ text }: { text: string }) => <code class={text.length <= 20 ? "short" : undefined}>{text}</code>;

function outcome(step: Step): string {
  if (step.omega) return "final";
  if (step.known === false) return "not taught";
  return step.applied ? "used" : "not sure enough";
}

function origin(step: Step): string {
  return step.source ?? "network";
}

export function LeavesTable({ steps }: { steps: Step[] }) {
  if (steps.length === 0) return null;
  const sure = steps.some((step) => step.solver_log_prob != null);
  return (
    <div class="leaves" tabIndex={0} role="region" aria-label="Leaves">
      <table>
        <thead>
          <tr>
            <th scope="col">leaf</th>
            <th scope="col">value</th>
            <th scope="col">from</th>
            {sure && <th scope="col">Selector</th>}
            {sure && <th scope="col">Solver</th>}
            <th scope="col">then</th>
          </tr>
        </thead>
        <tbody>
          {steps.slice(0, kMost).map((step) => (
            <tr>
              <td><Text text={step.leaf} /></td>
              <td><Text text={step.omega ? "ω" : step.known === false ? "" : step.value || "ε"} /></td>
              <td>{step.rule ? <Text text={step.rule} /> : origin(step)}</td>
              {sure && <td class="number">{selectorSaid(step)}</td>}
              {sure && <td class="number">{solverSaid(step)}</td>}
              <td>{outcome(step)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {steps.length > kMost && <p class="more">and {plural(steps.length - kMost, "more leaf", "more leaves")}</p>}
    </div>
  );
}
