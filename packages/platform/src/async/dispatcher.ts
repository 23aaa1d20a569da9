import { setTimeout as wait } from "node:timers/promises";
import { createPoller } from "../create-poller.ts";
import { isAlive } from "../history/heartbeat.ts";
import { NotRecorded } from "../history/history.ts";
import type { AcceptedRequest } from "../invoke/create-invoker.ts";
import type { HideSecrets } from "../invoke/hide-secrets.ts";
import type { OpenedRun, OpenRun } from "../invoke/open-run.ts";
import { Problem } from "../problem.ts";
import type { JournalEntry } from "../runner/run-journal.ts";
import type { Runner, ToolRunResult } from "../runner/runner.ts";
import { asyncRequestContext } from "../secrets/sealed-context.ts";
import type { AsyncInvocationRow } from "../store/schema.ts";
import type { CanaryCounter } from "../versions/canary-counter.ts";
import { openJournal, readJournal } from "./journal.ts";
import {
  cancelledMessage,
  createSettling,
  readDraft,
  type SettleParts,
  toFailure,
} from "./settle.ts";
import { wakeDue } from "./wake.ts";

/** The services that run asynchronous invocations. */
export type DispatcherParts = SettleParts & {
  readonly openRun: OpenRun;
  readonly runner: Pick<Runner, "run">;
  /** Counts the results of invocations that take part in a canary. Default: they are not counted. */
  readonly canaries?: Pick<CanaryCounter, "count">;
  /** Throws if no worker is running. Absent if tools run in this process. */
  readonly requireWorkers?: (() => Promise<void>) | undefined;
  /** Receives errors that no caller waits for. */
  onError?(error: unknown): void;
};

/** Runs the asynchronous invocations of a store, each in one process at a time. */
export interface Dispatcher {
  /** Looks for work now. */
  poke(): void;
  /** Stops an invocation of this process, or ends one that does not run. */
  cancel(row: AsyncInvocationRow): Promise<void>;
  /** Starts no more. */
  pause(): void;
  /** Waits for all runs. Those that the runner stops continue later, if they have a journal. */
  stop(): Promise<void>;
}

// Before what could not be started is tried again.
const retryMs = 1_000;

