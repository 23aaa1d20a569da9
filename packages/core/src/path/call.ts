import {
  type Approval,
  type CallState,
  type CommandChange,
  type DiscardedChanges,
  type Grant,
  type HookRemark,
  type Isolation,
  type JsonValue,
  type Tool,
  ToolError,
  type ToolResult,
} from "@haft/contract";
import type { Release } from "../computer.ts";
import type { AskAnswer } from "../hosts/host.ts";
import type { Candidate } from "../registry/name-table.ts";
import type { Verdict } from "../rules/compile-rule.ts";
import type { Rule } from "../rules/rule.ts";
import type { Subject } from "../rules/subject.ts";
import type { Footprint } from "../schedule/conflicts.ts";
import type { Limited } from "../schedule/deadlines.ts";
import type { FileLock } from "../schedule/file-locks.ts";
import type { Queued } from "../schedule/queue.ts";
import type { Program } from "./program.ts";

/** A call as a model requests it. */
export interface CallRequest {
  readonly id?: string;
  readonly name: string;
  /** The arguments as JSON text or as a value. */
  readonly arguments?: string | JsonValue;
  /** A person has already approved exactly this call, so the host is not asked again. */
  readonly approved?: boolean;
  /** The room that the result has as text. Default: what the tool and the dialect allow. */
  readonly limit?: { readonly bytes: number; readonly lines?: number };
}

/**
 * A call on its path. It starts with what the model sent; each check fills in its own fields, which
 * later checks rely on.
 */
export class Call implements Queued, Limited {
  readonly id: string;
  readonly name: string;
  /** The arguments as the model sent them. */
  readonly sent: string | JsonValue;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly startedMonotonic: number;
  /** A person has approved exactly this call. */
  isApproved: boolean;
  /** The room that the result has as text. */
  readonly limit: CallRequest["limit"];
  /** The program that makes the call, if it is not the model. */
  readonly program: Program | undefined;
  /** Its place among the calls of its program, from 1. */
  readonly number: number;
  state: CallState = "in-progress";
  repairs: readonly string[] = noRepairs;

  /** How a call in other words was understood, for the model. */
  notes: string[] | undefined = undefined;

  /** Set by resolve. */
  tool!: Tool;
  alias: Candidate["alias"] = undefined;
  /** Set by resolve, converted to the tool's arguments by prepare, and checked by validate. */
  args: unknown = undefined;
  /** The arguments in the terms of the alias. */
  given: Readonly<Record<string, unknown>> = nothingGiven;
  /** The arguments are known to fit the tool's schema. */
  argsFit = false;

  /** Set by hooks: why a hook requires approval, whatever the rules allow. */
  hookReason: string | undefined = undefined;
  /** What hooks did about the call. */
  hookRemarks: HookRemark[] | undefined = undefined;
  /** Texts of hooks for the model, about this call and the calls of its program. */
  hookContext: string[] | undefined = undefined;

  /** What the call touches. Known once its arguments are. */
  subjects: readonly Subject[] = noSubjects;
  footprint: Footprint | undefined = undefined;
  place = 0;
  hasTurn = false;
  hasParts = false;
  /** The call that this one is part of. */
  readonly within: Call | undefined;
  waiters: (() => void)[] | undefined = undefined;

  /** Set by capability. */
  grant!: Grant;
  /** Set by rules. */
  verdict: Verdict | undefined = undefined;
  /** Set by rules: why a person must be asked first. */
  askReason: string | undefined = undefined;
  /** Set by rules: the command runs without approval, and its changes are judged when it has ended. */
  isReviewed = false;
  /** Set by watchdog: it requires approval, whatever the rules allow. */
  isWatched = false;
  /** Set by watchdog: the rule that answers its question for exactly this call, if it can be stored. */
  watchdogRule: Rule | undefined = undefined;
  /** Set by ask: the answer that it waited for in an inbox. */
  approval: Approval | undefined = undefined;
  /** Set by ask: the answer, and how long the person took. */
  answer: AskAnswer["answer"] | undefined = undefined;
  askedMs: number | undefined = undefined;
  /** Set by schedule: how long it waited for its turn and its files. */
  queuedMs: number | undefined = undefined;
  /** Set by schedule. */
  locks: readonly FileLock[] | undefined = undefined;
  /** Releases files that are held against other processes. */
  release: Release | undefined = undefined;

  /** Set by execute. */
  wasExecuted = false;
  executedMonotonic = 0;
  timeoutMs = 0;
  expiresAt = 0;
  data: unknown = undefined;
  changedFiles: string[] | undefined = undefined;
  /** What confined the programs of the call, if it ran any. */
  isolation: Isolation | undefined = undefined;
  /** Whether everything that a command changed can be undone, if the call ran one. */
  isReversible: boolean | undefined = undefined;
  /** What the command changed, if that is known. */
  commandChanges: readonly CommandChange[] | undefined = undefined;
  /** What the command changed that was not applied, because it was not approved. */
  discardedChanges: DiscardedChanges["changes"] | undefined = undefined;
  /** The sidecar with the whole output. */
  outputPath: string | undefined = undefined;
  warnings: string[] | undefined = undefined;
  persistence: "persisted" | "ephemeral" | undefined = undefined;
  /** The program that the call runs, once it makes calls. */
  nested: Program | undefined = undefined;
  /** The call has returned; anything the tool still does has no effect. */
  ended = false;
  /** Called when the call must stop. */
  onAbort: (() => void) | undefined = undefined;
  /** Why the call must stop, once it must. */
  abortReason: ToolError | undefined = undefined;
  #controller: AbortController | undefined = undefined;

  constructor(id: string, request: CallRequest, started: CallStart) {
    this.id = id;
    this.name = request.name;
    this.sent = request.arguments ?? {};
    this.isApproved = request.approved === true;
    this.limit = request.limit;
    this.within = started.within;
    this.program = started.within?.nested;
    this.number = this.program === undefined ? 0 : ++this.program.made;
    this.startedAt = started.at;
    this.startedMonotonic = started.monotonic;
  }

  /** Fires when the call must stop. Created on demand, because most calls never need it. */
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
    this.nested?.abort("The program that made this call was stopped.");
    this.onAbort?.();
  }

  /** Records a changed file. */
  addChanged(path: string): void {
    this.within?.addChanged(path);
    this.changedFiles ??= [];
    if (!this.changedFiles.includes(path)) this.changedFiles.push(path);
  }

  /** The call that its changes belong to. */
  get owner(): Call {
    return this.within?.owner ?? this;
  }

  expire(): void {
    const seconds = this.timeoutMs / 1000;
    this.abort(new ToolError("timeout", `Tool execution timed out after ${seconds} seconds`));
  }
}

/** A call and its result. */
export interface CallOutcome {
  readonly id: string;
  readonly name: string;
  readonly result: ToolResult;
}

/** When a call was made, and by which other call. */
export interface CallStart {
  readonly at: number;
  readonly monotonic: number;
  readonly within?: Call | undefined;
}

const nothingGiven: Readonly<Record<string, unknown>> = {};
const noRepairs: readonly string[] = [];
const noSubjects: readonly Subject[] = [];
