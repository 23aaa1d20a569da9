import { dirname } from "node:path";
import type { ProgramStart, StartedProgram } from "@haft/computer";
import { type Isolation, ToolError } from "@haft/contract";
import { createLineReader } from "./line-reader.ts";

/** Starts programs in the sandbox, as a computer does. */
export type StartProgram = (start: ProgramStart) => Promise<StartedProgram>;

/** What a bridge is started with. */
export interface BridgeStart {
  readonly startProgram: StartProgram;
  readonly python: string;
  readonly script: string;
  /** The module's. */
  readonly directory: string;
  /** Where Python looks for what is imported. */
  readonly importFrom: readonly string[];
  readonly hosts: readonly string[];
}

/** A process that runs a module in Python, and answers. */
export interface Bridge {
  readonly isolation: Isolation;
  readonly isRunning: boolean;
  /** Why it is not confined, where it should have been. */
  readonly warning: string | undefined;
  /** Asks for something; if the signal fires, the process is told, and is ended if it does not listen. */
  request(method: string, params: object, signal?: AbortSignal): Promise<unknown>;
  /** Lets the module clean up and ends the process. */
  close(): Promise<void>;
  /** Ends the process at once. */
  stop(): Promise<void>;
}

/** The module raised an exception. */
export class RaisedInPython extends Error {
  readonly type: string;

  constructor(type: string, message: string) {
    super(`${type}: ${message}`);
    this.type = type;
  }
}

const keptErrors = 4_000;
const cancelGraceMs = 800;
const closeGraceMs = 5_000;

/** Starts the process; nothing is mounted yet. */
export async function startBridge(start: BridgeStart): Promise<Bridge> {
  const pending = new Map<number, (answer: Answer | Error) => void>();
  let errors = "";
  let last = 0;
  let isRunning = true;
  let program: StartedProgram | undefined;
  // From now on it counts as gone: the next call is for another process.
  const end = (): void => {
    isRunning = false;
    void program?.stop();
  };
  const note = (text: string): void => {
    errors = (errors + text).slice(-keptErrors);
  };
  const readLines = createLineReader((line) => {
    const answer = parseAnswer(line);
    if (answer === undefined) note(`${line}\n`);
    else pending.get(answer.id)?.(answer);
  });
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
      try {
        readLines(bytes);
      } catch (error) {
        note(`\n${(error as Error).message}`);
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
    const said = errors.trim() === "" ? "" : ` Its last words: ${errors.trim()}`;
    const gone = new ToolError("unavailable", `The module's process has ended ${how}.${said}`);
    for (const settle of [...pending.values()]) settle(gone);
  });

  const send = (message: object): void => {
    // If it can't take any more it has ended, and everybody who waits will hear of that.
    started.write(`${JSON.stringify(message)}\n`).catch(() => {});
  };

  const request = (method: string, params: object, signal?: AbortSignal): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = ++last;
      let grace: NodeJS.Timeout | undefined;
      const cancel = (): void => {
        send({ method: "cancel", params: { id } });
        // Python can't be interrupted while it computes.
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

// What starts Python may print before the script does; that is no answer.
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
