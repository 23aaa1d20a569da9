import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { ToolError } from "@haft/contract";
import { besideFile } from "../../broker/beside-file.ts";
import { ownEnvironment } from "../../broker/own-environment.ts";

/**
 * Starts the process that keeps a session's jobs after this process ends; resolves when it listens.
 * It is detached: nothing here waits for its end.
 */
export async function startKeeper(directory: string): Promise<void> {
  const child = spawn(process.execPath, [...findLoaders(), findScript(), directory], {
    // Each job brings the environment that it needs.
    env: ownEnvironment(),
    cwd: "/",
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let complaint = "";
  child.stderr.on("data", (bytes) => {
    complaint += String(bytes);
  });
  child.stdout.once("data", () => resolve());
  child.once("error", (error) => reject(noKeeper(error.message)));
  child.once("exit", () => reject(noKeeper(complaint.trim().slice(-500))));
  try {
    await promise;
  } finally {
    child.unref();
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

function findScript(): string {
  const script = besideFile(import.meta.url, "keeper-host");
  if (existsSync(script)) return script;
  throw noKeeper(`${script} is missing`);
}

// Loads our sources with the same loader flags as this process.
function findLoaders(): readonly string[] {
  const at = process.execArgv.indexOf("--import");
  return at < 0 ? [] : process.execArgv.slice(at, at + 2);
}

function noKeeper(reason: string): ToolError {
  return new ToolError("unavailable", `The process that keeps jobs can't be started: ${reason}.`);
}
