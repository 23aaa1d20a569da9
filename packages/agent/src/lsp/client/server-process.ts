import type { DiskComputer, StartedProgram } from "@haft/computer";
import {
  createMessageConnection,
  Emitter,
  type Message,
  type MessageConnection,
  type MessageReader,
  type MessageWriter,
  type PartialMessageInfo,
} from "vscode-jsonrpc/node";
import type { FoundServer } from "../find/find-server.ts";
import { createFrameReader, toFrame } from "./message-frames.ts";

/** The process of a server and the connection to it. */
export interface ServerProcess {
  readonly connection: MessageConnection;
  readonly isRunning: boolean;
  /** Whether it was told to exit. If not, its exit is a failure. */
  readonly isToEnd: boolean;
  /** Marks the exit as expected. */
  expectEnd(): void;
  /** Calls the listener for every message that it sends, until the returned function is called. */
  followMessages(listener: () => void): () => void;
  /** Resolves with how it ended and what it printed first and last. */
  readonly ended: Promise<string>;
  keepAlive(isNeeded: boolean): void;
  stop(): Promise<void>;
}

const keptWords = 2_000;
const maxFirstWords = 500;

/** Starts a server. It can read the workspace and its repository, but has no write or network access. */
export async function startServerProcess(
  computer: Pick<DiskComputer, "startProgram">,
  { program, root, reads, hides }: FoundServer,
  searchPath: string | undefined,
): Promise<ServerProcess> {
  let first = "";
  let words = "";
  let isRunning = true;
  let isToEnd = false;
  let started: StartedProgram | undefined;
  const note = (text: string): void => {
    first = (first + text).slice(0, maxFirstWords);
    words = (words + text).slice(-keptWords);
  };
  const heard = new Emitter<Message>();
  const takeBytes = createFrameReader({
    message: (body) => {
      const message = parseMessage(body);
      if (message === undefined) note(`${body}\n`);
      else heard.fire(message);
    },
    noise: note,
  });
  started = await computer.startProgram({
    argv: [program.path, ...program.args],
    cwd: root,
    reads,
    hides,
    writes: [],
    // A server runs code of the project, or can be configured to.
    isUntrusted: true,
    environment: { ...(searchPath !== undefined && { PATH: searchPath }), ...program.environment },
    onOutput: (bytes) => {
      takeBytes(bytes);
      return undefined;
    },
    onErrors: (bytes) => {
      note(Buffer.from(bytes).toString("utf8"));
      return undefined;
    },
  });
  const connection = createMessageConnection(
    createReader(heard),
    createWriter(started),
    { error: note, warn: note, info: () => {}, log: () => {} },
    { cancelUndispatched: () => undefined },
  );
  const ended = started.ended.then(({ exitCode, signal, notes }) => {
    isRunning = false;
    connection.dispose();
    const how = signal === undefined ? `with code ${exitCode ?? "unknown"}` : `by ${signal}`;
    return [`It ended ${how}.`, ...notes, quote(first, words)].filter(Boolean).join(" ");
  });
  return {
    connection,
    get isRunning() {
      return isRunning;
    },
    get isToEnd() {
      return isToEnd;
    },
    expectEnd: () => {
      isToEnd ||= isRunning;
    },
    followMessages: (listener) => {
      const { dispose } = heard.event(listener);
      return dispose;
    },
    ended,
    keepAlive: (isNeeded) => started?.keepAlive(isNeeded),
    stop: async () => {
      isToEnd ||= isRunning;
      isRunning = false;
      await started?.stop();
    },
  };
}

// The first line names the problem where the last ones are a stack trace.
function quote(first: string, words: string): string {
  const [opening] = toLines(first);
  if (opening === undefined) return "";
  const last = toLines(words).slice(-8);
  const shown = last.includes(opening) ? last : [opening, "…", ...last];
  return `Its output: ${shown.join("\n")}`;
}

function toLines(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function parseMessage(body: string): Message | undefined {
  try {
    const message = JSON.parse(body) as Message | null;
    return typeof message === "object" && message !== null ? message : undefined;
  } catch {
    return undefined;
  }
}

function createReader(heard: Emitter<Message>): MessageReader {
  return {
    onError: new Emitter<Error>().event,
    onClose: new Emitter<void>().event,
    onPartialMessage: new Emitter<PartialMessageInfo>().event,
    listen: (callback) => heard.event(callback),
    dispose: () => heard.dispose(),
  };
}

function createWriter(program: StartedProgram): MessageWriter {
  const failed = new Emitter<[Error, Message | undefined, number | undefined]>();
  return {
    onError: failed.event,
    onClose: new Emitter<void>().event,
    write: async (message) => {
      // Pending requests are rejected when the process ends.
      await program.write(toFrame(message)).catch(() => {});
    },
    end: () => program.endInput(),
    dispose: () => failed.dispose(),
  };
}
