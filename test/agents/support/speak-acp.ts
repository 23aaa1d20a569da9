import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import type { Place } from "./open-place.ts";
import type { Update, WireMessage } from "./run-acpx.ts";
import { haftCommand } from "./start-haft.ts";

/** A client that says exactly what it is told to. */
export interface AcpTalk {
  ask(method: string, params: object): Promise<Readonly<Record<string, unknown>>>;
  /** What it was told of sessions so far. */
  readonly updates: readonly Update[];
  /** Ends the input, and gives the exit code. */
  end(): Promise<number | null>;
}

/** Starts `haft acp` in a place. */
export function speakAcp(place: Place): AcpTalk {
  const { workspace, environment, modelOptions } = place;
  const [command, ...before] = haftCommand;
  const child = spawn(command, [...before, "acp", ...modelOptions()], {
    cwd: workspace,
    env: environment,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "close").then(([code]) => code as number | null);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const waiting = new Map<unknown, (message: WireMessage & { error?: unknown }) => void>();
  const updates: Update[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line) as WireMessage;
    if (message.params?.update !== undefined) updates.push(message.params.update);
    if (message.method === undefined) waiting.get(message.id)?.(message);
  });
  let asked = 0;
  const ask: AcpTalk["ask"] = async (method, params) => {
    const id = ++asked;
    const answered = new Promise<WireMessage & { error?: unknown }>((resolve) => {
      waiting.set(id, resolve);
    });
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    const { result, error } = await answered;
    if (result === undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  };
  return {
    ask,
    updates,
    end: () => {
      child.stdin.end();
      return ended;
    },
  };
}
