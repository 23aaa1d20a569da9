import { toVisibleLine, toVisibleText } from "@haft/core";
import type { PublishListener, PublishProgress } from "@haft/platform/client";
import type { CommandInput } from "../../../command.ts";
import type { Io } from "../../../io.ts";

/** Tells a person, or a program, what goes on. */
export interface ProgressDisplay extends PublishListener {
  /** To be called when nothing more comes. */
  finish(succeeded: boolean): void;
}

/** One line per step with a tick before it, or with `--json` one event per line. */
export function createProgressDisplay({ options }: CommandInput, io: Io): ProgressDisplay {
  if (options.json === true) {
    const print = (event: string, data: unknown): void =>
      io.out(`${JSON.stringify({ event, data })}\n`);
    return {
      onProgress: (progress) => print("progress", progress),
      onLog: (line) => print("log", line),
      finish: () => undefined,
    };
  }
  let step: PublishProgress | undefined;
  const end = (mark: string): void => {
    if (step !== undefined) io.error(`${mark} ${toVisibleLine(step.message || step.state)}\n`);
    step = undefined;
  };
  return {
    onProgress: (progress) => {
      if (progress.state === "failed") return;
      // What comes next tells that what came before is done; the last is said with the result.
      end("✓");
      step = progress.state === "active" ? undefined : progress;
    },
    onLog: (line) => {
      if (options.verbose === true) io.error(`    ${toVisibleText(line)}\n`);
    },
    finish: (succeeded) => end(succeeded ? "✓" : "✗"),
  };
}
