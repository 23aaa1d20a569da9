import type { Cleanup, RuntimeHost, Tool } from "@haft/contract";
import { systemClock } from "../clock.ts";
import { portable } from "../dialects/portable.ts";
import { Events } from "../events/events.ts";
import { headlessHost } from "../hosts/headless-host.ts";
import { tokensOfDefinition } from "../output/token-estimate.ts";
import type { Call } from "../path/call.ts";
import type { CallContext } from "../path/context.ts";
import { toQuestionFacts } from "../path/waiting-facts.ts";
import { createMemoryRecorder } from "../recorder/memory-recorder.ts";
import type { RecentCall } from "../recorder/recorder.ts";
import type { ScopedRule } from "../rules/compile-rule.ts";
import { deadlinesOf } from "../schedule/deadlines.ts";
import { fileLocksOf } from "../schedule/file-locks.ts";
import { CallQueue } from "../schedule/queue.ts";
import { createSecrets } from "../secrets/secrets.ts";
import { createWatchdog } from "../watchdog/create-watchdog.ts";
import { createEarlierCalls, noEarlierCalls } from "../watchdog/earlier-calls.ts";
import { BackgroundRuns } from "./background-runs.ts";
import { createCurrentStep, requireRole } from "./current-step.ts";
import { createDeferredTools, type DeferredTools } from "./deferred-tools.ts";
import type { ChangeOwner } from "./journal.ts";
import type { SessionBounds } from "./session-bounds.ts";
import type { SessionOptions } from "./session-options.ts";
import type { SessionRole } from "./session-role.ts";
import { createSessionRules } from "./session-rules.ts";

/** What a session is put together of. */
export interface SessionParts {
  /** What its calls know of it. */
  readonly context: CallContext;
  readonly bounds: SessionBounds;
  readonly deferredTools: DeferredTools;
  listRules(): readonly ScopedRule[];
  /** What has others' changes counted to a call. */
  ownChanges(call: Call): ChangeOwner;
  beginStep(): void;
  assume(role: SessionRole): void;
  /** No longer hears of other tools. */
  readonly stopListening: Cleanup;
  /** Ends that the computer follows the session's rules. */
  readonly stopFollowing: Cleanup;
}

/** Makes the parts of a session. */
export function createSessionParts(options: SessionOptions): SessionParts {
  const { registry, computer, changesOf } = options;
  const clock = options.clock ?? systemClock;
  const host = options.host ?? headlessHost;
  const dialect = options.dialect ?? portable;
  const storage = computer.openSession(options.name ?? "default");
  const journal = changesOf?.journal ?? storage.journal;
  const stored = options.parent?.stored ?? storage.rules;
  const step = createCurrentStep(options, { dialect, sidecars: storage.sidecars.directory });
  const sessionRules = createSessionRules(options, { dialect, stored });
  const hooks = options.hooks ?? options.parent?.hooks;
  let role: SessionRole = options;
  let nextRole: SessionRole = options;
  const recorder = options.recorder ?? createMemoryRecorder();
  const watchdog = options.watchdog === "off" ? undefined : (options.watchdog ?? createWatchdog());
  const { roots, home } = computer;
  const events = new Events(storage.id);
  const changed = (): void => events.emit("tools:changed", { session: storage.id });
  const deferredTools = createDeferredTools(step.snapshot, {
    maxTokens: options.maxDefinitionTokens,
    measure: (tools) => step.show(tools).reduce((sum, tool) => sum + tokensOfDefinition(tool), 0),
    listUsed: () => rankByUse(recorder.recent?.(storage.id, maxRemembered) ?? []),
    changed,
  });
  // Every step of every call looks into it: no accessors, nothing that only the session needs.
  const context: CallContext = {
    registry,
    dialect,
    computer,
    storage,
    stored,
    journal,
    changesOf,
    host,
    review: options.review ?? "effects",
    hooks,
    manifest: () => role.manifest ?? {},
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
    background: new BackgroundRuns(),
    onTimeout: options.onTimeout ?? "stop",
    prepareEnvironment: { roots, home },
    runtimeSession: {
      id: storage.id,
      roots,
      repositories: computer.variables.repository ?? [],
      state: storage.state,
    },
    runtimeHost: (call): RuntimeHost => ({
      question: (questions) =>
        host.question({
          ...{ callId: call.program?.callId ?? call.id, questions, signal: call.signal },
          toFacts: () => toQuestionFacts(call, questions, context),
        }),
    }),
    catalog: deferredTools.catalog,
    snapshot: step.snapshot,
    toolNames: step.toolNames,
    showTools: step.show,
    grantOf: (tool: Tool) => step.grantOf(tool),
    rules: sessionRules.current,
    rulesWith: sessionRules.with,
    rulesOf: sessionRules.of,
    rulesChanged: () => sessionRules.refresh(),
  };
  const stopFollowing = computer.followRules?.(() => sessionRules.current().fileRules());
  return {
    context,
    bounds: {
      get grant() {
        return step.grant();
      },
      ruleset: sessionRules.current,
      rulesetWith: sessionRules.with,
      rules: sessionRules.own,
      stored,
      hooks,
      allows: ({ id }) => step.snapshot().has(id),
    },
    deferredTools,
    listRules: sessionRules.list,
    // A grandchild's changes are the call's that a person knows of.
    ownChanges: (call) => ({
      callId: changesOf?.callId ?? call.owner.id,
      journal,
      changed: (path) => {
        call.addChanged(path);
        changesOf?.changed(path);
      },
    }),
    beginStep: () => {
      role = nextRole;
      step.start(role);
      sessionRules.refresh(role);
    },
    assume: (next) => {
      requireRole(next, computer);
      nextRole = next;
    },
    stopListening: registry.onChange(changed),
    stopFollowing: stopFollowing ?? (() => {}),
  };
}

// Enough to know which tools a session works with, and quick to read.
const maxRemembered = 500;

function rankByUse(calls: readonly RecentCall[]): string[] {
  const counts = new Map<string, number>();
  for (const { tool } of calls) {
    if (tool !== undefined) counts.set(tool, (counts.get(tool) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one).map(([tool]) => tool);
}
