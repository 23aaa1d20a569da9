import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Metrics } from "../operations/metrics.ts";
import { Problem } from "../problem.ts";
import type { ServedAt } from "./allowed-methods.ts";

/** The parts of the operational routes. */
export interface OperationsParts {
  readonly version: string;
  readonly health: Health;
  readonly metrics?: Metrics | undefined;
  /** Bearer token that allows reading /metrics from other machines. */
  readonly metricsToken?: string | undefined;
  isDraining(): boolean;
}

export interface Health {
  /** A passing check says `ok`. Other texts are for the log, not for callers. */
  ready(): Promise<Readiness>;
}

export const operationsServed: readonly ServedAt[] = [
  { url: "/healthz", methods: ["GET", "HEAD"] },
  { url: "/readyz", methods: ["GET", "HEAD"] },
  { url: "/metrics", methods: ["GET"] },
  { url: "/openapi.json", methods: ["GET"] },
];

const readyTimeoutMs = 5_000;

/** Registers health, readiness, metrics and the OpenAPI document on a server. */
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
      const { ok, ...told } = await ready();
      return reply.code(ok ? 200 : 503).send({ status: ok ? "ok" : "unavailable", ...told });
    },
  });
  server.get("/metrics", async (request, reply) => {
    const { metrics } = parts;
    if (metrics === undefined) throw new Problem(404, "This server keeps no metrics.");
    requireObserver(request, parts.metricsToken);
    return reply.type(metrics.contentType).send(await metrics.text());
  });
  // Without a credential: it describes the program and no data, and generators of clients send none.
  let description: string | undefined;
  server.get("/openapi.json", (_request, reply) => {
    description ??= JSON.stringify(server.swagger());
    return reply.type("application/json; charset=utf-8").send(description);
  });
}

/** Shares one check among concurrent requests, with a time limit. */
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
  /** By check: what is wrong and what the operator can do. Shown to anyone. */
  readonly reasons?: Readonly<Record<string, string>>;
}

async function ask(health: Health): Promise<Readiness> {
  const late = Promise.withResolvers<never>();
  const patience = setTimeout(() => late.reject(new Error("timeout")), readyTimeoutMs);
  try {
    const { ok, checks, reasons } = await Promise.race([health.ready(), late.promise]);
    const shown = Object.entries(checks).map(([name, said]) => [
      name,
      said === "ok" ? "ok" : "failed",
    ]);
    return { ok, checks: Object.fromEntries(shown), ...(reasons !== undefined && { reasons }) };
  } catch {
    return { ok: false, checks: { server: "failed" } };
  } finally {
    clearTimeout(patience);
  }
}

/** Metrics are for the operator: on the server's own machine, or with the token. */
function requireObserver(request: FastifyRequest, token: string | undefined): void {
  const { headers } = request;
  // Behind a local proxy every request seems to come from this machine.
  const proxied = headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined;
  if (!proxied && isLoopback(request.socket.remoteAddress ?? "")) return;
  if (token !== undefined && isSame(headers.authorization ?? "", `Bearer ${token}`)) return;
  throw new Problem(
    401,
    "Read metrics on the server's own machine, or send the token in HAFT_METRICS_TOKEN as bearer.",
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
