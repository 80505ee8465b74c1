// The formula of one moment, with its leaves and their values.
import { describe, type Frame, type Part, partsOf, type Piece } from "./derivation";

// A leaf up to this length has its value below it; what is longer has it in the table only.
const kShort = 28;
// More leaves than this are coloured, but one cannot go to each by keyboard: the table has them.
const kMostStops = 60;

function Pieces({ pieces }: { pieces: Piece[] }) {
  return <>{pieces.map((piece) => (piece.fresh ? <em>{piece.text}</em> : piece.text))}</>;
}

function Leaf({ part, stop }: { part: Part; stop: boolean }) {
  const step = part.step!;
  const short = step.leaf.length <= kShort && (step.value?.length ?? 0) <= kShort;
  const kind = step.omega ? "final" : step.applied ? "used" : step.known === false ? "untaught" : "unsure";
  const value = step.omega ? "" : step.known === false ? "?" : step.value;
  const about = describe(step);
  const spoken = step.omega
    ? `${step.leaf}: final. ${about}`
    : `leaf ${step.leaf}, ${value === "?" ? "no value" : `value ${step.value || "nothing"}`}. ${about}`;
  return (
    <span
      class="leaf"
      data-kind={kind}
      data-short={short ? "" : undefined}
      tabIndex={stop ? 0 : undefined}
      role={stop ? "img" : undefined}
      aria-label={stop ? spoken : undefined}
    >
      <span class="leaf-text"><Pieces pieces={part.pieces} /></span>
      {short && !step.omega && <span class="value">{value || "ε"}</span>}
      {stop && about && <span class="tip" role="presentation">{about}</span>}
    </span>
  );
}

export function Stage({ frame, final, moment }: { frame: Frame; final: boolean; moment: number }) {
  const stops = frame.steps.length <= kMostStops;
  return (
    <div class="stage-text" data-final={final ? "" : undefined} key={moment}>
      {partsOf(frame).map((part) =>
        part.step ? <Leaf part={part} stop={stops} /> : <Pieces pieces={part.pieces} />,
      )}
    </div>
  );
}
