// Runs nrs away from the page, so that a long formula does not stop it.
import createNrs, { type Nrs } from "virtual:nrs";

import type { Fault, Reply, Request } from "./protocol";

let nrs: Nrs;
let printed: string[] = []; // by what learns

// Bytes where the runtime sees them, for the length of a call.
function withBytes<Gives>(bytes: Uint8Array, call: (at: number, size: number) => Gives): Gives {
  const at = nrs._malloc(bytes.length || 1);
  nrs.HEAPU8.set(bytes, at);
  try {
    return call(at, bytes.length);
  } finally {
    nrs._free(at);
  }
}

const withText = <Gives>(text: string, call: (at: number, size: number) => Gives) =>
  withBytes(new TextEncoder().encode(text), call);
const withWord = <Gives>(text: string, call: (at: number) => Gives) => withText(`${text}\0`, call);
const parse = (at: number) => JSON.parse(nrs.UTF8ToString(at));

// Learns as `nrs learn` does. The runtime keeps the model until it learns again.
function learn(examples: string, name: string, kind: string): unknown {
  printed = [];
  const said: { at: number; size: number; error?: Fault } = withText(examples, (at, size) =>
    withWord(name, (word) => withWord(kind, (other) => parse(nrs._nrs_learn(at, size, word, other)))));
  if (said.error) return said;
  return { report: printed.join("\n"), model: nrs.HEAPU8.slice(said.at, said.at + said.size).buffer };
}

async function answer(request: Request): Promise<unknown> {
  switch (request.name) {
    case "start":
      nrs = await createNrs({
        wasmBinary: request.args[0],
        print: (line) => printed.push(line),
        printErr: () => {},
      });
      return null;
    case "put": {
      const [name, bytes] = request.args;
      withWord(name, (word) => withBytes(new Uint8Array(bytes), (at, size) => nrs._nrs_put(word, at, size)));
      return null;
    }
    case "load":
      return withBytes(new Uint8Array(request.args[0]), (at, size) => parse(nrs._nrs_load(at, size)));
    case "simplify": {
      const [model, formula] = request.args;
      return withText(formula, (at, size) => parse(nrs._nrs_simplify(model, at, size)));
    }
    case "symbols": {
      const [model, formula] = request.args;
      return withText(formula, (at, size) => parse(nrs._nrs_symbols(model, at, size)));
    }
    case "learn":
      return learn(...request.args);
    case "rules":
      return parse(nrs._nrs_rules(request.args[0]));
  }
}

self.onmessage = async ({ data }: MessageEvent<Request>) => {
  const reply: Reply = { number: data.number };
  try {
    reply.value = await answer(data);
  } catch (error) {
    reply.fault = { message: String(error) };
  }
  self.postMessage(reply);
};
