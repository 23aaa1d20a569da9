import type { Health } from "../api/operations-routes.ts";
import { Problem } from "../problem.ts";
import type { ExecutionBackend } from "./execution-backend.ts";
import type { WriteGate } from "./write-gate.ts";

/** Checks everything that running tools needs. A recent successful write is not repeated. */
export async function findHealth({
  gate,
  trouble,
  backend,
}: {
  readonly gate: WriteGate;
  readonly trouble: Promise<string | undefined>;
  readonly backend: ExecutionBackend;
}): Promise<Awaited<ReturnType<Health["ready"]>>> {
  const checks: Record<string, string> = { runner: (await trouble) ?? "ok" };
  const reasons: Record<string, string> = {};
  const needs = { store: gate.check, workers: backend.requireWorkers };
  for (const [name, require] of Object.entries(needs)) {
    if (require === undefined) continue;
    checks[name] = "ok";
    await require().catch((error: Error) => {
      checks[name] = error.message;
      if (error instanceof Problem) reasons[name] = error.message;
    });
  }
  const ok = Object.values(checks).every((check) => check === "ok");
  return { ok, checks, ...(!ok && { reasons }) };
}
