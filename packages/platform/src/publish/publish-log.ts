import type { RunningOperation } from "../versions/operation-lock.ts";
import type { BuildProgress } from "./builder.ts";
import { createHeadAndTail } from "./head-and-tail.ts";
import type { PublishListener } from "./publisher.ts";

/** What is said while something is published: to whoever listens, and into the operation's row. */
export interface PublishLog extends PublishListener {
  text(): string;
  /** Writes down what is not yet. */
  flush(): Promise<void>;
}

const mostCharacters = 500_000;
const betweenWritesMs = 1_000;

/** Keeps the log of an operation; watchers in other processes read it in the row. */
export function createPublishLog(running: RunningOperation, listener: PublishListener): PublishLog {
  const kept = createHeadAndTail(mostCharacters);
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
      // The end is written by whoever ends it.
      await running.update({ log, ...(isUnderWay(state) && { state }) });
    });
    return writing;
  };
  // A line at a time would be a write of the whole log for each.
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
