// Who learns from examples.
import type { Lesson, Server } from "./server";
import { ServerError } from "./server";

export interface Learnt {
  name: string;
  report: string;
  rules?: string | null;
  model: ArrayBuffer;
}

export async function byServer(
  server: Server,
  lesson: Lesson,
  onLine: (line: string) => void,
  signal: AbortSignal,
): Promise<Learnt> {
  const { job } = await server.learn(lesson);
  signal.addEventListener("abort", () => server.cancel(job).catch(() => {}));
  if (signal.aborted) await server.cancel(job);
  const done = await server.follow(job, onLine);
  if (done.state === "cancelled") throw new ServerError(0, { message: "cancelled" });
  if (done.state !== "done") throw new ServerError(0, done.error ?? { message: "learning failed" });
  const name = done.model ?? lesson.name;
  return { name, report: done.report ?? "", rules: done.rules, model: await server.modelFile(name) };
}
