import {
  type Cleanup,
  type Coordinator,
  type Grant,
  ToolError,
  type ToolResult,
} from "@haft/contract";
import { createContributions } from "../events/contributions.ts";
import type { EventMap, Listener } from "../events/events.ts";
import { Call, type CallOutcome, type CallRequest } from "../path/call.ts";
import { runCall } from "../path/run-call.ts";
import type { ScopedRule } from "../rules/compile-rule.ts";
import type { ChangeOwner } from "./journal.ts";
import { type Judgement, judgeCall } from "./judge-call.ts";
import { type Plan, planCalls } from "./plan.ts";
import type { SessionBounds } from "./session-bounds.ts";
import type { SessionOptions } from "./session-options.ts";
import { createSessionParts } from "./session-parts.ts";
import type { SessionRole } from "./session-role.ts";
import { type ShownTool, showTools } from "./shown-tools.ts";
import { createTurnBudget } from "./turn-budget.ts";

/** Where calls are made. */
export interface Session extends Pick<Coordinator, "registerContributor" | "collectContributions"> {
  readonly id: string;
  readonly name: string;
  /** What the session's agent may touch. */
  readonly grant: Grant;
  /** What bounds a child session. */
  readonly bounds: SessionBounds;
  /** The tools of this turn as the model is to see them; with `all` those too that it has to search for. */
  tools(which?: "shown" | "all"): ShownTool[];
  /** Begins a turn: what changed in the registry and the stored rules takes effect. */
  startTurn(): void;
  /** Has another agent act from the next turn on. One whose declaration does not compile throws. */
  assume(role: SessionRole): void;
  /** Makes one call. It always resolves: what goes wrong is an error envelope. */
  call(request: CallRequest, options?: { readonly signal?: AbortSignal }): Promise<ToolResult>;
  /** Makes several calls at once; results come in request order. */
  batch(requests: readonly CallRequest[], options?: BatchOptions): Promise<CallOutcome[]>;
  /** Tells what would become of a call, without making it. */
  judge(request: CallRequest): Promise<Judgement>;
  /** Every rule that holds now, with who made it. */
  rules(): readonly ScopedRule[];
  /** Tells how a batch would run, without running it. */
  plan(requests: readonly CallRequest[]): Promise<Plan>;
  on<Name extends keyof EventMap>(name: Name, listener: Listener<Name>): Cleanup;
  /** What has a child session's changes counted to a call that is under way here. */
  changesOf(callId: string): ChangeOwner | undefined;
  /** Stops every call under way. */
  abort(reason?: string): void;
  /** Waits for the calls under way and lets go, so that another process can go on with the session. */
  suspend(): Promise<void>;
  /** Ends the session: calls stop, sidecars go, what was recorded stays. */
  close(): Promise<void>;
}

/** How a batch is run. */
export interface BatchOptions {
  readonly signal?: AbortSignal;
  /** Is told of each result as it comes. */
  onResult?(outcome: CallOutcome): void;
}

const closed = "The session was closed.";

/** Opens a session. */
export function createSession(options: SessionOptions): Session {
  const { context, bounds, shelf, ...parts } = createSessionParts(options);
  const { clock, events, queue, storage } = context;
  const contributions = createContributions((message) => events.warn(message));
  const prefix = `${Math.random().toString(36).slice(2, 8)}-`;
  let made = 0;
  let closing: Promise<void> | undefined;

  const make = (request: CallRequest): Call =>
    new Call(request.id ?? `${prefix}${++made}`, request, {
      at: clock.now(),
      monotonic: clock.monotonic(),
    });

  const enter = (request: CallRequest): Call => {
    const call = make(request);
    queue.enter(call);
    return call;
  };

  const run = (call: Call, signal: AbortSignal | undefined): Promise<ToolResult> => {
    if (closing !== undefined) call.abort(new ToolError("cancelled", closed));
    if (signal === undefined) return runCall(call, context);
    const unlink = linkSignal(call, signal);
    return runCall(call, context).finally(unlink);
  };

  const abort = (reason = "The session was aborted."): void => {
    for (const call of queue.items()) call.abort(new ToolError("cancelled", reason));
  };

  const end = async (): Promise<void> => {
    abort(closed);
    await parts.stopListening();
    await queue.idle();
    try {
      await context.recorder.flush();
    } finally {
      await storage.close();
    }
  };

  return {
    id: storage.id,
    name: storage.name,
    get grant() {
      return bounds.grant;
    },
    tools: (which = "shown") => {
      const tools = Array.from(context.snapshot().values());
      return showTools(which === "all" ? tools : tools.filter(shelf.isShown), context.dialect);
    },
    bounds,
    startTurn: () => {
      parts.beginTurn();
      shelf.start();
    },
    assume: parts.assume,
    call: (request, options) => run(enter(request), options?.signal),
    batch: async (requests, options) => {
      // All take their places first: what comes while they start stands behind them.
      const calls = requests.map(enter);
      const running: Promise<CallOutcome>[] = [];
      const turn = createTurnBudget(clock);
      const follow = async (call: Call): Promise<CallOutcome> => {
        const result = await run(call, options?.signal);
        const outcome = { id: call.id, name: call.name, result };
        options?.onResult?.(outcome);
        return outcome;
      };
      for (const call of calls) {
        running.push(follow(call));
        // A call may do much of its work before it first waits; others want their turn too.
        if (turn.isSpent()) await turn.next();
      }
      return Promise.all(running);
    },
    judge: (request) => judgeCall(make(request), context),
    rules: parts.listRules,
    plan: (requests) => planCalls(requests.map(make), context),
    changesOf: (callId) => {
      const call = [...queue.items()].find(({ id }) => id === callId);
      return call && parts.ownChanges(call);
    },
    on: (name, listener) => events.on(name, listener),
    registerContributor: contributions.registerContributor,
    collectContributions: contributions.collectContributions,
    abort,
    suspend: async () => {
      await queue.idle();
      await context.recorder.flush();
    },
    close: () => {
      closing ??= end();
      return closing;
    },
  };
}

function linkSignal(call: Call, signal: AbortSignal): () => void {
  const stop = (): void => call.abort(new ToolError("cancelled", "The call was aborted."));
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  return () => signal.removeEventListener("abort", stop);
}
