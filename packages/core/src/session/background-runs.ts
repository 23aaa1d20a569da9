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

/** A program that goes on after its call has returned. */
export interface OutlivingProgram {
  /** How a person is told of it, such as `Cell 3`. */
  readonly name: string;
  /** Resolves when it has ended; never rejects. */
  readonly ended: Promise<unknown>;
  stop(): void;
}

/** What the model has to be told. */
export interface Untold {
  readonly jobs: readonly Job[];
  readonly texts: readonly string[];
}

/** What runs in the background of a session, and whose end the model must still be told. */
export class BackgroundRuns {
  readonly #commands = new Set<OutlivingCommand>();
  readonly #programs = new Set<OutlivingProgram>();
  readonly #untold = new Map<string, Job>();
  #texts: string[] = [];
  /** Jobs whose end the model knows. */
  readonly #known = new Set<string>();
  #isCollected = false;

  /** Adds a command that goes on after its call. */
  add(command: OutlivingCommand): void {
    this.#commands.add(command);
    void command.ended.then(() => this.#commands.delete(command));
  }

  /** Adds a program that goes on after its call. */
  addProgram(program: OutlivingProgram): void {
    this.#programs.add(program);
    void program.ended.then(() => this.#programs.delete(program));
  }

  /** Stops the programs that still run. */
  abortPrograms(): void {
    for (const program of this.#programs) program.stop();
  }

  /** Stops the programs that still run because the session ends, and waits for their end. */
  async endPrograms(warn: (message: string) => void): Promise<void> {
    const running = [...this.#programs];
    for (const { name } of running) {
      warn(`${name} was stopped because its session ended. What it changed stays.`);
    }
    this.abortPrograms();
    await Promise.all(running.map(({ ended }) => ended));
  }

  /** Keeps a text for the model until its next result. */
  tell(text: string): void {
    if (this.#texts.length < maxTexts) this.#texts.push(clipText(text, maxTextLength));
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

  /** Returns what the model does not know yet and is told now. */
  take(): Untold {
    this.#isCollected = true;
    return this.#takeAll();
  }

  /** The same for the next result, unless somebody else takes them. */
  takeForResult(): Untold {
    const isEmpty = this.#untold.size === 0 && this.#texts.length === 0;
    return isEmpty || this.#isCollected ? none : this.#takeAll();
  }

  /** Stops the programs and commands that still run, and drops what the commands wrote. */
  async discard(warn: (message: string) => void): Promise<void> {
    await this.endPrograms(warn);
    const running = [...this.#commands];
    for (const { id, command } of running) {
      this.#known.add(id);
      warn(
        `The background command ${id} was stopped because its session ended, and its changes were discarded: ${toLine(command)}`,
      );
    }
    await Promise.all(running.map((command) => command.discard()));
  }

  #takeAll(): Untold {
    const jobs = [...this.#untold.values()];
    const texts = this.#texts;
    for (const { id } of jobs) this.seen(id);
    this.#texts = [];
    return { jobs, texts };
  }
}

const none: Untold = { jobs: [], texts: [] };
const maxTexts = 20;
const maxTextLength = 2_000;
const maxLineLength = 300;
const maxNamed = 5;

/** Describes what the model has to be told, in the words of its dialect. */
export function describeUntold(
  { jobs, texts }: Untold,
  { toolNames, secrets }: { toolNames(): ToolNames; readonly secrets: Secrets },
): string[] {
  if (jobs.length === 0 && texts.length === 0) return [];
  const advice = nameTools("`job_output` shows its output.", toolNames());
  const ends = jobs.map((job) => describeJobEnd(job, advice));
  return [...ends, ...texts].map((text) => secrets.hideInData(text));
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
