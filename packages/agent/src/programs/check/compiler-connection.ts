import type { DiskComputer } from "@haft/computer";
import { isPlainObject } from "@haft/contract/internal";
import { createFrameReader, toFrame } from "../../lsp/client/message-frames.ts";
import type { Compiler } from "./find-compiler.ts";

/** A compiler that runs as a language server. */
export interface CompilerConnection {
  /** Sends a request. Rejects if the compiler ends before it answers. */
  request(method: string, params: object): Promise<unknown>;
  notify(method: string, params: object): void;
  /** Resolves when the compiler has ended. Never rejects. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

const megabyte = 1024 * 1024;
// Address space that the compiler maps at its start, and what it can use beyond that.
const ownMb = 1_280;
const memoryMb = 512;

/** Starts the compiler in a sandbox that has the compiler's own files and `directory`. */
export async function connectCompiler(
  computer: Pick<DiskComputer, "startProgram">,
  compiler: Compiler,
  directory: string,
): Promise<CompilerConnection> {
  const open = new Map<number, PromiseWithResolvers<unknown>>();
  let lastRequest = 0;
  let isEnded = false;
  const takeBytes = createFrameReader({
    message: (body) => take(JSON.parse(body)),
    noise: () => {},
  });
  const started = await computer.startProgram({
    argv: [compiler.path, "--lsp", "--stdio"],
    cwd: directory,
    environment: { GOMEMLIMIT: `${memoryMb / 2}MiB` },
    reads: [compiler.directory, directory],
    writes: [],
    limits: { processes: 64, memoryBytes: (ownMb + memoryMb) * megabyte, fileBytes: megabyte },
    isUntrusted: true,
    onOutput: (bytes) => {
      takeBytes(bytes);
      return undefined;
    },
    onErrors: () => undefined,
  });
  const ended = started.ended.then(() => {
    isEnded = true;
    for (const { reject } of open.values()) reject(new Error(endedEarly));
    open.clear();
  });
  const send = (message: object): void => {
    // Requests are rejected when the process ends.
    void started.write(toFrame({ jsonrpc: "2.0", ...message })).catch(() => {});
  };
  const take = (message: unknown): void => {
    if (!isPlainObject(message)) return;
    const { id, method, result, error } = message;
    if (method !== undefined) {
      // It asks for settings and registers what it wants to be told.
      if (id !== undefined) send({ id, result: null });
      return;
    }
    const answer = open.get(id as number);
    open.delete(id as number);
    if (error === undefined) answer?.resolve(result);
    else answer?.reject(new Error("the compiler refused the request"));
  };
  return {
    ended,
    stop: () => started.stop(),
    notify: (method, params) => send({ method, params }),
    request: async (method, params) => {
      if (isEnded) throw new Error(endedEarly);
      const answer = Promise.withResolvers<unknown>();
      lastRequest += 1;
      open.set(lastRequest, answer);
      started.keepAlive(true);
      send({ id: lastRequest, method, params });
      try {
        return await answer.promise;
      } finally {
        if (open.size === 0) started.keepAlive(false);
      }
    },
  };
}

const endedEarly = "the compiler ended";
