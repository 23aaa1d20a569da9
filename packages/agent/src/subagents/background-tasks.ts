import type { BackgroundWork } from "../loop/agent.ts";
import { type BackgroundTask, startTask } from "./background-task.ts";
import { describeEnd } from "./describe-end.ts";
import type { SpawnedChild } from "./spawned-child.ts";

/** The background tasks of a session. */
export interface BackgroundTasks {
  start(child: SpawnedChild): BackgroundTask;
  get(id: string): BackgroundTask | undefined;
  /** In the order in which they were started. */
  list(): readonly BackgroundTask[];
  readonly work: BackgroundWork;
  /** Resolves when all have ended. */
  stopAll(): Promise<void>;
}

// Answers the model has seen are kept for a while, in case it asks for them again.
const maxKept = 100;

/** Creates an empty list of background tasks. */
export function createBackgroundTasks(): BackgroundTasks {
  const tasks = new Map<string, BackgroundTask>();
  const waiting = new Set<() => void>();
  const list = (): BackgroundTask[] => [...tasks.values()];
  const running = (): BackgroundTask[] => list().filter(({ status }) => status === "running");
  const untold = (): BackgroundTask[] =>
    list().filter(({ status, isTold }) => status !== "running" && !isTold);
  const forgetOld = (): void => {
    const told = list().filter(({ isTold }) => isTold);
    for (const { id } of told.slice(0, -maxKept)) tasks.delete(id);
  };
  const start = (child: SpawnedChild): BackgroundTask => {
    const task = startTask(child);
    tasks.set(task.id, task);
    forgetOld();
    void task.ended.then(() => {
      for (const resume of waiting) resume();
    });
    return task;
  };
  return {
    start,
    get: (id) => tasks.get(id),
    list,
    work: {
      running: () => running().length,
      takeNotices: (nameTools) =>
        untold().map((task) => {
          task.isTold = true;
          return describeEnd(task, nameTools);
        }),
      next: (signal) =>
        new Promise((resolve) => {
          const resume = (): void => {
            waiting.delete(resume);
            signal.removeEventListener("abort", resume);
            resolve();
          };
          if (signal.aborted || untold().length > 0 || running().length === 0) return resolve();
          waiting.add(resume);
          signal.addEventListener("abort", resume, { once: true });
        }),
    },
    stopAll: async () => {
      const all = running();
      for (const task of all) task.stop();
      await Promise.all(all.map(({ ended }) => ended));
    },
  };
}
