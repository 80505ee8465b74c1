// Back, step, play, to the end.
import type { ComponentChildren } from "preact";

interface Props {
  at: number;
  last: number;
  playing: boolean;
  onMove(to: number): void;
  onPlay(playing: boolean): void;
}

function Icon({ path }: { path: string }) {
  return (
    <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
      <path d={path} fill="currentColor" />
    </svg>
  );
}

interface ButtonProps {
  label: string;
  disabled?: boolean;
  main?: boolean;
  onClick(): void;
  children: ComponentChildren;
}

// Not `disabled`: a button that was just pressed keeps the focus.
function Button({ label, disabled, main, onClick, children }: ButtonProps) {
  return (
    <button
      type="button"
      class={main ? "main" : undefined}
      aria-label={label}
      title={label}
      aria-disabled={disabled ? "true" : undefined}
      onClick={() => !disabled && onClick()}
    >
      {children}
    </button>
  );
}

export function Player({ at, last, playing, onMove, onPlay }: Props) {
  const none = last === 0;
  return (
    <div class="player" role="group" aria-label="Derivation">
      <Button label="To the beginning" disabled={at === 0} onClick={() => onMove(0)}>
        <Icon path="M4 4h2v12H4zM16 4v12l-8-6z" />
      </Button>
      <Button label="Back" disabled={at === 0} onClick={() => onMove(at - 1)}>
        <Icon path="M14 4v12l-9-6z" />
      </Button>
      <Button main label={playing ? "Pause" : "Play"} disabled={none} onClick={() => onPlay(!playing)}>
        <Icon path={playing ? "M5 4h3.5v12H5zM11.500 4H15v12h-3.500z" : "M6 3.500v13l10-6.500z"} />
      </Button>
      <Button label="Step" disabled={at >= last} onClick={() => onMove(at + 1)}>
        <Icon path="M6 4v12l9-6z" />
      </Button>
      <Button label="To the end" disabled={at >= last} onClick={() => onMove(last)}>
        <Icon path="M4 4v12l8-6zM14 4h2v12h-2z" />
      </Button>
      <input
        type="range"
        aria-label="Moment of the derivation"
        min={0}
        max={last}
        value={at}
        disabled={none}
        aria-valuetext={`${at} of ${last}`}
        onInput={(event) => onMove(Number(event.currentTarget.value))}
      />
      <span class="count">
        {at}
        <span aria-hidden="true"> / </span>
        <span class="hidden"> of </span>
        {last}
      </span>
    </div>
  );
}
