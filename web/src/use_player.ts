// Where in a derivation one is, and going on by itself.
import { useEffect } from "preact/hooks";

const kPause = 1300; // ms for each moment

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export interface Playing {
  playing: boolean;
  at: number;
  last: number;
  moveTo(at: number): void;
  setPlaying(playing: boolean): void;
}

export function usePlayer({ playing, at, last, moveTo, setPlaying }: Playing) {
  useEffect(() => {
    if (!playing) return;
    if (at >= last) return setPlaying(false);
    const timer = setTimeout(() => moveTo(at + 1), kPause);
    return () => clearTimeout(timer);
  }, [playing, at, last]);
}
