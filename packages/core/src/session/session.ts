import {
  type Cleanup,
  type Coordinator,
  type Grant,
  type RuntimeHost,
  type Tool,
  ToolError,
  type ToolResult,
} from "@haft/contract";
import { systemClock } from "../clock.ts";
import { portable } from "../dialects/portable.ts";
import { createContributions } from "../events/contributions.ts";
import { type EventMap, Events, type Listener } from "../events/events.ts";
import { headlessHost } from "../hosts/headless-host.ts";
import { Call, type CallOutcome, type CallRequest } from "../path/call.ts";
import type { CallContext } from "../path/context.ts";
import { runCall } from "../path/run-call.ts";
import { createMemoryRecorder } from "../recorder/memory-recorder.ts";
import type { ScopedRule } from "../rules/compile-rule.ts";
import { deadlinesOf } from "../schedule/deadlines.ts";
import { fileLocksOf } from "../schedule/file-locks.ts";
import { CallQueue } from "../schedule/queue.ts";
import { createSecrets } from "../secrets/secrets.ts";
import { createWatchdog } from "../watchdog/create-watchdog.ts";
import { createEarlierCalls, noEarlierCalls } from "../watchdog/earlier-calls.ts";
import type { ChangeOwner } from "./journal.ts";
import { type Judgement, judgeCall } from "./judge-call.ts";
import { type Plan, planCalls } from "./plan.ts";
import { createRuleBook } from "./rule-book.ts";
import type { SessionBounds } from "./session-bounds.ts";
import type { SessionOptions } from "./session-options.ts";
import type { SessionRole } from "./session-role.ts";
import { type ShownTool, showTools } from "./shown-tools.ts";
import { createToolShelf, type ToolShelf } from "./tool-shelf.ts";
import { createTurnBudget } from "./turn-budget.ts";
import { createTurns, requireRole, type Turns } from "./turns.ts";

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
  const context = createContext(options);
  const { bounds, clock, events, queue, shelf, storage } = context;
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
    await context.stopListening();
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
      return context.turns.grant();
    },
    tools: (which = "shown") => {
      const tools = Array.from(context.snapshot().values());
      return showTools(which === "all" ? tools : tools.filter(shelf.isShown), context.dialect);
    },
    bounds,
    startTurn: () => {
      context.beginTurn();
      shelf.start();
    },
    assume: context.assume,
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
    rules: context.listRules,
    plan: (requests) => planCalls(requests.map(make), context),
    changesOf: (callId) => {
      const call = [...queue.items()].find(({ id }) => id === callId);
      return call && context.ownChanges(call);
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

interface SessionContext extends CallContext {
  readonly bounds: SessionBounds;
  listRules(): readonly ScopedRule[];
  ownChanges(call: Call): ChangeOwner;
  beginTurn(): void;
  assume(role: SessionRole): void;
  readonly turns: Turns;
  readonly shelf: ToolShelf;
  /** No longer hears of other tools. */
  readonly stopListening: Cleanup;
}

function createContext(options: SessionOptions): SessionContext {
  const { registry, computer, changesOf } = options;
  const clock = options.clock ?? systemClock;
  const host = options.host ?? headlessHost;
  const dialect = options.dialect ?? portable;
  const storage = computer.openSession(options.name ?? "default");
  const journal = changesOf?.journal ?? storage.journal;
  const stored = options.parent?.stored ?? storage.rules;
  const turns = createTurns(options, { dialect, sidecars: storage.sidecars.directory });
  const ruleBook = createRuleBook(options, { dialect, stored });
  let role: SessionRole = options;
  let nextRole: SessionRole = options;
  const recorder = options.recorder ?? createMemoryRecorder();
  const watchdog = options.watchdog === "off" ? undefined : (options.watchdog ?? createWatchdog());
  const { roots, home } = computer;
  const events = new Events(storage.id);
  const changed = (): void => events.emit("tools:changed", { session: storage.id });
  const shelf = createToolShelf(turns.snapshot, { deferAbove: options.deferAbove, changed });
  const stopListening = registry.onChange(changed);
  return {
    registry,
    dialect,
    computer,
    storage,
    stored,
    journal,
    changesOf,
    // A grandchild's changes are the call's that a person knows of.
    ownChanges: (call) => ({
      callId: changesOf?.callId ?? call.id,
      journal,
      changed: (path) => {
        call.addChanged(path);
        changesOf?.changed(path);
      },
    }),
    host,
    get manifest() {
      return role.manifest ?? {};
    },
    watchdog,
    earlier:
      watchdog === undefined
        ? noEarlierCalls
        : createEarlierCalls(
            (limit) => recorder.recent?.(storage.id, limit) ?? [],
            (tool) => registry.get(tool)?.kind,
          ),
    secrets: createSecrets({ ...computer.secrets, ...options.secrets }),
    recorder,
    events,
    clock,
    deadlines: deadlinesOf(clock),
    queue: new CallQueue((path) => computer.identify(path)),
    fileLocks: fileLocksOf(computer),
    prepareEnvironment: { roots, home },
    runtimeSession: { id: storage.id, roots, state: storage.state },
    runtimeHost: ({ id, signal }): RuntimeHost => ({
      question: (questions) => host.question({ callId: id, questions, signal }),
    }),
    bounds: {
      get grant() {
        return turns.grant();
      },
      ruleset: ruleBook.current,
      rules: ruleBook.own,
      stored,
      allows: ({ id }) => turns.snapshot().has(id),
    },
    assume: (next) => {
      requireRole(next, computer.variables);
      nextRole = next;
    },
    beginTurn: () => {
      role = nextRole;
      turns.start(role);
      ruleBook.refresh(role);
    },
    turns,
    shelf,
    stopListening,
    catalog: shelf.catalog,
    snapshot: turns.snapshot,
    grantOf: (tool: Tool) => turns.grantOf(tool),
    rules: ruleBook.current,
    rulesWith: ruleBook.with,
    listRules: ruleBook.list,
    rulesChanged: () => ruleBook.refresh(),
  };
}

function linkSignal(call: Call, signal: AbortSignal): () => void {
  const stop = (): void => call.abort(new ToolError("cancelled", "The call was aborted."));
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  return () => signal.removeEventListener("abort", stop);
}
