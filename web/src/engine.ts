// The runtime as the page sees it: models by name, answers as promises. It can be stopped in the middle of a formula; the
// next call starts it again.
import type { Answer, Calls, Fault, ModelInfo, Reply, SymbolAt, Taught } from "./protocol";
import NrsWorker from "./worker?worker&inline";

export class EngineError extends Error {
  constructor(readonly fault: Fault) {
    super(fault.message);
  }
}

// The content of a data block of the page (single_file.js).
export async function unpack(id: string): Promise<ArrayBuffer> {
  const block = document.getElementById(id);
  if (!block) throw new EngineError({ message: `the page has no ${id}` });
  const packed = Uint8Array.from(atob(block.textContent ?? ""), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: EngineError): void;
}

// One life of the worker.
class Run {
  private worker = new NrsWorker();
  private waiting = new Map<number, Waiting>();
  private last = 0;
  readonly models = new Map<string, Promise<ModelInfo>>();
  readonly started = unpack("nrs-wasm").then((wasm) => this.call("start", wasm));

  constructor() {
    this.worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      const { resolve, reject } = this.waiting.get(data.number)!;
      this.waiting.delete(data.number);
      const fault = data.fault ?? faultOf(data.value);
      fault ? reject(new EngineError(fault)) : resolve(data.value);
    };
    this.worker.onerror = (event) => this.stop(event.message);
  }

  call<Name extends keyof Calls>(name: Name, ...args: Calls[Name]["args"]) {
    return new Promise<Calls[Name]["gives"]>((resolve, reject) => {
      const number = ++this.last;
      this.waiting.set(number, { resolve: resolve as Waiting["resolve"], reject });
      this.worker.postMessage({ number, name, args });
    });
  }

  stop(why: string) {
    this.worker.terminate();
    for (const { reject } of this.waiting.values()) reject(new EngineError({ message: why }));
    this.waiting.clear();
  }
}

// A bad formula is an answer with an error; anything else that has nothing but one failed.
function faultOf(value: unknown): Fault | undefined {
  const answer = value as Answer | null;
  return answer?.error && !answer.formula ? answer.error : undefined;
}

export type Source = () => Promise<ArrayBuffer>;

export class Engine {
  private run?: Run;
  private sources = new Map<string, Source>();

  // From now on `name` is the model of these bytes.
  add(name: string, source: Source) {
    this.sources.set(name, source);
    this.run?.models.delete(name);
  }
  has(name: string) {
    return this.sources.has(name);
  }
  bytes(name: string): Promise<ArrayBuffer> {
    const source = this.sources.get(name);
    return source ? source() : Promise.reject(new EngineError({ message: `there is no model ${name}` }));
  }

  async load(name: string): Promise<ModelInfo> {
    const run = (this.run ??= new Run());
    let model = run.models.get(name);
    if (!model) {
      model = run.started.then(() => this.bytes(name)).then((bytes) => this.loadInto(run, bytes));
      run.models.set(name, model);
      model.catch(() => run.models.delete(name)); // it may be there another time
    }
    return model;
  }

  // A model may share modules with another one, in the file of that name.
  private async loadInto(run: Run, bytes: ArrayBuffer): Promise<ModelInfo> {
    try {
      return await run.call("load", bytes);
    } catch (error) {
      const shared = /\.\/([\w-]+)\.nrs: cannot read/.exec(String(error))?.[1];
      if (!shared || !this.has(shared)) throw error;
      await run.call("put", `${shared}.nrs`, await this.bytes(shared));
      return run.call("load", bytes);
    }
  }

  async simplify(name: string, formula: string): Promise<Answer> {
    const { id } = await this.load(name);
    return this.run!.call("simplify", id, formula);
  }
  async symbols(name: string, formula: string): Promise<SymbolAt[]> {
    const { id } = await this.load(name);
    return this.run!.call("symbols", id, formula);
  }
  async rules(name: string): Promise<string> {
    const { id } = await this.load(name);
    return (await this.run!.call("rules", id)).rules;
  }

  async learn(examples: string, name: string, kind: string): Promise<Taught> {
    const run = (this.run ??= new Run());
    await run.started;
    return run.call("learn", examples, name, kind);
  }

  stop() {
    this.run?.stop("stopped");
    this.run = undefined;
  }
}
