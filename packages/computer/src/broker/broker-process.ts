import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Socket } from "node:net";
import { ToolError } from "@haft/contract";
import type { BrokerStart } from "../sandbox/sandbox.ts";
import { besideFile } from "./beside-file.ts";
import type { BrokerReply, BrokerRequest } from "./messages.ts";
import { ownEnvironment } from "./own-environment.ts";
import { readLines } from "./read-lines.ts";

/** A broker process. It keeps its parent alive only while something is awaited of it. */
export interface BrokerProcess {
  send(request: BrokerRequest): void;
  keepAlive(isNeeded: boolean): void;
  /** Ends everything it started, and itself. */
  close(): void;
  kill(): void;
}

/** Callbacks for events of the broker. */
export interface BrokerEvents {
  onReply(reply: BrokerReply): void;
  /** Called once, when it is gone, with the reason. */
  onEnd(reason: string): void;
}

const maxComplaintLength = 2_000;

/** Starts a broker. */
export function startBrokerProcess(
  { prefix }: Pick<BrokerStart, "prefix">,
  { onReply, onEnd }: BrokerEvents,
): BrokerProcess {
  const [program = process.execPath, ...args] = [...prefix, process.execPath, findScript()];
  const child = spawn(program, args, {
    env: ownEnvironment(),
    cwd: "/",
    // Not in our session: Ctrl+C in the terminal must leave it time to clean up.
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const streams = [child.stdin, child.stdout, child.stderr] as unknown as Socket[];
  keepAlive(child, streams, false);
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-maxComplaintLength);
  });
  // A failure to send shows up as the end of the process.
  child.stdin.on("error", () => {});
  readLines(child.stdout, onReply);
  let isGone = false;
  const end = (how: string): void => {
    if (isGone) return;
    isGone = true;
    for (const stream of streams) stream.destroy();
    onEnd(complaint.trim() === "" ? how : `${how}: ${complaint.trim()}`);
  };
  child.once("error", (error) => end(error.message));
  child.once("exit", (code, signal) => end(signal === null ? `exit code ${code}` : signal));
  return {
    send: (request) => void child.stdin.write(`${JSON.stringify(request)}\n`),
    keepAlive: (isNeeded) => keepAlive(child, streams, isNeeded),
    close: () => void child.stdin.end(),
    kill: () => void child.kill("SIGKILL"),
  };
}

function findScript(): string {
  const script = besideFile(import.meta.url, "broker-host");
  if (existsSync(script)) return script;
  throw new ToolError(
    "unavailable",
    `Programs can't be started: ${script} is missing. Reinstall Haft.`,
  );
}

function keepAlive(child: ChildProcess, streams: readonly Socket[], isNeeded: boolean): void {
  for (const handle of [child, ...streams]) {
    if (isNeeded) handle.ref();
    else handle.unref();
  }
}
