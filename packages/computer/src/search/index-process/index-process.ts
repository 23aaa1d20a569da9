import { type ChildProcess, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { besideFile } from "../../broker/beside-file.ts";
import type { IndexReply, IndexRequest } from "./messages.ts";

/** A process that keeps indexes. It keeps its parent alive only while it owes an answer. */
export interface IndexProcess {
  send(request: IndexRequest): void;
  /** Whether an answer is awaited. */
  keepAlive(isNeeded: boolean): void;
  kill(): void;
}

/** Callbacks for events of the process. */
export interface IndexProcessEvents {
  onReply(reply: IndexReply): void;
  /** Called once, when it is gone for any reason. */
  onEnd(): void;
}

/** Starts the process; `undefined` if its script is missing. */
export function startIndexProcess(
  { onReply, onEnd }: IndexProcessEvents,
  execArgv: readonly string[] = [],
): IndexProcess | undefined {
  const script = findScript();
  if (script === undefined) return undefined;
  const child = fork(script, [], {
    execArgv: [...execArgv],
    // The only part of the environment that it needs.
    env: pick(process.env, ["HOME", "XDG_CONFIG_HOME", "NODE_COMPILE_CACHE"]),
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    cwd: "/",
  });
  keepAlive(child, false);
  child.on("message", (reply: IndexReply) => onReply(reply));
  // Either event may come, or both.
  let isGone = false;
  const end = (): void => {
    if (!isGone) onEnd();
    isGone = true;
  };
  child.on("error", end).on("exit", end).on("disconnect", end);
  return {
    send: (request) => {
      // A failure to send shows up as the end of the process.
      if (child.connected) child.send(request, () => {});
    },
    keepAlive: (isNeeded) => keepAlive(child, isNeeded),
    kill: () => child.kill("SIGKILL"),
  };
}

function findScript(): string | undefined {
  const script = besideFile(import.meta.url, "index-host");
  return existsSync(script) ? script : undefined;
}

function keepAlive(child: ChildProcess, isNeeded: boolean): void {
  if (isNeeded) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}

function pick(environment: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.map((name) => [name, environment[name]]));
}
