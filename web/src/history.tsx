// The whole derivation, a line for each formula.
import { useEffect, useRef } from "preact/hooks";

import { type Frame, type Part, partsOf } from "./derivation";

const kMost = 60; // lines around the one that is shown
const kLongest = 240; // characters of a line

function cutAt(frame: Frame): { frame: Frame; cut: boolean } {
  if (frame.formula.length <= kLongest) return { frame, cut: false };
  const steps = frame.steps.filter((step) => step.end <= kLongest);
  return { frame: { formula: frame.formula.slice(0, kLongest), steps, fresh: [] }, cut: true };
}

function LinePart({ part }: { part: Part }) {
  const text = part.pieces.map((piece) => piece.text).join("");
  if (!part.step || part.step.omega) return <>{text}</>;
  return <mark data-kind={part.step.applied ? "used" : "unused"}>{text}</mark>;
}

interface Props {
  frames: Frame[];
  at: number;
  onMove(to: number): void;
}

export function History({ frames, at, onMove }: Props) {
  const begin = Math.max(0, Math.min(at - kMost / 2, frames.length - kMost));
  const lines = frames.slice(begin, begin + kMost);
  const list = useRef<HTMLOListElement>(null);
  // The line that is shown stays in sight; the page itself does not move.
  useEffect(() => {
    const box = list.current!, line = box.children[at - begin] as HTMLElement;
    const top = line.offsetTop - box.offsetTop, bottom = top + line.offsetHeight;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
  }, [at, begin, frames]);
  return (
    <ol class="history" ref={list} aria-label="All formulas of the derivation" start={begin}>
      {lines.map((frame, i) => {
        const { frame: shown, cut } = cutAt(frame);
        const number = begin + i;
        return (
          <li key={number}>
            <button
              type="button"
              aria-current={number === at ? "step" : undefined}
              onClick={() => onMove(number)}
            >
              <span class="number">{number}</span>
              <code>
                {partsOf(shown).map((part) => <LinePart part={part} />)}
                {cut && "…"}
              </code>
            </button>
          </li>
        );
      })}
    </ol>
  );
}