/** Starts a dispatcher. It first takes over what processes that died have left. */
export function startDispatcher(parts: DispatcherParts): Dispatcher {
  const { store, settings, processId, now } = parts;
  const settling = createSettling(parts);
  /** Those that have ended, while the store could not record it. */
  const unrecorded = new Set<string>();
  const active = new Map<string, { readonly controller: AbortController; ended: Promise<void> }>();
  const claiming = new Set<string>();
  let isStopped = false;

  const report = (error: unknown): void => parts.onError?.(error);
  const look = async (): Promise<number> => {
    await abortCancelled();
    const nextAt = await wakeDue(parts);
    await startQueued();
    return (nextAt ?? Number.POSITIVE_INFINITY) - now();
  };

  /** Settles what ran in processes that died, and what this process could not settle. */
  const recover = async (): Promise<void> => {
    const rows = await store.db
      .selectFrom("async_invocations")
      .selectAll()
      .where("state", "=", "running")
      .execute();
    for (const row of rows) {
      if (active.has(row.id) || claiming.has(row.id)) continue;
      const owner = row.owner ?? "";
      if (owner !== processId && (await isAlive(parts, owner))) continue;
      if (unrecorded.has(row.id) && !(await isRecorded(row.id))) continue;
      await settling.release(row).catch(report);
    }
  };
  const isRecorded = async (id: string): Promise<boolean> => {
    const query = store.db.selectFrom("invocations").select("id").where("id", "=", id);
    return (await query.executeTakeFirst()) !== undefined;
  };
  const abortCancelled = async (): Promise<void> => {
    if (active.size === 0) return;
    const rows = await store.db
      .selectFrom("async_invocations")
      .select("id")
      .where("id", "in", [...active.keys()])
      .where("is_cancelled", "=", 1)
      .execute();
    for (const { id } of rows) active.get(id)?.controller.abort();
  };

  // Organizations take turns, so that a long queue of one does not hold up the others.
  const startQueued = async (): Promise<void> => {
    const max = settings.runner.maxWorkers;
    while (active.size < max && !isStopped) {
      const organizations = await store.db
        .selectFrom("async_invocations")
        .select("org_id")
        .distinct()
        .where("state", "=", "queued")
        .execute();
      if (organizations.length === 0 || !(await canRun())) return;
      for (const { org_id } of organizations) {
        if (active.size >= max) return;
        const row = await store.db
          .selectFrom("async_invocations")
          .selectAll()
          .where("state", "=", "queued")
          .where("org_id", "=", org_id)
          .orderBy("created_at")
          .limit(1)
          .executeTakeFirst();
        if (row !== undefined) await claim(row);
      }
    }
  };
  const canRun = async (): Promise<boolean> =>
    parts.requireWorkers?.().then(
      () => true,
      () => false,
    ) ?? true;
  /** Takes and starts an invocation, unless another process was faster. */
  const claim = async (row: AsyncInvocationRow): Promise<void> => {
    claiming.add(row.id);
    try {
      const claimed = await store.db
        .updateTable("async_invocations")
        .set({
          ...{ state: "running", owner: processId, attempt: row.attempt + 1 },
          ...{ wake_at: null, updated_at: now() },
        })
        .where("id", "=", row.id)
        .where("attempt", "=", row.attempt)
        .where("state", "=", row.state)
        .returningAll()
        .executeTakeFirst();
      if (claimed !== undefined) start(claimed);
    } finally {
      claiming.delete(row.id);
    }
  };
  const start = (row: AsyncInvocationRow): void => {
    const controller = new AbortController();
    const ended = runRow(row, controller.signal)
      .catch((error: unknown) => {
        if (error instanceof NotRecorded) unrecorded.add(row.id);
        report(error);
      })
      .finally(() => {
        active.delete(row.id);
        poller.poke();
      });
    active.set(row.id, { controller, ended });
  };

  const runRow = async (row: AsyncInvocationRow, signal: AbortSignal): Promise<void> => {
    if (row.is_cancelled === 1) {
      await settling.end(row, toFailure("Cancelled", cancelledMessage), plain);
      return;
    }
    let opened: OpenedRun;
    let entries: readonly JournalEntry[];
    let trial: AcceptedRequest["trial"];
    try {
      const request = readRequest(row);
      trial = request.trial;
      entries = await readJournal(parts, row.id);
      opened = await parts.openRun({
        draft: readDraft(row),
        versionId: row.version_id,
        request,
      });
    } catch (error) {
      if (error instanceof Problem && error.status < 500) {
        await finish(row, trial, { result: toFailure("NotRun", error.message), hide: plain });
        return;
      }
      // Such as a database that can't be reached. Nothing was run, so it is tried again.
      report(error);
      await wait(retryMs, undefined, { ref: false });
      await settling.release(row, true);
      return;
    }
    const { hide, version } = opened;
    await tell(row.id, "state", JSON.stringify({ state: "running" }));
    let told: Promise<unknown> = Promise.resolve();
    const recording = parts.history.begin(readDraft(row));
    const result = await parts.runner.run(
      {
        ...opened.program,
        isDurable: true,
        timeoutMs: Math.max(1, settings.async.maxActiveMs - row.active_ms),
      },
      {
        ...opened.run,
        journal: openJournal(parts, row.id, {
          entries,
          limits: settings.async,
          attempt: row.attempt,
        }),
        signal,
        onStatus: (event) => {
          told = told.then(() => tell(row.id, "status", hide.inJson({ event })));
        },
      },
    );
    await told;
    await recording.leave().catch(report);
    const isLost = "isInterrupted" in result || (isStopped && isWorkerDeath(result));
    if (isLost) await settling.release(row, "hasNotBegun" in result);
    else if ("waits" in result && result.waits !== undefined && !signal.aborted) {
      const tool = { name: version.toolName, version: version.text };
      const { waits, durationMs, printed } = result;
      await settling.suspend(row, { waits, durationMs, printed, tool, hide });
    } else {
      const finished = "waits" in result ? toFailure("Cancelled", cancelledMessage) : result;
      await finish(row, trial, { result: explain(opened.checkOutput(finished)), hide });
    }
  };
  const finish = async (
    row: AsyncInvocationRow,
    trial: AcceptedRequest["trial"],
    { result, hide }: { readonly result: ToolRunResult; readonly hide: HideSecrets },
  ): Promise<void> => {
    const isRecorded = await settling.end(row, result, hide);
    const isCancelled = !result.succeeded && result.exceptionType === "Cancelled";
    if (!isRecorded || isCancelled || trial === undefined) return;
    parts.canaries?.count(trial, { calls: 1, errors: result.succeeded ? 0 : 1 });
  };
  const tell = (invocationId: string, event: "state" | "status", data: string): Promise<void> =>
    // The invocation itself matters more than those who watch it.
    parts.events.add({ invocationId, event, data }).catch(report);
  const readRequest = ({ id, org_id, request }: AsyncInvocationRow): AcceptedRequest =>
    JSON.parse(parts.secrets.open(request, asyncRequestContext(org_id, id))) as AcceptedRequest;

  const explain = (result: ToolRunResult): ToolRunResult => {
    if (result.succeeded) return result;
    if (result.exceptionType === "Cancelled") {
      return { ...result, exceptionMessage: cancelledMessage };
    }
    if (result.exceptionType !== "Timeout") return result;
    const exceptionMessage = `The invocation ran for more than ${settings.async.maxActiveMs} ms, not counting the time it waited, and was stopped. Make it do less, or raise async.maxActiveMs in settings.json.`;
    return { ...result, exceptionMessage };
  };

  const poller = createPoller({ look, recover, onError: report });
  poller.poke();
  return {
    poke: poller.poke,
    cancel: async (row) => {
      active.get(row.id)?.controller.abort();
      if (row.state !== "queued" && row.state !== "waiting") return;
      await claim(row);
      await active.get(row.id)?.ended;
    },
    pause: () => {
      isStopped = true;
      poller.stop();
    },
    stop: async () => {
      isStopped = true;
      poller.stop();
      await poller.looking();
      await Promise.all([...active.values()].map(({ ended }) => ended));
    },
  };
}

// The texts are the platform's own.
const plain = { inText: (text: string): string => text, inJson: JSON.stringify };

function isWorkerDeath(result: ToolRunResult): boolean {
  return !result.succeeded && result.exceptionType === "WorkerDied";
}
