import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { type Desk, haftProgram } from "./desk.ts";

/** Serves the project over HTTP with the built program, until the test ends. */
export async function serveHttp(desk: Desk): Promise<{ url: string; token: string }> {
  const args = [haftProgram, "mcp", "--http", "--port", "0", "--yes"];
  const child = spawn(process.execPath, args, {
    cwd: desk.workspace,
    env: desk.environment,
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    const closed = once(child, "close");
    child.kill();
    await closed;
  });
  let url: string | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    url ??= /^ +MCP +(\S+)$/u.exec(line)?.[1];
    const token = /^ +Token +(\S+)$/u.exec(line)?.[1];
    if (url !== undefined && token !== undefined) return { url, token };
  }
  throw new Error("haft mcp --http ended before it listened.");
}
