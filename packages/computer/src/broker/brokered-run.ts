import { constants, openSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ToolError } from "@haft/contract";
import type { LaunchPlan } from "../sandbox/launch-plan.ts";
import { endMembers, endProcess } from "./end-members.ts";
import type { LaunchEnd, LaunchOrder, RunPipes } from "./messages.ts";
import { type PipeReader, readPipe, type TakeBytes } from "./read-pipe.ts";

/** Where the standard streams of a process lead. */
export interface LaunchStreams {
  readonly output: TakeBytes;
  /** Receives standard error. Default: merged into the output, in order. */
  readonly errors?: TakeBytes;
  /** Default: standard input is empty. */
  readonly input?: Uint8Array | string;
  /** Whether standard input stays open for more. Default: no. */
  readonly staysOpen?: boolean;
}

/** What a run needs from its broker. */
export interface RunOrigin {
  readonly number: number;
  readonly marker: string;
  /** The pipes' directory, and the name of the next pipe. */
  readonly directory: string;
  takePipe(): string;
}

/** The client side of a run that the broker started. */
export class BrokeredRun {
  readonly order: LaunchOrder;
  /** Resolves when it runs. */
  readonly started: Promise<void>;
  /** The first process of its namespace, if it has one. */
  readonly contained: Promise<number>;
  /** Resolves when all has ended. */
  readonly exited: Promise<void>;
  /** Resolves when all has ended and was read. */
  readonly ended: Promise<LaunchEnd>;
  /** Whether it keeps this process alive. */
  isAwaited = true;
  readonly #directory: string;
  readonly #readers: readonly PipeReader[];
  readonly #writer: Socket | undefined;
  readonly #staysOpen: boolean;
  readonly #start: PromiseWithResolvers<void> = Promise.withResolvers();
  readonly #exit: PromiseWithResolvers<void> = Promise.withResolvers();
  readonly #settle: PromiseWithResolvers<LaunchEnd> = Promise.withResolvers();
  readonly #contain: PromiseWithResolvers<number> = Promise.withResolvers();
  #pid: number | undefined;
  #contained: number | undefined;

  constructor(plan: LaunchPlan, streams: LaunchStreams, origin: RunOrigin) {
    const { number: run, marker, directory } = origin;
    const { output, errors, staysOpen = false } = streams;
    const input = streams.input ?? (staysOpen ? "" : undefined);
    const readers: PipeReader[] = [];
    const openReader = (take: TakeBytes): string => {
      const name = origin.takePipe();
      readers.push(readPipe(join(directory, name), take));
      return name;
    };
    const pipes: RunPipes = {
      output: openReader(output),
      ...(errors !== undefined && { errors: openReader(errors) }),
      ...(input !== undefined && { input: origin.takePipe() }),
    };
    this.order = { run, plan, marker, pipes };
    this.#directory = directory;
    this.#staysOpen = staysOpen;
    if (pipes.input !== undefined) {
      this.#writer = openWriter(join(directory, pipes.input));
      this.#writer.write(input ?? "");
    }
    this.#readers = readers;
    this.started = this.#start.promise;
    this.contained = this.#contain.promise;
    this.exited = this.#exit.promise;
    this.ended = this.#settle.promise;
    // Callers that await it later still get the error.
    for (const promise of [this.started, this.contained, this.ended]) promise.catch(() => {});
  }

  onStarted(pid: number): void {
    this.#pid = pid;
    // Not earlier: a pipe that is open at neither end loses its content.
    if (!this.#staysOpen) this.#writer?.end();
    this.#removePipes();
    this.#start.resolve();
  }

  onContained(pid: number): void {
    this.#contained = pid;
    this.#contain.resolve(pid);
  }

  onRefused(reason: string): void {
    this.#close();
    const { program } = this.order.plan;
    this.#fail(
      new ToolError("unavailable", `${program} could not be started: ${reason}.`, {
        absolutePath: program,
      }),
    );
  }

  async onEnded(end: LaunchEnd): Promise<void> {
    this.#contain.reject(new Error(`${this.order.plan.program} ended immediately.`));
    this.#exit.resolve();
    this.#writer?.destroy();
    for (const reader of this.#readers) reader.finish();
    try {
      await Promise.all(this.#readers.map(({ done }) => done));
      this.#settle.resolve(end);
    } catch (error) {
      this.#close();
      this.#fail(error);
    }
  }

  /** The broker is gone, and can no longer end what it started. */
  async onBrokerGone(reason: string): Promise<void> {
    for (const pid of [this.#contained, this.#pid]) if (pid !== undefined) endProcess(pid);
    const { marker } = this.order;
    const traces = { pid: this.#pid, marker, startedAt: undefined, pipes: this.#locatePipes() };
    await endMembers(traces);
    // A process that was being started when the broker died can't be found until it runs.
    if (this.#contained === undefined) {
      for (let looks = 0; looks < 5; looks++) {
        await wait(20);
        await endMembers(traces);
      }
    }
    this.#close();
    this.#fail(brokerGone(reason));
  }

  /** Resolves when the pipe took the bytes; until then further writes are buffered in memory. */
  write(bytes: Uint8Array | string): Promise<void> {
    const writer = this.#writer;
    return new Promise((resolve, reject) => {
      const settle = (error?: Error | null): void => (error ? reject(noReader()) : resolve());
      if (writer === undefined || !writer.writable) settle(noReader());
      else writer.write(bytes, settle);
    });
  }

  /** Closes standard input once everything written was taken. */
  endInput(): void {
    this.#writer?.end();
  }

  keepAlive(isNeeded: boolean): void {
    this.isAwaited = isNeeded;
    if (isNeeded) this.#writer?.ref();
    else this.#writer?.unref();
    for (const reader of this.#readers) reader.keepAlive(isNeeded);
  }

  #fail(error: unknown): void {
    this.#start.reject(error);
    this.#contain.reject(error);
    this.#exit.resolve();
    this.#settle.reject(error);
  }

  #close(): void {
    this.#writer?.destroy();
    for (const reader of this.#readers) reader.close();
    this.#removePipes();
  }

  #removePipes(): void {
    for (const path of this.#locatePipes()) rmSync(path, { force: true });
  }

  #locatePipes(): string[] {
    const { output, errors, input } = this.order.pipes;
    return [output, errors, input]
      .filter((name) => name !== undefined)
      .map((name) => join(this.#directory, name));
  }
}

// Opened for both: the process would take a pipe without a writer for a closed one, and a pipe
// without a reader can't be opened for writing.
function openWriter(path: string): Socket {
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  // A program need not read all of its input.
  return new Socket({ fd, readable: false, writable: true }).on("error", () => {});
}

/** The error for runs that were under way when the broker died. */
export function brokerGone(reason: string): ToolError {
  return new ToolError(
    "unavailable",
    `The process that starts programs ended unexpectedly (${reason}), and the programs it had started were ended. Try again: it restarts automatically.`,
  );
}

function noReader(): ToolError {
  return new ToolError(
    "unavailable",
    "The program accepts no more input: it has ended, or its input was closed.",
  );
}
