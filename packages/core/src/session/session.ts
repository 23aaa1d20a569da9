import {
  type Cleanup,
  type Coordinator,
  type Grant,
  ToolError,
  type ToolResult,
} from "@haft/contract";
import { createTimeSlice } from "@haft/contract/internal";
import { nameTools } from "../dialects/tool-names.ts";
import { createContributions } from "../events/contributions.ts";
import type { EventMap, Listener } from "../events/events.ts";
import { Call, type CallOutcome, type CallRequest } from "../path/call.ts";
import { Program } from "../path/program.ts";
import { runCall } from "../path/run-call.ts";
import { traceCalls } from "../path/trace-calls.ts";
import { linkSignal } from "../path/until-aborted.ts";
import type { ScopedRule } from "../rules/compile-rule.ts";
import type { Rule } from "../rules/rule.ts";
import { createSessionTracing, type SessionTracing } from "../tracing/session-tracing.ts";
import { describeUntold, type OutlivingProgram } from "./background-runs.ts";
import { type ComparedVerdicts, createVerdictComparison } from "./compare-verdicts.ts";
import { type ExplainedCall, explainCall } from "./explain-call.ts";
import type { ChangeOwner } from "./journal.ts";
import { type Judgement, judgeCall } from "./judge-call.ts";
import { type Plan, planCalls } from "./plan.ts";
import type { SessionBounds } from "./session-bounds.ts";
import type { SessionOptions } from "./session-options.ts";
import { createSessionParts } from "./session-parts.ts";
import type { SessionRole } from "./session-role.ts";
import type { ShownTool } from "./shown-tools.ts";

/** An agent's open workspace: makes calls with its tools, rules, journal and queue. */
export interface Session extends Pick<Coordinator, "registerContributor" | "collectContributions"> {
  readonly id: string;
  readonly name: string;
  /** The directories of the workspace. Relative paths start at the first. */
  readonly roots: readonly string[];
  /** The grant of the session's agent. */
  readonly grant: Grant;
  /** The bounds of child sessions. */
  readonly bounds: SessionBounds;
  /** The tracing of the session, if its options name one. */
  readonly tracing: SessionTracing | undefined;
  /** Returns the tools of the current step as the model sees them. `all` includes tools it must search for. */
  tools(which?: "shown" | "all"): ShownTool[];
  /**
   * Rewrites a text of Haft's own for the model: native tool IDs in backticks become the names that it
   * knows, and sentences about tools that it does not have are left out.
   */
  nameTools(text: string): string;
  /** Starts a step: changes of the registry and the stored rules take effect. */
  startStep(): void;
  /** Sets the role from the next step on. Throws if its requirements do not compile. */
  assume(role: SessionRole): void;
  /** Makes a call. It always resolves; failures are error results. */
  call(request: CallRequest, options?: { readonly signal?: AbortSignal }): Promise<ToolResult>;
  /** Makes several calls at once. The results are in request order. */
  batch(requests: readonly CallRequest[], options?: BatchOptions): Promise<CallOutcome[]>;
  /**
   * Lets a running call make calls of its own, such as those of a program. They take the same path as
   * every call. Their changes belong to the running call, and they end with it. Returns `undefined` if
   * there is no such call, or if it is such a call itself.
   */
  nest(callId: string, options?: NestOptions): NestedCalls | undefined;
  /** Checks a call without making it. */
  judge(request: CallRequest): Promise<Judgement>;
  /**
   * Returns a function that checks calls without and with more rules of the session. It returns `undefined` for a
   * call about which the rules change nothing.
   */
  compare(rules: readonly Rule[]): (request: CallRequest) => Promise<ComparedVerdicts | undefined>;
  /** Returns the verdict of every check on a call by itself and what it touches, without making the call. */
  explain(request: CallRequest): Promise<ExplainedCall>;
  /** Returns the current rules with their origin. */
  rules(): readonly ScopedRule[];
  /** Plans how a batch would run, without running it. */
  plan(requests: readonly CallRequest[]): Promise<Plan>;
  /**
   * Returns what the model must be told beside results: which background jobs have ended, and what
   * programs notify it of. Each is told once. Results no longer carry them in `metadata.notices` once this was called.
   */
  takeNotices(): readonly string[];
  on<Name extends keyof EventMap>(name: Name, listener: Listener<Name>): Cleanup;
  /** Returns the owner that assigns a child session's changes to a running call of this session. */
  changesOf(callId: string): ChangeOwner | undefined;
  /** Aborts all running calls. */
  abort(reason?: string): void;
  /**
   * Waits for running calls, stops commands that went on after theirs, and flushes the records, so that
   * another process can continue the session.
   */
  suspend(): Promise<void>;
  /** Closes the session: aborts calls and deletes sidecars. Records stay. */
  close(): Promise<void>;
}

