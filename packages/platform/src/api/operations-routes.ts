import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Metrics } from "../operations/metrics.ts";
import { Problem } from "../problem.ts";
import type { ServedAt } from "./allowed-methods.ts";

/** What those who look after a server can ask. */
export interface OperationsParts {
  readonly version: string;
  readonly health: Health;
  readonly metrics?: Metrics | undefined;
  /** Who brings it as bearer may read the metrics from elsewhere than this machine. */
  readonly metricsToken?: string | undefined;
  isDraining(): boolean;
}

export interface Health {
  /** A check that is well says `ok`; what another says is for the log, not for callers. */
  ready(): Promise<{ readonly ok: boolean; readonly checks: Readonly<Record<string, string>> }>;
}

export const operationsServed: readonly ServedAt[] = [
  { url: "/healthz", methods: ["GET", "HEAD"] },
  { url: "/readyz", methods: ["GET", "HEAD"] },
  { url: "/metrics", methods: ["GET"] },
  { url: "/openapi.json", methods: ["GET"] },
];

const patienceMs = 5_000;

/** Puts health, readiness, metrics and the API's own description on a server. */
export function registerOperations(server: FastifyInstance, parts: OperationsParts): void {
  const ready = createReadiness(parts);
  server.route({
    method: ["GET", "HEAD"],
    url: "/healthz",
    handler: (_request, reply) => reply.send({ status: "ok", version: parts.version }),
  });
  server.route({
    method: ["GET", "HEAD"],
    url: "/readyz",
    handler: async (_request, reply) => {
      const { ok, checks } = await ready();
      return reply.code(ok ? 200 : 503).send({ status: ok ? "ok" : "unavailable", checks });
    },
  });
  server.get("/metrics", async (request, reply) => {
    const { metrics } = parts;
    if (metrics === undefined) throw new Problem(404, "This server keeps no metrics.");
    requireObserver(request, parts.metricsToken);
    return reply.type(metrics.contentType).send(await metrics.text());
  });
  // Open to everybody: it describes the program and nothing that anybody keeps in it, and the tools
  // that make clients from it bring no credential.
  let description: string | undefined;
  server.get("/openapi.json", (_request, reply) => {
    description ??= JSON.stringify(server.swagger());
    return reply.type("application/json; charset=utf-8").send(description);
  });
}

/** Asks once for all who ask at the same time, and does not wait for ever. */
function createReadiness({ health, isDraining }: OperationsParts): () => Promise<Readiness> {
  let asking: Promise<Readiness> | undefined;
  return () => {
    if (isDraining()) return Promise.resolve({ ok: false, checks: { server: "stopping" } });
    asking ??= ask(health).finally(() => {
      asking = undefined;
    });
    return asking;
  };
}

interface Readiness {
  readonly ok: boolean;
  readonly checks: Readonly<Record<string, string>>;
}

async function ask(health: Health): Promise<Readiness> {
  const late = Promise.withResolvers<never>();
  const patience = setTimeout(() => late.reject(new Error("too late")), patienceMs);
  try {
    const { ok, checks } = await Promise.race([health.ready(), late.promise]);
    const shown = Object.entries(checks).map(([name, said]) => [
      name,
      said === "ok" ? "ok" : "failed",
    ]);
    return { ok, checks: Object.fromEntries(shown) };
  } catch {
    return { ok: false, checks: { server: "failed" } };
  } finally {
    clearTimeout(patience);
  }
}

/** Metrics are for whoever runs the server: on its own machine, or with the token. */
function requireObserver(request: FastifyRequest, token: string | undefined): void {
  const { headers } = request;
  // Behind a proxy on this machine everybody seems to come from it.
  const proxied = headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined;
  if (!proxied && isLoopback(request.socket.remoteAddress ?? "")) return;
  if (token !== undefined && isSame(headers.authorization ?? "", `Bearer ${token}`)) return;
  throw new Problem(
    401,
    "Metrics are read on the server's own machine, or with the token in HAFT_METRICS_TOKEN as bearer.",
    { "www-authenticate": "Bearer" },
  );
}

function isLoopback(address: string): boolean {
  return /^(?:::ffff:)?127\.|^::1$/u.test(address);
}

function isSame(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
