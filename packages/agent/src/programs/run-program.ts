import { type JsonValue, ToolError, type ToolResult } from "@haft/contract";
import type { NestedCalls } from "@haft/core";
import { PausableTimer } from "./pausable-timer.ts";
import { describeFailure, explainEnd } from "./program-failures.ts";
import { programLimits } from "./program-limits.ts";
import {
  type AnswerMessage,
  type CellMessage,
  type ProgramMessage,
  type RunMessage,
  readProgramMessage,
} from "./program-messages.ts";
import { ProgramOutbox } from "./program-outbox.ts";
import type { BlankProcess } from "./program-pool.ts";
import type { ProgramTools } from "./program-tools.ts";

/** A program to run. */
export interface ProgramOrder {
  readonly code: string;
  readonly timeoutMs: number;
  /** Stored values as JSON, by key. */
  readonly stored: Readonly<Record<string, string>>;
  /** Set for a cell. */
  readonly cell?: RunMessage["cell"];
}

/** What a program works with. */
export interface ProgramContext {
  readonly process: BlankProcess;
  readonly tools: Omit<ProgramTools, "listAll">;
  /** Makes the program's calls. */
  readonly calls: Pick<NestedCalls, "call" | "end">;
  readonly signal: AbortSignal;
  /** Takes what a cell outputs. Returns why the program must be stopped, or `undefined`. */
  onCell?(message: CellMessage): string | undefined;
}

/** A program that runs. */
export interface RunningProgram {
  /** Resolves when the program has ended, however it did. Never rejects. */
  readonly ended: Promise<EndedProgram>;
  /** Stops the clock while a person is asked, and starts it again. */
  pause(isPaused: boolean): void;
}

/** What a program left. */
export interface EndedProgram {
  readonly output: string;
  /** The returned value. Absent if it returned nothing or failed. */
  readonly result?: JsonValue;
  readonly error?: ToolError;
  /** Number of calls that it made. */
  readonly calls: number;
  /** Stored values as JSON, by key, if any of them changed. */
  readonly stored?: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
}

const maxNotes = 10;

/** Runs a program in a blank process, which ends with it. */
export function runProgram(order: ProgramOrder, context: ProgramContext): RunningProgram {
  const run = new ProgramRun(order, context);
  return { ended: run.ended, pause: (isPaused) => run.pause(isPaused) };
}

class ProgramRun {
  readonly ended: Promise<EndedProgram>;
  readonly #order: ProgramOrder;
  readonly #context: ProgramContext;
  readonly #end = Promise.withResolvers<{ result?: JsonValue; error?: ToolError }>();
  readonly #stored: Map<string, string>;
  readonly #open = new Set<number>();
  readonly #notes: string[] = [];
  readonly #clock: PausableTimer;
  readonly #outbox: ProgramOutbox;
  #hasStored = false;
  #isOver = false;
  #output = "";
  #rest = "";
  #calls = 0;
  #messages = 0;
  #received = 0;

  constructor(order: ProgramOrder, context: ProgramContext) {
    this.#order = order;
    this.#context = context;
    this.#outbox = new ProgramOutbox(context.process);
    this.#stored = new Map(Object.entries(order.stored));
    this.#clock = new PausableTimer(order.timeoutMs, () => this.#expire());
    this.ended = this.#follow();
  }

  pause(isPaused: boolean): void {
    this.#clock.pause(isPaused);
  }

