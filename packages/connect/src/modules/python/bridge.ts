import { dirname } from "node:path";
import type { ProgramStart, StartedProgram } from "@haft/computer";
import { type Isolation, ToolError } from "@haft/contract";
import { createLineSplitter } from "../../line-splitter.ts";

/** Starts programs in the sandbox, as a computer does. */
export type StartProgram = (start: ProgramStart) => Promise<StartedProgram>;

/** Options of `startBridge`. */
export interface BridgeStart {
  readonly startProgram: StartProgram;
  readonly python: string;
  readonly script: string;
  /** The module's directory. */
  readonly directory: string;
  /** The directories from which Python imports. */
  readonly importFrom: readonly string[];
  readonly hosts: readonly string[];
}

/** A process that runs a Python module. */
export interface Bridge {
  readonly isolation: Isolation;
  readonly isRunning: boolean;
  /** Why it is not sandboxed although it should be. */
  readonly warning: string | undefined;
  /** Sends a request. An abort cancels it, and stops the process if it does not react. */
  request(method: string, params: object, signal?: AbortSignal): Promise<unknown>;
  /** Runs the module's cleanup and ends the process. */
  close(): Promise<void>;
  /** Stops the process immediately. */
  stop(): Promise<void>;
}

/** An exception that the module raised. */
export class RaisedInPython extends Error {
  readonly type: string;

  constructor(type: string, message: string) {
    super(`${type}: ${message}`);
    this.type = type;
  }
}

const maxLineBytes = 32 * 1024 * 1024;
const maxErrorLength = 4_000;
const cancelGraceMs = 800;
const closeGraceMs = 5_000;

/** Starts the process without mounting anything. */
export async function startBridge(start: BridgeStart): Promise<Bridge> {
  const pending = new Map<number, (answer: Answer | Error) => void>();
  let errors = "";
  let last = 0;
  let isRunning = true;
  let program: StartedProgram | undefined;
  // It counts as stopped from now on: the next call starts another process.
  const end = (): void => {
    isRunning = false;
    void program?.stop();
  };
  const note = (text: string): void => {
    errors = (errors + text).slice(-maxErrorLength);
  };
  const lines = createLineSplitter(maxLineBytes);
  const receive = (line: string): void => {
    if (line.trim() === "") return;
    const answer = parseAnswer(line);
    if (answer === undefined) note(`${line}\n`);
    else pending.get(answer.id)?.(answer);
  };
  const started = await start.startProgram({
    argv: [start.python, "-u", start.script],
    reads: [start.directory, dirname(start.script)],
    environment: {
      PYTHONPATH: start.importFrom.join(":"),
      PYTHONDONTWRITEBYTECODE: "1",
      PYTHONUNBUFFERED: "1",
      PYTHONIOENCODING: "utf-8",
    },
    hosts: start.hosts,
    onOutput: (bytes) => {
      const taken = lines.take(bytes);
      for (const line of taken ?? []) receive(line);
      if (taken === undefined) {
        note(`\nIt sent a line of more than ${maxLineBytes} bytes.`);
        end();
      }
      return undefined;
    },
    onErrors: (bytes) => {
      note(Buffer.from(bytes).toString("utf8"));
      return undefined;
    },
  });
  program = started;
  if (!isRunning) end();
  void started.ended.then(({ exitCode, signal }) => {
    isRunning = false;
    const how = signal === undefined ? `with code ${exitCode ?? "unknown"}` : `by ${signal}`;
    const said = errors.trim() === "" ? "" : ` Its last output: ${errors.trim()}`;
    const gone = new ToolError("unavailable", `The module's process ended ${how}.${said}`);
    for (const settle of [...pending.values()]) settle(gone);
  });

  const send = (message: object): void => {
    // A failed write means that the process has ended, which rejects all pending requests.
    started.write(`${JSON.stringify(message)}\n`).catch(() => {});
  };

  const request = (method: string, params: object, signal?: AbortSignal): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = ++last;
      let grace: NodeJS.Timeout | undefined;
      const cancel = (): void => {
        send({ method: "cancel", params: { id } });
        // Python code that computes can't be interrupted.
        grace = setTimeout(end, cancelGraceMs);
      };
      pending.set(id, (answer) => {
        pending.delete(id);
        clearTimeout(grace);
        signal?.removeEventListener("abort", cancel);
        if (pending.size === 0) started.keepAlive(false);
        if (answer instanceof Error) reject(answer);
        else if (answer.error !== undefined) reject(toError(answer.error));
        else resolve(answer.result);
      });
      started.keepAlive(true);
      send({ id, method, params });
      signal?.addEventListener("abort", cancel, { once: true });
      if (signal?.aborted) cancel();
    });

  return {
    isolation: started.isolation,
    warning: started.warning,
    get isRunning() {
      return isRunning;
    },
    request,
    stop: () => started.stop(),
    close: async () => {
      if (!isRunning) {
        await started.ended;
        return;
      }
      started.keepAlive(true);
      send({ method: "close" });
      const late = setTimeout(end, closeGraceMs);
      await started.ended;
      clearTimeout(late);
    },
  };
}

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string; readonly type: string };
}

// A wrapper that starts Python may print before the script does; that is not an answer.
function parseAnswer(line: string): Answer | undefined {
  try {
    return (JSON.parse(line) as Answer | null) ?? undefined;
  } catch {
    return undefined;
  }
}

function toError({ message, type }: { readonly message: string; readonly type: string }): Error {
  if (type === "cancelled" || type === "too-large") return new ToolError(type, message);
  return new RaisedInPython(type, message);
}
