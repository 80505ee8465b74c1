// Who learns from examples: the page itself, or the server that has sent it.
import { type Engine, EngineError } from "./engine";
import type { Lesson, Server } from "./server";

export interface Learnt {
  name: string;
  report: string;
  rules?: string | null;
  model: ArrayBuffer;
}

export type Teacher = (lesson: Lesson, onLine: (line: string) => void, signal: AbortSignal) => Promise<Learnt>;

// In the page there is nothing that trains a Solver: what has to be computed is known as far as it was taught.
export const inPage = (engine: Engine): Teacher => async ({ examples, name, kind }, _, signal) => {
  signal.addEventListener("abort", () => engine.stop());
  return { name, ...(await engine.learn(examples, name, kind)) };
};

export const byServer = (server: Server): Teacher => async (lesson, onLine, signal) => {
  const { job } = await server.learn(lesson);
  signal.addEventListener("abort", () => server.cancel(job).catch(() => {}));
  if (signal.aborted) await server.cancel(job);
  const done = await server.follow(job, onLine);
  if (done.state === "cancelled") throw new EngineError({ message: "cancelled" });
  if (done.state !== "done") throw new EngineError(done.error ?? { message: "learning failed" });
  const name = done.model ?? lesson.name;
  return { name, report: done.report ?? "", rules: done.rules, model: await server.modelFile(name) };
};