/** Options of a batch. */
export interface BatchOptions {
  readonly signal?: AbortSignal;
  /** Called with each result as it arrives. */
  onResult?(outcome: CallOutcome): void;
}

/** Options of nested calls. */
export interface NestOptions {
  /** IDs of tools that can't be called this way. */
  readonly excludeTools?: readonly string[];
  /** Called when a person is asked about any of the calls, and when the last such question is answered. */
  onAsk?(isAsking: boolean): void;
}

/** Makes calls for a running call. */
export interface NestedCalls {
  /** Makes a call. It always resolves; failures are error results. */
  call(request: Pick<CallRequest, "name" | "arguments">): Promise<ToolResult>;
  /**
   * Lets the program go on after its call has returned. Its calls and their changes still belong to that
   * call. It is stopped when the session is aborted or ends.
   */
  outlive(program: OutlivingProgram): void;
  /** Has a person asked about its calls during this call from now on, because its own has returned. */
  askDuring(callId: string): void;
  /** Tells the model something with the next result of the session. */
  tell(text: string): void;
  /** Aborts the calls that still run and resolves when they have ended. Returns how many there were. */
  end(): Promise<number>;
}

const closed = "The session was closed.";
const programEnded = "The program ended before this call did.";

/**
 * Opens a session.
 *
 * @example
 * ```ts
 * import { createRegistry, createSession, type Computer } from "@haft/core";
 *
 * export async function readFirstFile(computer: Computer) {
 *   const session = createSession({ registry: createRegistry(), computer });
 *   const result = await session.call({ name: "read", arguments: { path: "README.md" } });
 *   await session.close();
 *   return result;
 * }
 * ```
 */
