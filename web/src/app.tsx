// The page: two tabs, and what they share.
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";

import { Engine, unpack } from "./engine";
import type { Listed } from "./model_picker";
import { builtIns } from "./models";
import { serverOf } from "./server";
import { SimplifyTab } from "./simplify_tab";
import { read, type State, write } from "./state";
import { TeachTab } from "./teach_tab";

const tabs = [
  { name: "simplify", title: "Simplify" },
  { name: "teach", title: "Teach" },
] as const;

// Also for the console of the browser, and for tests: await nrs.simplify("multi", "(1+2)").
function makeEngine(): Engine {
  const engine = new Engine();
  Object.assign(window, { nrs: engine });
  for (const { name } of builtIns) engine.add(name, () => unpack(`model-${name}`));
  return engine;
}

// The state, kept in the address.
function useAddress(): [State, (change: Partial<State>) => void] {
  const [state, setState] = useState(() => read(location.hash));
  useEffect(() => {
    const follow = () => setState(read(location.hash));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  const change = useCallback((change: Partial<State>) => {
    setState((before) => {
      const after = { ...before, ...change };
      history.replaceState(null, "", write(after));
      return after;
    });
  }, []);
  return [state, change];
}

export function App() {
  const engine = useMemo(makeEngine, []);
  const server = useMemo(serverOf, []);
  const [state, change] = useAddress();
  const [own, setOwn] = useState<Listed[]>([]);
  const [served, setServed] = useState<Listed[]>([]);
  const [version, setVersion] = useState(0);
  const [dragging, setDragging] = useState(false);

  useEffect(() => {
    server?.models().then((models) => {
      const fresh = models.filter(({ name }) => !engine.has(name));
      for (const { name } of fresh) engine.add(name, () => server.modelFile(name));
      setServed(fresh.map(({ name, architecture }) => ({ name, title: `${name} (${architecture})` })));
      setVersion((before) => before + 1); // a link may name one of them
    }, () => {});
  }, [server]);

  // A model of one's own, from disk or just taught.
  const adopt = useCallback((name: string, bytes: ArrayBuffer, formula?: string) => {
    engine.add(name, async () => bytes.slice(0));
    setOwn((before) => [...before.filter((one) => one.name !== name), { name, title: name }]);
    setVersion((before) => before + 1);
    change({ tab: "simplify", model: name, step: 0, ...(formula === undefined ? {} : { formula }) });
  }, []);
  const open = async (file: File) => adopt(file.name.replace(/\.nrs$/, ""), await file.arrayBuffer());

  return (
    <div
      class="page"
      data-dragging={dragging ? "" : undefined}
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes("Files")) return;
        event.preventDefault();
        setDragging(true);
      }}
      onDragLeave={(event) => event.relatedTarget === null && setDragging(false)}
      onDrop={(event) => {
        event.preventDefault();
        setDragging(false);
        const file = event.dataTransfer?.files[0];
        if (file) open(file);
      }}
    >
      <header>
        <h1>nrs <span>playground</span></h1>
        <nav aria-label="Parts of the page">
          {tabs.map(({ name, title }) => (
            <button
              type="button"
              aria-current={state.tab === name ? "page" : undefined}
              onClick={() => change({ tab: name })}
            >
              {title}
            </button>
          ))}
        </nav>
      </header>
      <main>
        {state.tab === "simplify" ? (
          <>
            <p class="lede">
              The model finds the <em class="leaf-word">leaves</em> of a formula, gives each its value, and
              repeats this until nothing is left to compute.
            </p>
            <SimplifyTab {...{ engine, state, version, own, served }} onChange={change} onFile={open} />
          </>
        ) : (
          <TeachTab engine={engine} server={server} onTry={adopt} />
        )}
      </main>
      <footer>
        {server
          ? `nrs ${server.version}. Formulas are simplified in this page; examples that you teach go to the server.`
          : "Everything happens in this page. Nothing is sent anywhere."}
      </footer>
    </div>
  );
}
