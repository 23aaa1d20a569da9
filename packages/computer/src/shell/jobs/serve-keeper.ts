import { randomBytes, timingSafeEqual } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ToolError } from "@haft/contract";
import { readLines } from "../../broker/read-lines.ts";
import { identifyProcess } from "../../locks/process-identity.ts";
import type { KeeperReply, KeeperRequest } from "./job-messages.ts";
import { createJobTable, type JobTable } from "./job-table.ts";
import { readKeeperFile, removeKeeperFile, toEndedJobs, writeKeeperFile } from "./keeper-file.ts";

const idleMs = 10 * 60_000;
const checkMs = 15_000;

/**
 * Keeps the jobs of the session in this directory and serves clients that know the token, until the
 * session is closed, or the last job has ended and no client is left.
 */
export function serveKeeper(directory: string): void {
  const token = randomBytes(32).toString("hex");
  const socket = findSocket(directory);
  const earlier = readKeeperFile(directory);
  const owner = identifyProcess();
  let lastAskedAt = performance.now();
  const table = createJobTable({
    ended: earlier === undefined ? [] : toEndedJobs(earlier),
    onChange: (jobs) => writeKeeperFile(directory, { version: 1, owner, socket, token, jobs }),
  });

  const leave = (): void => {
    rmSync(socket, { force: true });
    if (!socket.startsWith(directory)) rmSync(dirname(socket), { recursive: true, force: true });
    if (isOurs()) removeKeeperFile(directory);
    process.exit();
  };
  const isOurs = (): boolean => readKeeperFile(directory)?.token === token;
  const close = async (): Promise<void> => {
    await table.close();
    leave();
  };

  const server = createServer((connection) => {
    const gone = new AbortController();
    connection.on("error", () => {});
    connection.on("close", () => gone.abort());
    readLines<KeeperRequest & { token: string }>(connection, (request) => {
      if (!isSame(request.token, token)) {
        connection.destroy();
        return;
      }
      lastAskedAt = performance.now();
      void answer(request, table, gone.signal).then((reply) => {
        connection.end(`${JSON.stringify(reply)}\n`);
        if (request.type === "close") setImmediate(leave);
      });
    });
  });
  server.listen(socket, async () => {
    writeKeeperFile(directory, { version: 1, owner, socket, token, jobs: await table.list() });
    process.stdout.write("ready\n");
  });
  setInterval(async () => {
    // The session's directory may have been removed, or another keeper may have taken over.
    if (!isOurs()) await close();
    const isBusy = (await table.list()).some(({ state }) => state === "running");
    if (isBusy) lastAskedAt = performance.now();
    else if (performance.now() - lastAskedAt > idleMs) leave();
  }, checkMs);
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.on(signal, () => void close());
  }
}

async function answer(
  request: KeeperRequest,
  table: JobTable,
  signal: AbortSignal,
): Promise<KeeperReply> {
  try {
    return { type: "answer", answer: await perform(request, table, signal) };
  } catch (error) {
    const code = ToolError.isInstance(error) ? error.code : "internal";
    return { type: "error", code, message: (error as Error).message };
  }
}

function perform(request: KeeperRequest, table: JobTable, signal: AbortSignal): Promise<unknown> {
  switch (request.type) {
    case "start":
      return table.start(request.order);
    case "list":
      return table.list();
    case "output":
      return table.output(request.id, request, signal);
    case "stop":
      return table.stop(request.id);
    case "network":
      return table.network();
    case "close":
      return table.close().then(() => true);
  }
}

function isSame(given: unknown, token: string): boolean {
  const bytes = Buffer.from(String(given));
  const wanted = Buffer.from(token);
  return bytes.length === wanted.length && timingSafeEqual(bytes, wanted);
}

// A socket's path has at most about 100 characters.
function findSocket(directory: string): string {
  const usual = join(directory, "jobs.sock");
  if (Buffer.byteLength(usual) < 100) {
    rmSync(usual, { force: true });
    return usual;
  }
  return join(mkdtempSync(join(tmpdir(), "haft-jobs-")), "s");
}
