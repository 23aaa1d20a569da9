import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { type ApiServer, createApiServer } from "../api/create-api-server.ts";
import type { Authenticator } from "../auth/authenticator.ts";
import { createCautiousClock } from "../cautious-clock.ts";
import { dispatchRequests } from "../console/dispatch-requests.ts";
import { openRepositories } from "../git/open-repositories.ts";
import { createHistory } from "../history/create-history.ts";
import { beat, isAlive, startHeartbeat } from "../history/heartbeat.ts";
import { createUnwrittenFile } from "../history/unwritten-file.ts";
import { writeUnwritten } from "../history/write-unwritten.ts";
import { createSessionItems } from "../inbox/session-items.ts";
import { listen } from "../listen.ts";
import { startAuditAnchors } from "../operations/audit-anchors.ts";
import { type Log, toErrorFields } from "../operations/logging.ts";
import { createMetrics } from "../operations/metrics.ts";
import { openTelemetry } from "../operations/telemetry.ts";
import { bootstrap } from "../organizations/bootstrap.ts";
import { openOrganizationServices } from "../organizations/organization-services.ts";
import { Problem } from "../problem.ts";
import { createPublisher } from "../publish/create-publisher.ts";
import { readInitialFiles } from "../publish/scaffold.ts";
import { forgetAskedWork } from "../queue/remote-work.ts";
import type { StoreFailure } from "../store/store-failure.ts";
import { createVariableReader } from "../tools/create-variable-reader.ts";
import { createArtifactStore } from "../versions/create-artifact-store.ts";
import { recoverOperations } from "../versions/recover-operations.ts";
import { openWebhooks } from "../webhooks/open-webhooks.ts";
import { assembleRoutes, type Invocations, openInvocations } from "./assemble-routes.ts";
import { requireUnlocked, takeDataLock } from "./data-lock.ts";
import { findHealth } from "./find-health.ts";
import { guardRoutes } from "./guard-routes.ts";
import { observePublisher } from "./observe.ts";
import { openExecutionBackend } from "./open-execution-backend.ts";
import { openPlatformParts, prepareDirectory } from "./open-platform-parts.ts";
import type { Platform, PlatformOptions } from "./platform.ts";
import { releaseMemory } from "./release-memory.ts";
import { createWriteGate } from "./write-gate.ts";

const defaultGraceMs = 10_000;
const tidyMs = 60_000;
// By then the first sandboxes have started.
const settleMs = 2_000;

