import type { RunningOperation } from "../versions/operation-lock.ts";
import { createBoundedLog } from "./bounded-log.ts";
import type { BuildProgress } from "./builder.ts";
import type { PublishListener } from "./publisher.ts";

/** The log of a publish. It goes to the listener and into the operation's row. */
export interface PublishLog extends PublishListener {
  text(): string;
  /** Writes the part that is not stored yet. */
  flush(): Promise<void>;
}

const maxBytes = 500_000;
const betweenWritesMs = 1_000;

/** Creates the log of an operation. Watchers in other processes read it from the row. */
export function createPublishLog(running: RunningOperation, listener: PublishListener): PublishLog {
  const kept = createBoundedLog(maxBytes);
  let state: BuildProgress["state"] = "checking";
  let written = "";
  let writing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  const write = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(async () => {
      const log = kept.text();
      if (`${state}\n${log}` === written) return;
      written = `${state}\n${log}`;
      // The final state is written with the outcome of the operation.
      await running.update({ log, ...(isUnderWay(state) && { state }) });
    });
    return writing;
  };
  // Each write stores the whole log, so lines are collected first.
  const writeSoon = (): void => {
    timer ??= setTimeout(() => void write().catch(() => undefined), betweenWritesMs).unref();
  };

  return {
    onProgress: (progress) => {
      ({ state } = progress);
      kept.add(`${progress.state}: ${progress.message}\n`);
      listener.onProgress(progress);
      writeSoon();
    },
    onLog: (line) => {
      kept.add(`${line}\n`);
      listener.onLog(line);
      writeSoon();
    },
    text: () => kept.text(),
    flush: () => write().catch(() => undefined),
  };
}

function isUnderWay(state: BuildProgress["state"]): boolean {
  return state !== "active" && state !== "failed";
}
