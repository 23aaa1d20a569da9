import { randomBytes, timingSafeEqual } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ToolError } from "@haft/contract";
import { readLines } from "../../broker/read-lines.ts";
import { identifyProcess } from "../../locks/process-identity.ts";
import { createJobBook, type JobBook } from "./job-book.ts";
import type { KeeperReply, KeeperRequest } from "./job-messages.ts";
import { readKeeperFile, removeKeeperFile, toEndedJobs, writeKeeperFile } from "./keeper-file.ts";

const idleMs = 10 * 60_000;
const checkMs = 15_000;

/**
 * Keeps the jobs of the session in this directory and answers whoever knows the token, until the
 * session is closed, or the last job has ended and nobody asks any more.
 */
export function serveKeeper(directory: string): void {
  const token = randomBytes(32).toString("hex");
  const socket = findSocket(directory);
  const earlier = readKeeperFile(directory);
  const owner = identifyProcess();
  let lastAskedAt = performance.now();
  const book = createJobBook({
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
    await book.close();
    leave();
  };

  const server = createServer((connection) => {
    connection.on("error", () => {});
    readLines<KeeperRequest & { token: string }>(connection, (request) => {
      if (!isSame(request.token, token)) {
        connection.destroy();
        return;
      }
      lastAskedAt = performance.now();
      void answer(request, book).then((reply) => {
        connection.end(`${JSON.stringify(reply)}\n`);
        if (request.type === "close") setImmediate(leave);
      });
    });
  });
  server.listen(socket, async () => {
    writeKeeperFile(directory, { version: 1, owner, socket, token, jobs: await book.list() });
    process.stdout.write("ready\n");
  });
  setInterval(async () => {
    // The session's directory may have been removed, or another keeper have taken over.
    if (!isOurs()) await close();
    const isBusy = (await book.list()).some(({ state }) => state === "running");
    if (isBusy) lastAskedAt = performance.now();
    else if (performance.now() - lastAskedAt > idleMs) leave();
  }, checkMs);
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.on(signal, () => void close());
  }
}

async function answer(request: KeeperRequest, book: JobBook): Promise<KeeperReply> {
  try {
    return { type: "answer", answer: await perform(request, book) };
  } catch (error) {
    const code = ToolError.isInstance(error) ? error.code : "internal";
    return { type: "error", code, message: (error as Error).message };
  }
}

function perform(request: KeeperRequest, book: JobBook): Promise<unknown> {
  switch (request.type) {
    case "start":
      return book.start(request.order);
    case "list":
      return book.list();
    case "output":
      return book.output(request.id, request.since);
    case "stop":
      return book.stop(request.id);
    case "network":
      return book.network();
    case "close":
      return book.close().then(() => true);
  }
}

function isSame(given: unknown, token: string): boolean {
  const bytes = Buffer.from(String(given));
  const wanted = Buffer.from(token);
  return bytes.length === wanted.length && timingSafeEqual(bytes, wanted);
}

// The name of a socket has a hundred characters at most.
function findSocket(directory: string): string {
  const usual = join(directory, "jobs.sock");
  if (Buffer.byteLength(usual) < 100) {
    rmSync(usual, { force: true });
    return usual;
  }
  return join(mkdtempSync(join(tmpdir(), "haft-jobs-")), "s");
}
