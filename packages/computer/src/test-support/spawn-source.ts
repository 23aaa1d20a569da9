import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { sourceCommand } from "../../../../test/programs/source-command.ts";

/** Runs a script of this directory in a process of its own. */
export async function spawnSource(
  script: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<ChildProcess> {
  const [command, ...before] = await sourceCommand(new URL(script, import.meta.url));
  return spawn(command, [...before, ...args], { stdio: ["ignore", "pipe", "inherit"], ...options });
}

/** Runs such a script to its end and returns the JSON that it prints. */
export async function runSource(
  script: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<unknown> {
  const child = await spawnSource(script, args, options);
  let text = "";
  child.stdout?.on("data", (chunk) => {
    text += String(chunk);
  });
  await once(child, "close");
  return JSON.parse(text);
}
