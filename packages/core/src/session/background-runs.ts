import type { Job } from "@haft/contract";
import { clipText } from "@haft/contract/internal";
import { nameTools, type ToolNames } from "../dialects/tool-names.ts";
import type { Secrets } from "../secrets/secrets.ts";

/** A command that goes on after its call has returned. */
export interface OutlivingCommand {
  readonly id: string;
  readonly command: string;
  /** Resolves when all of it is over; never rejects. */
  readonly ended: Promise<void>;
  /** Stops it without applying what it wrote on its layer. */
  discard(): Promise<void>;
}

/** What runs in the background of a session, and whose end the model must still be told. */
export class BackgroundRuns {
  readonly #commands = new Set<OutlivingCommand>();
  readonly #untold = new Map<string, Job>();
  /** Jobs whose end the model knows. */
  readonly #known = new Set<string>();
  #isCollected = false;

  /** Adds a command that goes on after its call. */
  add(command: OutlivingCommand): void {
    this.#commands.add(command);
    void command.ended.then(() => this.#commands.delete(command));
  }

  /** A job has ended, with or without the model knowing. */
  ended(job: Job): void {
    if (!this.#known.has(job.id)) this.#untold.set(job.id, job);
  }

  /** A result shows the model that this job has ended. */
  seen(id: string): void {
    this.#known.add(id);
    this.#untold.delete(id);
  }

  /** Returns the jobs that have ended without the model knowing, which it is told now. */
  take(): readonly Job[] {
    this.#isCollected = true;
    return this.#takeAll();
  }

  /** The same for the next result, unless somebody else takes them. */
  takeForResult(): readonly Job[] {
    return this.#untold.size === 0 || this.#isCollected ? none : this.#takeAll();
  }

  /** Stops the commands that still run, and drops what they wrote. */
  async discard(warn: (message: string) => void): Promise<void> {
    const running = [...this.#commands];
    for (const { id, command } of running) {
      this.#known.add(id);
      warn(
        `The background command ${id} was stopped because its session ended, and its changes were discarded: ${toLine(command)}`,
      );
    }
    await Promise.all(running.map((command) => command.discard()));
  }

  #takeAll(): readonly Job[] {
    const jobs = [...this.#untold.values()];
    for (const { id } of jobs) this.seen(id);
    return jobs;
  }
}

const none: readonly Job[] = [];
const maxLineLength = 300;
const maxNamed = 5;

/** Describes to the model that jobs have ended, in the words of its dialect. */
export function describeJobEnds(
  jobs: readonly Job[],
  { toolNames, secrets }: { toolNames(): ToolNames; readonly secrets: Secrets },
): string[] {
  if (jobs.length === 0) return [];
  const advice = nameTools("`job_output` shows its output.", toolNames());
  return jobs.map((job) => secrets.hideInData(describeJobEnd(job, advice)));
}

function describeJobEnd(job: Job, advice: string): string {
  const { id, command, exitCode, signal, reason, notes = [] } = job;
  const how = signal === undefined ? `with exit code ${exitCode ?? "unknown"}` : `by ${signal}`;
  const lines = [
    `The background command ${id} has ended ${reason === undefined || exitCode !== undefined ? how : "early"}: ${toLine(command)}`,
    ...(reason === undefined ? [] : [toLine(reason)]),
    ...describeChanges(job),
    ...notes.slice(0, maxNamed).map(toLine),
    ...(advice === "" ? [] : [advice]),
  ];
  return lines.join("\n");
}

function describeChanges({ changes, reversible }: Job): readonly string[] {
  if (changes === undefined) return [];
  if (changes.length === 0) return ["It changed no files."];
  const named = changes.slice(0, maxNamed).map(({ path, kind, keptAt }) => {
    const what = keptAt === undefined ? kind : `conflict, its version is in ${toLine(keptAt)}`;
    return `${toLine(path)} (${what})`;
  });
  const more = changes.length > maxNamed ? ` and ${changes.length - maxNamed} more` : "";
  const undo = reversible ? "" : " Not all of it can be undone.";
  return [`It changed: ${named.join(", ")}${more}.${undo}`];
}

// Commands, paths and prompts are other people's text: each stays on its own line.
function toLine(text: string): string {
  return clipText(text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim(), maxLineLength);
}
