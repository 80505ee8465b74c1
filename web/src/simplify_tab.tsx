// Type a formula and watch it being rewritten.
import { useEffect, useMemo, useState } from "preact/hooks";

import { Derivation } from "./derivation_view";
import { framesOf } from "./derivation";
import type { Engine } from "./engine";
import { FormulaInput } from "./formula_input";
import { ModelPanel } from "./model_panel";
import { type Listed, ModelPicker } from "./model_picker";
import { builtIn } from "./models";
import type { State } from "./state";
import { useAnswer } from "./use_answer";
import { calm, usePlayer } from "./use_player";

interface Props {
  engine: Engine;
  state: State;
  version: number;
  own: Listed[];
  served: Listed[];
  onChange(change: Partial<State>): void;
  onFile(file: File): void;
}

export function SimplifyTab({ engine, state, version, own, served, onChange, onFile }: Props) {
  const asked = useAnswer(engine, state.model, state.formula, version);
  const answer = asked.answer?.error ? undefined : asked.answer;
  const frames = useMemo(() => (answer ? framesOf(answer) : []), [answer]);
  const last = Math.max(0, frames.length - 1);
  const at = Math.min(state.step ?? 0, last);
  const [playing, setPlaying] = useState(state.step === undefined && !calm());
  const moveTo = (step: number) => onChange({ step });
  usePlayer({ playing: playing && !asked.busy && frames.length > 1, at, last, moveTo, setPlaying });

  const begin = (change: Partial<State>, play: boolean) => {
    setPlaying(play && !calm());
    onChange({ ...change, step: 0 });
  };
  const examples = builtIn(state.model)?.examples ?? [];
  return (
    <>
      <section class="question" aria-label="Question">
        <FormulaInput
          value={state.formula}
          fault={asked.formula === state.formula ? asked.answer?.error : undefined}
          onInput={(formula) => begin({ formula }, false)}
          onEnter={() => begin({}, true)}
        />
        {examples.length > 0 && (
          <div class="examples" role="group" aria-label="Examples">
            {examples.map(({ label, formula }) => (
              <button
                type="button"
                aria-pressed={formula === state.formula ? "true" : "false"}
                onClick={() => begin({ formula }, true)}
              >
                {label}
              </button>
            ))}
          </div>
        )}
        <ModelPicker
          model={state.model}
          own={own}
          served={served}
          onPick={(model) =>
            begin({ model, formula: builtIn(model)?.examples[0]?.formula ?? state.formula }, true)
          }
          onFile={onFile}
        />
      </section>
      {asked.fault && (
        <p class="fault" role="alert">
          <strong>{asked.fault.message}</strong> {asked.fault.hint}
        </p>
      )}
      <Busy busy={asked.busy} onStop={() => engine.stop()} />
      {answer && (
        <Derivation
          {...{ engine, answer, frames, at, playing: playing && at < last }}
          model={state.model}
          terms={asked.model?.terms ?? false}
          view={state.view}
          onView={(view) => onChange({ view })}
          onMove={(step) => {
            setPlaying(false);
            moveTo(step);
          }}
          onPlay={(play) => {
            if (play && at >= last) moveTo(0);
            setPlaying(play);
          }}
        />
      )}
      {asked.model && <ModelPanel engine={engine} name={state.model} model={asked.model} />}
    </>
  );
}

// Said only of what takes long enough to be noticed.
function Busy({ busy, onStop }: { busy: boolean; onStop(): void }) {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    setSlow(false);
    if (!busy) return;
    const timer = setTimeout(() => setSlow(true), 700);
    return () => clearTimeout(timer);
  }, [busy]);
  return (
    <div class="busy" role="status">
      {slow && (
        <>
          <span>Working…</span> <button type="button" onClick={onStop}>Stop</button>
        </>
      )}
    </div>
  );
}
