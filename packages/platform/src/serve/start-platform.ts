import { join, resolve } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { sql } from "kysely";
import { type ApiServer, createApiServer } from "../api/create-api-server.ts";
import type { Authenticator } from "../auth/authenticator.ts";
import { openRepositories } from "../git/open-repositories.ts";
import { createHistory } from "../history/create-history.ts";
import { isAlive, startHeartbeat } from "../history/heartbeat.ts";
import { listen, type RequestHandler } from "../listen.ts";
import { type Log, toErrorFields } from "../operations/logging.ts";
import { createMetrics } from "../operations/metrics.ts";
import { openTelemetry } from "../operations/telemetry.ts";
import { type Bootstrap, bootstrap } from "../organizations/bootstrap.ts";
import { openOrganizationServices } from "../organizations/organization-services.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";
import { createPublisher } from "../publish/create-publisher.ts";
import { createArtifactStore } from "../versions/create-artifact-store.ts";
import { recoverOperations } from "../versions/recover-operations.ts";
import { assembleRoutes } from "./assemble-routes.ts";
import { forgetAskedWork } from "./forget-asked-work.ts";
import { observePublisher } from "./observe.ts";
import { openPlatformParts, type PlatformPlace } from "./open-platform-parts.ts";
import { openWorkshop, type PlatformRole } from "./open-workshop.ts";
import { releaseMemory } from "./release-memory.ts";

/** What a platform is started with. */
export interface PlatformOptions extends PlatformPlace {
  readonly role: PlatformRole;
  /** 0 for any free port. */
  readonly port: number;
  readonly hostname: string;
  readonly version: string;
  readonly log?: Log;
  /** Answers everything that is not the API's. */
  readonly beside?: RequestHandler;
  /** How long what is under way may take once the platform is to stop; 10 seconds. */
  readonly graceMs?: number;
}

/** A platform that serves. */
export interface Platform {
  /** Without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** How to get in; nothing for workers. */
  readonly bootstrap: Bootstrap | undefined;
  /** Why tools can't be run here, once that has been found out. */
  readonly trouble: Promise<string | undefined>;
  /** Lets what is under way end, then stops. */
  close(): Promise<void>;
}

const defaultGraceMs = 10_000;
const tidyMs = 60_000;
// By then the first sandboxes are there.
const settleMs = 2_000;

/** Starts serving an organization's tools, or working for those who do. */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const { role, log, graceMs = defaultGraceMs } = options;
  if (role !== "all" && options.database === undefined) {
    throw new Error(
      `--role ${role} shares its work over PostgreSQL: add --database postgres://user@host/name`,
    );
  }
  const parts = await openPlatformParts(options);
  const directory = resolve(options.directory);
  const closing: (() => Promise<unknown>)[] = [() => parts.store.close()];
  const close = async (): Promise<void> => {
    for (const step of closing.splice(0).toReversed()) {
      await step().catch((error) => log?.error(toErrorFields(error), "Could not stop tidily."));
    }
  };
  try {
    const heartbeat = await startHeartbeat(parts, role);
    closing.push(() => heartbeat.stop());
    const metrics = createMetrics();
    const telemetry = await openTelemetry(options.environment, { ...options, metrics });
    closing.push(async () => telemetry?.close());
    const observers = { metrics, trace: telemetry?.trace };
    const artifacts = createArtifactStore(parts);
    const history = createHistory(parts);
    const closeHistory = once(() => history.close());
    closing.push(closeHistory);
    const workshop = await openWorkshop(parts, role, { directory, artifacts, ...observers });
    const closeWorkshop = once((restMs) => workshop.close(restMs));
    closing.push(() => closeWorkshop(graceMs));
    const trouble = workshop.ready().then(
      () => undefined,
      (error: Error) => error.message,
    );
    void trouble.then((reason) => reason !== undefined && log?.warn({ reason }, "No sandbox."));

    const makeServer = (
      routed: Pick<Parameters<typeof createApiServer>[0], "routes" | "authenticator">,
    ): Promise<ApiServer> =>
      createApiServer({
        ...routed,
        settings: parts.settings,
        version: options.version,
        health: { ready: () => findHealth(parts, trouble) },
        metrics,
        telemetry,
        log,
        metricsToken: options.environment.HAFT_METRICS_TOKEN,
        graceMs,
      });

    const api =
      role === "worker" ? await makeServer({ routes: [], authenticator: nobody }) : await openApi();
    closing.push(() => api.close());

    async function openApi(): Promise<ApiServer> {
      const repositories = await openRepositories(parts, {
        directory: join(directory, "repositories"),
      });
      closing.push(() => repositories.close());
      const { builder } = workshop;
      const publisher = observePublisher(
        createPublisher({ ...parts, repositories, builder, artifacts }),
        observers,
      );
      const tidy = async (): Promise<void> => {
        await forgetAskedWork(parts);
        await history.tidy();
        await recoverOperations(parts, (owner) => isAlive(parts, owner));
      };
      await tidy();
      await publisher.recover();
      const timer = setInterval(() => {
        tidy().catch((error) => log?.warn(toErrorFields(error), "Could not tidy up."));
      }, tidyMs).unref();
      closing.push(async () => clearInterval(timer));
      const organizations = await openOrganizationServices(parts);
      const made = { organizations, repositories, publisher, artifacts, history, workshop };
      const routes = assembleRoutes(parts, made);
      return makeServer({ routes, authenticator: organizations.authenticator });
    }

    const listening = await listen(dispatch(api.handle, options.beside), options);
    closing.push(() => listening.close());
    closing.push(async () => {
      const endsAt = performance.now() + graceMs;
      await api.drain();
      // What still runs fails now. That is recorded, and told to who asked while they are connected.
      await closeWorkshop(Math.max(0, endsAt - performance.now()));
      await turn();
      await closeHistory();
      await turn();
    });
    const { url, port } = listening;
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

const ownPaths = new Set(["/healthz", "/readyz", "/metrics", "/openapi.json"]);

/** The API's own paths go to it, everything else to who serves beside it. */
function dispatch(api: RequestHandler, beside: RequestHandler | undefined): RequestHandler {
  if (beside === undefined) return api;
  return (request, response) => {
    const { url = "/" } = request;
    const isOwn = url.startsWith("/v1/") || ownPaths.has(url.split("?", 1)[0] as string);
    (isOwn ? api : beside)(request, response);
  };
}

async function findHealth(
  { store }: PlatformParts,
  trouble: Promise<string | undefined>,
): Promise<{ readonly ok: boolean; readonly checks: Readonly<Record<string, string>> }> {
  const checks = {
    store: await sql`select 1`.execute(store.db).then(
      () => "ok",
      (error: Error) => error.message,
    ),
    runner: (await trouble) ?? "ok",
  };
  return { ok: Object.values(checks).every((check) => check === "ok"), checks };
}

/** Workers have nothing to say but how they are. */
const nobody: Authenticator = {
  authenticate: () => {
    throw new Problem(401, "A worker answers nobody.");
  },
};