  async #follow(): Promise<EndedProgram> {
    const { process, tools, calls, signal } = this.#context;
    const { code, stored, cell } = this.#order;
    const abort = (): void => this.#stop("cancelled", "The program was stopped.");
    process.listen({
      onOutput: (text) => this.#take(text),
      onEnd: (end) => this.#stop("failed", explainEnd(end)),
    });
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    else {
      this.#clock.pause(false);
      const { names } = tools;
      const maxStored = programLimits.stored;
      this.#write({ code, names, stored, maxStored, ...(cell && { cell }) } satisfies RunMessage);
    }
    const end = await this.#end.promise;
    this.#isOver = true;
    this.#clock.pause(true);
    signal.removeEventListener("abort", abort);
    // The result does not wait for the end of the process, which can't reach anything any more.
    void process.stop();
    const running = await calls.end();
    if (running > 0) {
      this.#note(
        `${running === 1 ? "1 call was" : `${running} calls were`} still running when the program ended, and cancelled. Await every call.`,
      );
    }
    return {
      ...end,
      output: this.#output,
      calls: this.#calls,
      notes: this.#notes,
      ...(this.#hasStored && { stored: Object.fromEntries(this.#stored) }),
    };
  }

  #expire(): void {
    const seconds = this.#order.timeoutMs / 1000;
    this.#stop(
      "timeout",
      `The program did not end within ${seconds} seconds and was stopped. Make it do less, or set timeout_ms.`,
    );
  }

  #stop(code: ToolError["code"], message: string): void {
    if (!this.#isOver) this.#finish({ error: new ToolError(code, message) });
  }

  #finish(end: { result?: JsonValue; error?: ToolError }): void {
    this.#isOver = true;
    this.#end.resolve(end);
  }

  #take(text: string): void {
    if (this.#isOver) return;
    this.#received += text.length;
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    if (this.#received > programLimits.total || this.#rest.length > programLimits.message) {
      this.#stop("failed", `The program sent more than it may and was stopped. ${sendLess}`);
    }
    for (const line of lines) {
      if (this.#isOver) return;
      this.#messages += 1;
      const message = readProgramMessage(line);
      if (this.#messages > programLimits.messages) {
        this.#stop(
          "failed",
          `The program sent more than ${programLimits.messages} messages and was stopped. ${sendLess}`,
        );
      } else if (message === undefined) {
        this.#stop("failed", invalid);
      } else this.#handle(message);
    }
  }

  #handle(message: ProgramMessage): void {
    switch (message.kind) {
      case "call":
      case "search":
      case "describe":
        this.#ask(message);
        return;
      case "print":
        this.#output += message.text;
        if (this.#output.length <= programLimits.output) return;
        this.#output = this.#output.slice(0, programLimits.output);
        this.#stop(
          "failed",
          `The program printed more than ${programLimits.output} characters and was stopped. Print less.`,
        );
        return;
      case "text":
      case "image":
      case "notify":
      case "yield":
        this.#takeCell(message);
        return;
      case "store":
        this.#store(message.key, message.json);
        return;
      case "end":
        this.#finish(
          message.json === undefined ? {} : { result: JSON.parse(message.json) as JsonValue },
        );
        return;
      case "fail":
        this.#finish({ error: describeFailure(message, this.#calls) });
        return;
      default:
        this.#stop("failed", invalid);
    }
  }

  #takeCell(message: CellMessage): void {
    const { onCell = () => invalid } = this.#context;
    const refusal = onCell(message);
    if (refusal !== undefined) this.#stop("failed", refusal);
  }

  #ask(message: Extract<ProgramMessage, { id: number }>): void {
    this.#calls += 1;
    if (this.#open.has(message.id)) {
      this.#stop("failed", invalid);
    } else if (this.#calls > programLimits.calls) {
      this.#stop(
        "failed",
        `The program made more than ${programLimits.calls} calls and was stopped. Use fewer, such as one search instead of many reads.`,
      );
    } else {
      this.#open.add(message.id);
      void this.#answer(message).then((answer) => {
        this.#open.delete(message.id);
        if (!this.#isOver) this.#write(answer);
      });
    }
  }

  async #answer(message: Extract<ProgramMessage, { id: number }>): Promise<AnswerMessage> {
    const { id } = message;
    const { tools, calls } = this.#context;
    try {
      if (message.kind === "search") return { id, value: tools.search(message.query) };
      if (message.kind === "describe") return { id, value: tools.describe(message.name) };
      const name = tools.resolve(message.name);
      const number = this.#calls;
      const result = await calls.call({ name, arguments: message.arguments });
      this.#noteCut(result, `${name}, call ${number}`);
      if (result.type === "output") return { id, value: result.data };
      const { error_code: code = "internal" } = result.metadata;
      return { id, error: { code, message: result.error_text } };
    } catch (error) {
      const code = ToolError.isInstance(error) ? error.code : "internal";
      return { id, error: { code, message: (error as Error).message } };
    }
  }

  #noteCut({ metadata }: ToolResult, call: string): void {
    if (metadata.truncated !== true || metadata.output_path === undefined) return;
    this.#note(`The output of ${call} was cut. All of it: ${metadata.output_path}`);
  }

  #note(note: string): void {
    if (this.#notes.length < maxNotes) this.#notes.push(note);
  }

  #store(key: string, json: string | undefined): void {
    this.#hasStored = true;
    if (json === undefined) this.#stored.delete(key);
    else this.#stored.set(key, json);
    let length = 0;
    for (const [name, value] of this.#stored) length += name.length + value.length;
    if (length <= programLimits.stored) return;
    this.#stored.delete(key);
    this.#stop(
      "failed",
      `The program stored more than ${programLimits.stored} characters and was stopped. Store less.`,
    );
  }

  #write(message: object): void {
    // Answers of calls that run side by side go out together.
    if (this.#outbox.send(message, this.#open.size === 0)) return;
    this.#stop(
      "failed",
      "The program did not take the results of its calls and was stopped. Await calls before you make many more.",
    );
  }
}

const invalid =
  "The program sent an invalid message to Haft and was stopped. Use only the functions that it is given.";
const sendLess = "Print and store less, and call tools with shorter arguments.";