export function createSession(options: SessionOptions): Session {
  const { context, bounds, deferredTools, ...parts } = createSessionParts(options);
  const { clock, events, queue, storage } = context;
  const contributions = createContributions((message) => events.warn(message));
  const slice = createTimeSlice(() => clock.monotonic());
  const prefix = `${Math.random().toString(36).slice(2, 8)}-`;
  const tracing = options.tracing && createSessionTracing(options.tracing, context.secrets);
  const runThrough = tracing === undefined ? runCall : traceCalls(tracing);
  let made = 0;
  let closing: Promise<void> | undefined;

  const make = (request: CallRequest, within?: Call): Call =>
    new Call(request.id ?? `${prefix}${++made}`, request, {
      at: clock.now(),
      monotonic: clock.monotonic(),
      within,
    });

  const enter = (request: CallRequest, within?: Call): Call => {
    const call = make(request, within);
    queue.enter(call);
    return call;
  };

  const run = (call: Call, signal: AbortSignal | undefined): Promise<ToolResult> => {
    if (closing !== undefined) call.abort(new ToolError("cancelled", closed));
    if (signal === undefined) return runThrough(call, context);
    const unlink = linkSignal(call, signal);
    return runThrough(call, context).finally(unlink);
  };

  const nest = (callId: string, options: NestOptions = {}): NestedCalls | undefined => {
    const outer = [...queue.items()].find(({ id }) => id === callId);
    if (outer === undefined || outer.within !== undefined) return undefined;
    const program = new Program(outer, options);
    outer.nested = program;
    const running = new Set<Promise<unknown>>();
    return {
      call: ({ name, arguments: args = {} }) => {
        const call = enter({ name, arguments: args }, outer);
        program.enter(call);
        if (program.isOver) program.abort(programEnded);
        const result = run(call, undefined).finally(() => {
          program.leave(call);
          running.delete(result);
        });
        running.add(result);
        return result;
      },
      outlive: (outliving) => {
        program.outlives = true;
        context.background.addProgram(outliving);
      },
      askDuring: (callId) => {
        program.callId = callId;
      },
      tell: (text) => context.background.tell(text),
      end: async () => {
        const left = program.abort(programEnded);
        await Promise.all(running);
        return left;
      },
    };
  };

  const abort = (reason = "The session was aborted."): void => {
    context.background.abortPrograms();
    for (const call of queue.items()) call.abort(new ToolError("cancelled", reason));
  };

  const warn = (message: string): void => events.warn(message);
  const stopBackground = (): Promise<void> => context.background.discard(warn);

  const end = async (): Promise<void> => {
    const stopped = context.background.endPrograms(warn);
    abort(closed);
    await stopped;
    await parts.stopListening();
    await parts.stopFollowing();
    await queue.idle();
    await stopBackground();
    await options.hooks?.end();
    try {
      await context.recorder.flush();
    } finally {
      events.emit("session:closed", { session: storage.id });
      await storage.close();
    }
  };

  return {
    id: storage.id,
    name: storage.name,
    roots: context.computer.roots,
    get grant() {
      return bounds.grant;
    },
    tools: (which = "shown") => {
      const tools = Array.from(context.snapshot().values());
      return context.showTools(which === "all" ? tools : tools.filter(deferredTools.isShown));
    },
    nameTools: (text) => nameTools(text, context.toolNames()),
    bounds,
    tracing,
    startStep: () => {
      parts.beginStep();
      deferredTools.start();
    },
    assume: parts.assume,
    call: (request, options) => run(enter(request), options?.signal),
    batch: async (requests, options) => {
      // All enter the queue first, so that calls made meanwhile come after them.
      const calls = requests.map((request) => enter(request));
      const running: Promise<CallOutcome>[] = [];
      const follow = async (call: Call): Promise<CallOutcome> => {
        const result = await run(call, options?.signal);
        const outcome = { id: call.id, name: call.name, result };
        options?.onResult?.(outcome);
        return outcome;
      };
      for (const call of calls) {
        running.push(follow(call));
        // A call may do much work before it first waits. Let other work run in between.
        if (slice.isSpent()) await slice.enter();
      }
      return Promise.all(running);
    },
    nest,
    judge: (request) => judgeCall(make(request), context),
    compare: (rules) => {
      const compare = createVerdictComparison(rules, context);
      return (request) => compare(() => make(request));
    },
    explain: (request) => explainCall(make(request), context),
    rules: parts.listRules,
    plan: (requests) =>
      planCalls(
        requests.map((request) => make(request)),
        context,
      ),
    changesOf: (callId) => {
      const call = [...queue.items()].find(({ id }) => id === callId);
      return call && parts.ownChanges(call);
    },
    takeNotices: () => describeUntold(context.background.take(), context),
    on: (name, listener) => events.on(name, listener),
    registerContributor: contributions.registerContributor,
    collectContributions: contributions.collectContributions,
    abort,
    suspend: async () => {
      // A program that goes on may never stop to make calls.
      await context.background.endPrograms(warn);
      await queue.idle();
      await stopBackground();
      await options.hooks?.end();
      await parts.stopFollowing();
      await context.recorder.flush();
      events.emit("session:closed", { session: storage.id });
    },
    close: () => {
      closing ??= end();
      return closing;
    },
  };
}
