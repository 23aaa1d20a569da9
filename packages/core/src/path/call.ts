import {
  type CallState,
  type Grant,
  type Isolation,
  type JsonValue,
  type Tool,
  ToolError,
  type ToolResult,
} from "@haft/contract";
import type { Release } from "../computer.ts";
import type { Candidate } from "../registry/name-table.ts";
import type { Subject } from "../rules/subject.ts";
import type { Footprint } from "../schedule/conflicts.ts";
import type { Limited } from "../schedule/deadlines.ts";
import type { FileLock } from "../schedule/file-locks.ts";
import type { Queued } from "../schedule/queue.ts";

/** A call as it comes from a model. */
export interface CallRequest {
  readonly id?: string;
  readonly name: string;
  /** JSON text as a model wrote it, or what it stands for. */
  readonly arguments?: string | JsonValue;
  /** A person has seen this very call and said yes to it: where it would be asked, it is not again. */
  readonly approved?: boolean;
}

/**
 * One call on its way. It starts with what the model sent; each step fills in its own part, which
 * the steps after it rely on.
 */
export class Call implements Queued, Limited {
  readonly id: string;
  readonly name: string;
  /** The arguments as they came. */
  readonly sent: string | JsonValue;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly startedMonotonic: number;
  readonly isApproved: boolean;
  state: CallState = "in-progress";
  repairs: readonly string[] = noRepairs;

  /** From resolve on. */
  tool!: Tool;
  alias: Candidate["alias"] = undefined;
  /** From resolve on; prepare makes them the tool's own, validate holds them to its schema. */
  args: unknown = undefined;
  /** What an alias made the tool's own arguments of. */
  given: Readonly<Record<string, unknown>> = nothingGiven;
  /** The arguments are known to fit the tool's schema as they stand. */
  argsFit = false;

  /** What the call touches: known once its arguments are. */
  subjects: readonly Subject[] = noSubjects;
  footprint: Footprint | undefined = undefined;
  place = 0;
  waiters: (() => void)[] | undefined = undefined;

  /** From capability on. */
  grant!: Grant;
  /** From rules on: why a person must be asked first, if one must. */
  askReason: string | undefined = undefined;
  /** From schedule on. */
  locks: readonly FileLock[] | undefined = undefined;
  /** Lets go of files that are held against other processes. */
  release: Release | undefined = undefined;

  /** From execute on. */
  executedMonotonic = 0;
  timeoutMs = 0;
  expiresAt = 0;
  data: unknown = undefined;
  changedFiles: string[] | undefined = undefined;
  /** What confined the programs it ran, if it ran any. */
  isolation: Isolation | undefined = undefined;
  /** The file that keeps what did not fit into the result. */
  outputPath: string | undefined = undefined;
  warnings: string[] | undefined = undefined;
  persistence: "persisted" | "ephemeral" | undefined = undefined;
  /** The result is out; whatever the tool still does no longer reaches the world. */
  ended = false;
  /** Told at once when the call is to stop. */
  onAbort: (() => void) | undefined = undefined;
  /** Why the call is to stop, once it is. */
  abortReason: ToolError | undefined = undefined;
  #controller: AbortController | undefined = undefined;

  constructor(id: string, request: CallRequest, started: CallStart) {
    this.id = id;
    this.name = request.name;
    this.sent = request.arguments ?? {};
    this.isApproved = request.approved === true;
    this.startedAt = started.at;
    this.startedMonotonic = started.monotonic;
  }

  /** Fires when the call is to stop. Made on demand: most calls end before anybody looks. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.abortReason !== undefined) this.#controller.abort(this.abortReason);
    }
    return this.#controller.signal;
  }

  abort(reason: ToolError): void {
    if (this.abortReason !== undefined) return;
    this.abortReason = reason;
    this.#controller?.abort(reason);
    this.onAbort?.();
  }

  /** Notes a file that was changed. */
  addChanged(path: string): void {
    this.changedFiles ??= [];
    if (!this.changedFiles.includes(path)) this.changedFiles.push(path);
  }

  expire(): void {
    const seconds = this.timeoutMs / 1000;
    this.abort(new ToolError("timeout", `Tool execution timed out after ${seconds} seconds`));
  }
}

/** A call and what came back for it. */
export interface CallOutcome {
  readonly id: string;
  readonly name: string;
  readonly result: ToolResult;
}

/** When a call came in. */
export interface CallStart {
  readonly at: number;
  readonly monotonic: number;
}

const nothingGiven: Readonly<Record<string, unknown>> = {};
const noRepairs: readonly string[] = [];
const noSubjects: readonly Subject[] = [];
