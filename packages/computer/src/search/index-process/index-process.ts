import { type ChildProcess, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { IndexReply, IndexRequest } from "./messages.ts";

/** A process that keeps indexes. It does not keep its parent alive, except while it owes an answer. */
export interface IndexProcess {
  send(request: IndexRequest): void;
  /** Whether an answer is awaited. */
  keepAlive(isNeeded: boolean): void;
  kill(): void;
}

/** Who hears from the process. */
export interface IndexProcessEvents {
  onReply(reply: IndexReply): void;
  /** It is gone, whatever the reason; told once. */
  onEnd(): void;
}

/** Starts the process; `undefined` if its script is not where we are. */
export function startIndexProcess(
  { onReply, onEnd }: IndexProcessEvents,
  execArgv: readonly string[] = [],
): IndexProcess | undefined {
  const script = findScript();
  if (script === undefined) return undefined;
  const child = fork(script, [], {
    execArgv: [...execArgv],
    // Of what the environment holds, only this is of use to it.
    env: pick(process.env, ["HOME", "XDG_CONFIG_HOME", "NODE_COMPILE_CACHE"]),
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    cwd: "/",
  });
  keepAlive(child, false);
  child.on("message", (reply: IndexReply) => onReply(reply));
  // Both may come, or one.
  let isGone = false;
  const end = (): void => {
    if (!isGone) onEnd();
    isGone = true;
  };
  child.on("error", end).on("exit", end).on("disconnect", end);
  return {
    send: (request) => {
      // A failure to send shows as an end of the process.
      if (child.connected) child.send(request, () => {});
    },
    keepAlive: (isNeeded) => keepAlive(child, isNeeded),
    kill: () => child.kill("SIGKILL"),
  };
}

/** Beside this file, among the sources, in the package and in the bundle alike. */
function findScript(): string | undefined {
  const here = fileURLToPath(import.meta.url);
  const script = fileURLToPath(new URL(`./index-host${extname(here)}`, import.meta.url));
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