/**
 * Starts a platform process: the API, a worker, or both. It serves the tools of its organizations
 * until `close` is called.
 *
 * @example
 * ```ts
 * import { startPlatform } from "@haft/platform";
 *
 * const platform = await startPlatform({
 *   role: "all",
 *   directory: "./data",
 *   environment: process.env,
 *   hostname: "127.0.0.1",
 *   port: 0,
 *   version: "1.0.0",
 * });
 * console.log(platform.url, platform.bootstrap);
 * await platform.close();
 * ```
 */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const { role, log, graceMs = defaultGraceMs } = options;
  if (role !== "all" && options.database === undefined) {
    throw new Error(`--role ${role} requires PostgreSQL. Add --database postgres://user@host/name`);
  }
  const directory = prepareDirectory(options.directory);
  const closing: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const step of closing.splice(0).toReversed()) {
      await step().catch((error) =>
        log?.error(toErrorFields(error), "A step of the shutdown failed."),
      );
    }
  };
  try {
    if (options.database === undefined) {
      const lock = takeDataLock(directory);
      closing.push(async () => lock.release());
    } else requireUnlocked(directory);
    const parts = await openPlatformParts(options);
    closing.push(() => parts.store.close());
    const heartbeat = await startHeartbeat(parts, role);
    closing.push(() => heartbeat.stop());
    const metrics = createMetrics();
    const telemetry = await openTelemetry(options.environment, {
      version: options.version,
      metrics,
      warn: (message) => log?.warn({}, message),
    });
    closing.push(async () => telemetry?.close());
    const observers = { metrics, trace: telemetry?.trace };
    const artifacts = createArtifactStore(parts);
    const unwritten =
      role === "worker" ? undefined : createUnwrittenFile(directory, parts.processId);
    const history = createHistory(parts, {
      unwritten,
      ageNow: createCautiousClock(parts.now),
      onKept: (failure) => gate.shut(failure),
      onLost: (invocation, error) =>
        log?.error({ invocation, ...toErrorFields(error) }, "The record of an invocation is lost."),
    });
    const closeHistory = once(() => history.close());
    closing.push(closeHistory);
    const gate = createWriteGate({
      store: parts.store,
      write: async () => {
        await history.writeKept();
        await beat(parts, parts.store.db, role);
      },
      onChange: (failure) => logStore(log, failure),
    });
    closing.push(async () => gate.close());
    parts.store.watchFailures((failure) => {
      if (failure.reason === "damaged") logStore(log, failure);
    });
    const backend = await openExecutionBackend(parts, role, { directory, artifacts, ...observers });
    const closeBackend = once((restMs) => backend.close(restMs));
    closing.push(() => closeBackend(graceMs));
    const trouble = backend.ready().then(
      () => undefined,
      (error: Error) => error.message,
    );
    void trouble.then(
      (reason) =>
        reason !== undefined && log?.warn({ reason }, "Tools can't be run: there is no sandbox."),
    );

    const makeServer = (
      routed: Pick<Parameters<typeof createApiServer>[0], "routes" | "authenticator">,
    ): Promise<ApiServer> =>
      createApiServer({
        ...routed,
        settings: parts.settings,
        version: options.version,
        health: { ready: () => findHealth({ gate, trouble, backend }) },
        metrics,
        telemetry,
        log,
        metricsToken: options.environment.HAFT_METRICS_TOKEN,
        graceMs,
      });

    let invocations: Invocations | undefined;
    let ownUrl = "";
    const webhooks = openWebhooks(parts, {
      findUrl: () => ownUrl,
      onError: (error) =>
        log?.warn(toErrorFields(error), "A webhook could not be told of an event."),
    });
    const api =
      role === "worker"
        ? await makeServer({ routes: [], authenticator: refuseAll })
        : await openApi();
    closing.push(() => api.close());

    async function openApi(): Promise<ApiServer> {
      const repositories = await openRepositories(parts, {
        directory: join(directory, "repositories"),
        initialFiles: readInitialFiles,
      });
      closing.push(() => repositories.close());
      const { builder, runner } = backend;
      const variables = createVariableReader(parts);
      const publisher = observePublisher(
        createPublisher({ ...parts, repositories, builder, runner, variables, artifacts }),
        observers,
      );
      const tidy = async (): Promise<void> => {
        await forgetAskedWork(parts);
        await history.tidy();
        await recoverOperations(parts, (owner) => isAlive(parts, owner));
        await invocations?.async.tidy();
        await webhooks.tidy();
        await invocations?.scheduler.tidy();
      };
      parts.store.shrinker?.convert();
      await tidy();
      for (const invocation of await writeUnwritten(parts, directory)) {
        log?.error({ invocation }, "The database rejected a record that was kept in a file.");
      }
      await publisher.recover();
      const timer = setInterval(() => {
        tidy().catch((error) => log?.warn(toErrorFields(error), "Periodic cleanup failed."));
      }, tidyMs).unref();
      closing.push(async () => clearInterval(timer));
      const anchoring = await startAuditAnchors(parts, directory, log);
      closing.push(async () => anchoring.stop());
      const organizations = await openOrganizationServices(parts, directory);
      const { mcp, machine } = options;
      if (mcp !== undefined) closing.push(() => mcp.close());
      const { sessionState: stateDirectory } = options;
      const sessions =
        stateDirectory && createSessionItems(parts, { stateDirectory, directory, machine });
      const services = { organizations, repositories, publisher, artifacts, history, webhooks };
      const beside = { mcp, machine, directory, ...(sessions && { sessions }) };
      const made = { ...services, backend, ...beside };
      const { findFailure } = gate;
      const { requireWorkers } = backend;
      invocations = openInvocations(parts, { ...made, findFailure }, (error) =>
        log?.warn(toErrorFields(error), "An asynchronous invocation could not be run or recorded."),
      );
      const { async, scheduler } = invocations;
      closing.push(() => Promise.resolve(async.pause()));
      closing.push(() => scheduler.stop());
      const routes = guardRoutes(assembleRoutes(parts, made, invocations), {
        findFailure,
        requireWorkers,
      });
      return makeServer({ routes, authenticator: organizations.authenticator });
    }

    const listening = await listen(await dispatchRequests(api.handle, options.beside), {
      ...options,
      onTlsError: (error) =>
        log?.error(
          toErrorFields(error),
          "The new TLS certificate can't be used. The old one stays.",
        ),
    });
    closing.push(() => listening.close());
    closing.push(async () => {
      const endsAt = performance.now() + graceMs;
      await invocations?.scheduler.stop();
      invocations?.async.pause();
      await api.drain();
      // Work that still runs fails now. Record that and answer the callers while they are
      // connected.
      await closeBackend(Math.max(0, endsAt - performance.now()));
      await invocations?.async.close();
      await webhooks.deliverer.stop(Math.max(0, endsAt - performance.now()));
      await turn();
      await closeHistory();
      await turn();
    });
    const { url, port } = listening;
    ownUrl = url;
    if (role !== "worker") webhooks.deliverer.poke();
    const entry = role === "worker" ? undefined : await bootstrap(parts, { directory, url });
    const settled = setTimeout(releaseMemory, settleMs).unref();
    closing.push(async () => clearTimeout(settled));
    return { url, port, bootstrap: entry, trouble, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function once(step: (graceMs: number) => Promise<void>): (graceMs?: number) => Promise<void> {
  let done: Promise<void> | undefined;
  return (graceMs = 0) => {
    done ??= step(graceMs);
    return done;
  };
}

/** Logs a failure of the store. The database's own message is for the operator only. */
function logStore(log: Log | undefined, failure: StoreFailure | undefined): void {
  if (failure === undefined) {
    log?.warn({}, "The database accepts writes again.");
    return;
  }
  const { cause, reason } = failure;
  const said = cause instanceof Error ? cause.message : undefined;
  const message =
    reason === "damaged" ? failure.message : "The database accepts no writes, so nothing is run.";
  log?.error({ reason, said, ...toErrorFields(cause) }, message);
}

/** Refuses every request: workers serve only their health and metrics. */
const refuseAll: Authenticator = {
  authenticate: () => {
    throw new Problem(
      401,
      "This process is a worker and does not serve requests. Use an API process.",
    );
  },
};
