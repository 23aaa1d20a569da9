import { openTraceExport } from "@haft/computer/internal";
import type { Io } from "./io.ts";
import { version } from "./version.ts";

// How long a collector may stay silent. It delays the end of a command by no more than this. Shorter than
// the exporter's first pause between attempts, so that a command never waits for another attempt.
const exportTimeoutMs = 750;

/** Runs a command whose spans go to the collector that the environment names, if it names one. */
export async function withTracing(io: Io, run: (io: Io) => Promise<number>): Promise<number> {
  let opening: ReturnType<typeof openTraceExport> | undefined;
  const tracing: Io["tracing"] = async () => {
    opening ??= openTraceExport(io.environment, {
      version,
      timeoutMs: exportTimeoutMs,
      warn: (message) => io.error(`haft: ${message}\n`),
    });
    return (await opening)?.tracing;
  };
  try {
    return await run({ ...io, tracing });
  } finally {
    await (await opening)?.close();
  }
}
