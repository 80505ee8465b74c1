// The answer to a formula, asked for when it changes.
import { useEffect, useState } from "preact/hooks";

import { type Engine, EngineError } from "./engine";
import type { Answer, Fault, ModelInfo } from "./protocol";

const kPause = 120; // ms without typing

export interface Asked {
  model?: ModelInfo;
  answer?: Answer; // of `formula`
  formula?: string;
  fault?: Fault; // of the model
  busy: boolean;
}

const faultOf = (error: unknown): Fault =>
  error instanceof EngineError ? error.fault : { message: String(error) };

// `version` changes when a model of the same name becomes another one.
export function useAnswer(engine: Engine, model: string, formula: string, version: number): Asked {
  const [asked, setAsked] = useState<Asked>({ busy: true });

  useEffect(() => {
    let current = true;
    setAsked({ busy: true });
    engine.load(model).then(
      (info) => current && setAsked((before) => ({ ...before, model: info })),
      (error) => current && setAsked({ busy: false, fault: faultOf(error) }),
    );
    return () => {
      current = false;
    };
  }, [engine, model, version]);

  useEffect(() => {
    let current = true;
    setAsked((before) => ({ ...before, busy: true }));
    const timer = setTimeout(async () => {
      try {
        const answer = await engine.simplify(model, formula);
        if (current) setAsked((before) => ({ ...before, answer, formula, busy: false, fault: undefined }));
      } catch (error) {
        if (current) setAsked((before) => ({ ...before, answer: undefined, busy: false, fault: faultOf(error) }));
      }
    }, kPause);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [engine, model, formula, version]);

  return asked;
}
