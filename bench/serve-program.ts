import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../packages/cli/bin/haft.js", import.meta.url));

/** `haft serve` in a process of its own. */
export interface ServedProgram {
  readonly pid: number;
  readonly startedMs: number;
  /** Asks the API, below the organization's path. */
  ask(path: string, body?: unknown): Promise<unknown>;
  stop(): Promise<void>;
}

/** Starts the built program on a data directory, and waits until it can do everything. */
export async function serveProgram(data: string): Promise<ServedProgram> {
  const started = performance.now();
  const child = spawn(process.execPath, [program, "serve", "--port", "0", "--data", data], {
    stdio: ["ignore", "pipe", "ignore"],
    cwd: data,
  });
  await once(child.stdout, "data");
  const { url, organization, api_key } = JSON.parse(
    readFileSync(join(data, "credentials.json"), "utf8"),
  );
  while (!(await fetch(`${url}/readyz`)).ok) await wait(5);
  const startedMs = performance.now() - started;
  const headers = { authorization: `Bearer ${api_key}`, "content-type": "application/json" };
  return {
    pid: child.pid as number,
    startedMs,
    ask: async (path, body) => {
      const answer = await fetch(`${url}/v1/${organization}${path}`, {
        headers,
        ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
      return answer.json();
    },
    stop: async () => {
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}

/** Runs another command of the program on a data directory. */
export async function runHaft(data: string, cwd: string, words: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [program, ...words, "--data", data], {
    cwd,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`haft ${words.join(" ")} exited with ${code}.`);
}
