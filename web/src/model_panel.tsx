// What there is to know of a model: what it is, and its rules.
import { useEffect, useState } from "preact/hooks";

import { plural } from "./derivation";
import type { Engine } from "./engine";
import { builtIn } from "./models";
import type { ModelInfo } from "./protocol";

const kMostRules = 20000; // characters

export function save(name: string, bytes: BlobPart) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export function ModelPanel({ engine, name, model }: { engine: Engine; name: string; model: ModelInfo }) {
  const [rules, setRules] = useState<string>();
  const [open, setOpen] = useState(false);
  // Only of rules with variables, and when somebody looks. What a table says as rules takes long to find, and meanwhile
  // no formula would be answered.
  useEffect(() => {
    let current = true;
    setRules(undefined);
    if (!open || !model.terms) return;
    engine.rules(name).then((text) => current && setRules(text), () => {});
    return () => {
      current = false;
    };
  }, [engine, name, model.id, open]);
  const about = builtIn(name)?.about;
  return (
    <details class="model-panel" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>What the model {model.name} knows</summary>
      {about && <p>{about}</p>}
      <dl>
        <dt>architecture</dt>
        <dd>{model.architecture}: {model.purpose}</dd>
        {model.domains.length > 0 && <><dt>domains</dt><dd>{model.domains.join(", ")}</dd></>}
        {model.parameters > 0 && <><dt>size</dt><dd>{plural(model.parameters, "weight")}</dd></>}
        {model.summary.map(({ heading, text }) => (
          <><dt>{heading}</dt><dd><code>{text}</code></dd></>
        ))}
      </dl>
      {rules && (
        <>
          <h3>Rules</h3>
          <pre tabIndex={0} role="region" aria-label="Rules">{rules.slice(0, kMostRules)}</pre>
        </>
      )}
      <p>
        <button type="button" onClick={async () => save(`${model.name}.nrs`, await engine.bytes(name))}>
          Download the model
        </button>
      </p>
    </details>
  );
}
