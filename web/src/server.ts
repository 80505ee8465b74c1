// The server that has sent the page, if one has (docs/serve.md). Without one, no request is made.
import type { Fault } from "./protocol";

export interface ServedModel {
  name: string;
  architecture: string;
  domains: string[];
  taught: boolean;
  default: boolean;
}

export interface Job {
  job: string;
  name: string;
  state: "waiting" | "running" | "done" | "failed" | "cancelled";
  report?: string;
  model?: string;
  rules?: string | null;
  error?: Fault;
}

export interface Lesson {
  name: string;
  examples: string;
  kind: "auto" | "steps" | "answers";
  minutes: number;
}

export class ServerError extends Error {
  constructor(readonly status: number, readonly fault: Fault) {
    super(fault.message);
  }
}

// Events of a stream: "event: progress\ndata: {...}\n\n".
async function* eventsOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<{ event: string; data: string }> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    text = (text + chunk.value).replaceAll("\r\n", "\n");
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const lines = text.slice(0, end).split("\n");
      text = text.slice(end + 2);
      const field = (name: string) =>
        lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).trimStart()).join("\n");
      if (field("data")) yield { event: field("event") || "message", data: field("data") };
    }
  }
}

export class Server {
  token = "";

  constructor(readonly version: string) {}

  private async ask(path: string, options: RequestInit = {}): Promise<Response> {
    const headers = this.token ? { Authorization: `Bearer ${this.token}` } : undefined;
    const response = await fetch(path, { ...options, headers: { ...headers, ...options.headers } });
    if (response.ok) return response;
    const said = await response.json().catch(() => null);
    throw new ServerError(response.status, said?.error ?? { message: `the server says ${response.status}` });
  }

  async models(): Promise<ServedModel[]> {
    return (await (await this.ask("v1/models")).json()).models;
  }
  async modelFile(name: string): Promise<ArrayBuffer> {
    return (await this.ask(`v1/models/${encodeURIComponent(name)}/file`)).arrayBuffer();
  }

  async learn({ name, examples, kind, minutes }: Lesson): Promise<Job> {
    const query = new URLSearchParams({ name, kind, minutes: String(minutes) });
    const headers = { "Content-Type": "text/plain" };
    return (await this.ask(`v1/learn?${query}`, { method: "POST", body: examples, headers })).json();
  }
  // What the job says until it ends.
  async follow(job: string, onLine: (line: string) => void): Promise<Job> {
    const headers = { Accept: "text/event-stream" };
    const { body } = await this.ask(`v1/jobs/${job}/events`, { headers });
    for await (const { event, data } of eventsOf(body!)) {
      if (event === "progress") onLine(JSON.parse(data).line);
      else if (["done", "failed", "cancelled"].includes(event)) return JSON.parse(data);
    }
    return (await this.ask(`v1/jobs/${job}`)).json();
  }
  async cancel(job: string): Promise<void> {
    await this.ask(`v1/jobs/${job}`, { method: "DELETE" });
  }
}

export function serverOf(): Server | undefined {
  const version = document.querySelector<HTMLMetaElement>('meta[name="nrs-server"]')?.content;
  return version === undefined ? undefined : new Server(version);
}
