// A derivation: the result, the formula of one moment, and all of them.
import { useRef, useState } from "preact/hooks";

import { type Frame, plural, stops } from "./derivation";
import type { Engine } from "./engine";
import { History } from "./history";
import { LeavesTable } from "./leaves_table";
import { Player } from "./player";
import type { Answer } from "./protocol";
import { Stage } from "./stage";
import type { View } from "./state";
import { TreeView } from "./tree_view";

interface Props {
  engine: Engine;
  model: string;
  terms: boolean;
  answer: Answer;
  frames: Frame[];
  at: number;
  playing: boolean;
  view: View;
  onView(view: View): void;
  onMove(to: number): void;
  onPlay(playing: boolean): void;
}

// A result this long is in the derivation; here it would only be in the way.
const kLongest = 400;

function Result({ answer }: { answer: Answer }) {
  const ok = answer.stop === "final";
  const work = `${plural(answer.steps, "rewrite")} in ${plural(answer.rounds, "round")}`;
  const long = answer.result.length > kLongest;
  return (
    <div class="result" data-ok={ok ? "" : undefined} role="status" aria-live="polite">
      <span class="hidden">Result: </span>
      {ok ? (
        <output class="answer">{long ? `${answer.result.slice(0, kLongest)}…` : answer.result}</output>
      ) : (
        <strong>No answer: {stops[answer.stop] ?? answer.stop}.</strong>
      )}
      <span class="work">{work}</span>
    </div>
  );
}

function CopyLink() {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(location.href).then(() => setCopied(true), () => {});
    setTimeout(() => setCopied(false), 2000);
  };
  return <button type="button" onClick={copy}>{copied ? "Link copied" : "Copy link"}</button>;
}

function momentOf(frames: Frame[], at: number, ok: boolean): string {
  const frame = frames[at]!;
  if (at === frames.length - 1) return ok ? "Normal form" : "Here it stops";
  return plural(frame.steps.length, "leaf", "leaves");
}

export function Derivation(props: Props) {
  const { answer, frames, at, view, onMove } = props;
  const stage = useRef<HTMLDivElement>(null);
  const ok = answer.stop === "final";
  const last = frames.length - 1;
  const frame = frames[at]!;
  const key = (event: KeyboardEvent) => {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (to === undefined || event.target !== stage.current) return;
    event.preventDefault();
    onMove(Math.min(Math.max(to, 0), last));
  };
  return (
    <section class="derivation" aria-label="Derivation">
      <Result answer={answer} />
      {!answer.trace && <p class="note">The derivation is too long to be shown.</p>}
      <div class="stage">
        <div class="stage-head">
          <h2>{momentOf(frames, at, ok)}</h2>
          <div class="tools">
            {props.terms && (
              <div role="group" aria-label="View">
                {(["text", "tree"] as const).map((one) => (
                  <button type="button" aria-pressed={view === one ? "true" : "false"} onClick={() => props.onView(one)}>
                    {one === "text" ? "Text" : "Tree"}
                  </button>
                ))}
              </div>
            )}
            <CopyLink />
          </div>
        </div>
        <div
          class="stage-body"
          ref={stage}
          tabIndex={0}
          role="group"
          aria-label="Formula; arrow keys step"
          onKeyDown={key}
        >
          {props.terms && view === "tree" ? (
            <TreeView engine={props.engine} model={props.model} frame={frame} />
          ) : (
            <Stage frame={frame} final={at === last && ok} moment={at} />
          )}
        </div>
        <Player at={at} last={last} playing={props.playing} onMove={onMove} onPlay={props.onPlay} />
      </div>
      <div class="below">
        <History frames={frames} at={at} onMove={onMove} />
        <LeavesTable steps={frame.steps} />
      </div>
    </section>
  );
}
