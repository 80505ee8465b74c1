// Where the formula is typed, with what is wrong with it below the place where it is wrong.
import { useEffect, useRef } from "preact/hooks";

import { placesOf } from "./derivation";
import type { Fault } from "./protocol";

interface Props {
  value: string;
  fault?: Fault;
  onInput(text: string): void;
  onEnter(): void;
}

export function FormulaInput({ value, fault, onInput, onEnter }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  const marks = useRef<HTMLDivElement>(null);

  // As high as its lines need, up to a limit.
  useEffect(() => {
    const area = field.current!;
    area.style.height = "0";
    area.style.height = `${area.scrollHeight}px`;
  }, [value]);

  const column = fault?.column === undefined ? undefined : placesOf(value)(fault.column - 1);
  return (
    <div class="formula-input">
      <label for="formula">Formula</label>
      <div class="field" data-wrong={fault ? "" : undefined}>
        {column !== undefined && (
          <div class="marks" aria-hidden="true" ref={marks}>
            {value.slice(0, column)}
            <mark data-column={column + 1}>{value[column] ?? " "}</mark>
            {value.slice(column + 1)}
          </div>
        )}
        <textarea
          id="formula"
          ref={field}
          rows={1}
          value={value}
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          aria-invalid={fault ? "true" : "false"}
          aria-describedby={fault ? "formula-fault" : undefined}
          onInput={(event) => onInput(event.currentTarget.value.replace(/[\r\n]+/g, " "))}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            onEnter();
          }}
          onScroll={(event) => {
            if (marks.current) marks.current.scrollTop = event.currentTarget.scrollTop;
          }}
        />
      </div>
      {fault && (
        <p class="fault" id="formula-fault" role="alert">
          <strong>{fault.message}</strong>
          {fault.hint && <span>; {fault.hint}</span>}
        </p>
      )}
    </div>
  );
}
