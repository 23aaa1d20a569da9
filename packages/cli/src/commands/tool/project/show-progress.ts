import { toVisibleLine, toVisibleText } from "@haft/core/internal";
import type { PublishListener, PublishProgress } from "@haft/platform/client";
import type { CommandInput } from "../../../command.ts";
import type { Io } from "../../../io.ts";

/** Shows the progress of a publish to a person or a program. */
export interface ProgressDisplay extends PublishListener {
  /** Must be called at the end. */
  finish(succeeded: boolean): void;
}

/** Creates a display with one line per step, or with `--json` one event per line. */
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
      // A new step means that the previous one is done. `finish` reports the last one.
      end("✓");
      step = progress.state === "active" ? undefined : progress;
    },
    onLog: (line) => {
      if (options.verbose === true) io.error(`    ${toVisibleText(line)}\n`);
    },
    finish: (succeeded) => end(succeeded ? "✓" : "✗"),
  };
}
