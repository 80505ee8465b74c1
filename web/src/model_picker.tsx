// Which model answers: those in the page, those of a server, one from disk.
import { useRef } from "preact/hooks";

import { builtIns } from "./models";

export interface Listed {
  name: string;
  title: string;
}

interface Props {
  model: string;
  own: Listed[]; // loaded or taught here
  served: Listed[];
  onPick(name: string): void;
  onFile(file: File): void;
}

export function ModelPicker({ model, own, served, onPick, onFile }: Props) {
  const file = useRef<HTMLInputElement>(null);
  const listed = [...builtIns, ...own, ...served].some((one) => one.name === model);
  const options = (models: Listed[]) =>
    models.map((one) => <option value={one.name}>{one.title}</option>);
  return (
    <div class="model-picker">
      <label for="model">Model</label>
      <select id="model" value={model} onChange={(event) => onPick(event.currentTarget.value)}>
        <optgroup label="In this page">{options(builtIns)}</optgroup>
        {own.length > 0 && <optgroup label="Yours">{options(own)}</optgroup>}
        {served.length > 0 && <optgroup label="On the server">{options(served)}</optgroup>}
        {!listed && <option value={model}>{model} (not loaded)</option>}
      </select>
      <button type="button" onClick={() => file.current!.click()}>Open a model…</button>
      <input
        ref={file}
        type="file"
        accept=".nrs"
        class="hidden"
        tabIndex={-1}
        aria-label="Model file"
        onChange={(event) => {
          const chosen = event.currentTarget.files?.[0];
          if (chosen) onFile(chosen);
          event.currentTarget.value = "";
        }}
      />
    </div>
  );
}
