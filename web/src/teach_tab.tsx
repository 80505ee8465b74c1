// Teach a system of one's own: examples in, a model out.
import { useRef, useState } from "preact/hooks";

import { type Engine, EngineError, unpack } from "./engine";
import { save } from "./model_panel";
import { type Lesson, type Server, ServerError } from "./server";
import type { Fault } from "./protocol";
import { byServer, inPage, type Learnt } from "./teachers";

const samples = [
  { label: "booleans", id: "examples-booleans", formula: "not ( True and not ( False or True ) )" },
  { label: "sorting", id: "examples-sorting", formula: "cbacba" },
  { label: "derivatives", id: "examples-derivatives", formula: "d(mul(x,sin(x)))" },
];

interface Props {
  engine: Engine;
  server?: Server;
  onTry(name: string, model: ArrayBuffer, formula?: string): void;
}

// A fault, and whether it is that the server wants its token.
type Failed = Fault & { token?: boolean };

function failedBy(error: unknown): Failed {
  if (error instanceof ServerError) return { ...error.fault, token: error.status === 401 };
  return error instanceof EngineError ? error.fault : { message: String(error) };
}

export function TeachTab({ engine, server, onTry }: Props) {
  const [lesson, setLesson] = useState<Lesson>({ name: "mine", examples: "", kind: "auto", minutes: 2 });
  const [formula, setFormula] = useState<string>();
  const [lines, setLines] = useState<string[]>([]);
  const [learnt, setLearnt] = useState<Learnt>();
  const [fault, setFault] = useState<Failed>();
  const [stop, setStop] = useState<AbortController>();
  const file = useRef<HTMLInputElement>(null);
  const change = (part: Partial<Lesson>) => setLesson((before) => ({ ...before, ...part }));

  const start = async () => {
    const running = new AbortController();
    setStop(running);
    setLines([]);
    setLearnt(undefined);
    setFault(undefined);
    try {
      const teach = server ? byServer(server) : inPage(engine);
      setLearnt(await teach(lesson, (line) => setLines((before) => [...before, line]), running.signal));
    } catch (error) {
      setFault(failedBy(error));
    }
    setStop(undefined);
  };

  return (
    <section class="teach">
      <p class="lede">
        Paste worked examples, one per line: <code>t0 -&gt; t1 -&gt; t2</code>, or questions with answers,{" "}
        <code>question = answer</code>. Rules, leaves and their values are found in them, and what you get is a
        model that simplifies longer formulas of the same kind.
      </p>
      <label for="examples">Examples</label>
      <textarea
        id="examples"
        rows={12}
        spellcheck={false}
        value={lesson.examples}
        placeholder={"( True or False ) -> ( True ) -> True\nnot True -> False"}
        onInput={(event) => change({ examples: event.currentTarget.value })}
      />
      <div class="examples" role="group" aria-label="Examples to begin with">
        {samples.map((sample) => (
          <button
            type="button"
            onClick={async () => {
              change({ examples: new TextDecoder().decode(await unpack(sample.id)), name: `my-${sample.label}` });
              setFormula(sample.formula);
            }}
          >
            {sample.label}
          </button>
        ))}
        <button type="button" onClick={() => file.current!.click()}>Open a file…</button>
        <input
          ref={file}
          type="file"
          class="hidden"
          tabIndex={-1}
          aria-label="File of examples"
          onChange={async (event) => {
            const chosen = event.currentTarget.files?.[0];
            if (!chosen) return;
            change({ examples: await chosen.text(), name: chosen.name.replace(/\.\w+$/, "") });
            setFormula(undefined);
          }}
        />
      </div>
      <LessonFields lesson={lesson} timed={server !== undefined} onChange={change} />
      {!server && (
        <p class="note">
          It learns in this page. Values that have to be computed, such as sums, need a trained network:{" "}
          <code>./nrs learn</code> and <code>./nrs serve</code> train one.
        </p>
      )}
      <p class="actions">
        {stop ? (
          <button type="button" onClick={() => stop.abort()}>Cancel</button>
        ) : (
          <button type="button" class="main" disabled={!lesson.examples.trim()} onClick={start}>Teach</button>
        )}
      </p>
      {fault?.token && server && <Token server={server} onDone={start} />}
      {fault && !fault.token && (
        <p class="fault" role="alert">
          <strong>{fault.message}</strong>
          {fault.hint && <span>; {fault.hint}</span>}
        </p>
      )}
      <div role="status" aria-live="polite">
        {stop && <p class="progress">{lines.at(-1) ?? "Learning…"}</p>}
        {learnt && <p class="note">Learned. The model is ready.</p>}
      </div>
      {learnt && (
        <Report learnt={learnt} onTry={() => onTry(learnt.name, learnt.model, formula)} />
      )}
    </section>
  );
}

interface FieldsProps {
  lesson: Lesson;
  timed: boolean; // a Solver may be trained, which takes time
  onChange(part: Partial<Lesson>): void;
}

function LessonFields({ lesson, timed, onChange }: FieldsProps) {
  return (
    <div class="fields">
      <label>
        Name
        <input
          value={lesson.name}
          pattern="[A-Za-z0-9_\-]+"
          onInput={(event) => onChange({ name: event.currentTarget.value })}
        />
      </label>
      <label>
        Form of the lines
        <select
          value={lesson.kind}
          onChange={(event) => onChange({ kind: event.currentTarget.value as Lesson["kind"] })}
        >
          <option value="auto">detected</option>
          <option value="steps">steps</option>
          <option value="answers">questions with answers</option>
        </select>
      </label>
      {timed && (
        <label>
          Minutes at most
          <input
            type="number"
            min={0.1}
            max={60}
            step={0.1}
            value={lesson.minutes}
            onInput={(event) => onChange({ minutes: event.currentTarget.valueAsNumber || 1 })}
          />
        </label>
      )}
    </div>
  );
}

function Token({ server, onDone }: { server: Server; onDone(): void }) {
  return (
    <form
      class="fields"
      onSubmit={(event) => {
        event.preventDefault();
        onDone();
      }}
    >
      <label>
        The server asks for its token
        <input type="password" autocomplete="off" onInput={(event) => (server.token = event.currentTarget.value)} />
      </label>
      <button type="submit">Go on</button>
    </form>
  );
}

function Report({ learnt, onTry }: { learnt: Learnt; onTry(): void }) {
  return (
    <div class="report">
      <p class="actions">
        <button type="button" class="main" onClick={onTry}>Try it</button>
        <button type="button" onClick={() => save(`${learnt.name}.nrs`, learnt.model)}>Download the model</button>
      </p>
      <h2>What it learned</h2>
      <pre tabIndex={0} role="region" aria-label="Report">{learnt.report}</pre>
      {learnt.rules && learnt.rules !== learnt.report && (
        <>
          <h2>Rules</h2>
          <pre tabIndex={0} role="region" aria-label="Rules">{learnt.rules}</pre>
        </>
      )}
    </div>
  );
}
