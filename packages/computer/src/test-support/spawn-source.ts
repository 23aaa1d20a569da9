import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

// Without it a child takes four times as long to start.
const compileCache = fileURLToPath(
  new URL("../../../../node_modules/.cache/haft-test-sources", import.meta.url),
);

const hooks = new URL("./register-sources.ts", import.meta.url).href;

/** Runs a script of this directory in a process of its own. */
export function spawnSource(
  script: string,
  args: readonly string[],
  options: SpawnOptions = {},
): ChildProcess {
  const file = fileURLToPath(new URL(`./${script}`, import.meta.url));
  return spawn(process.execPath, ["--import", hooks, file, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
    ...options,
  });
}

/** Runs such a script to its end and returns the JSON that it prints. */
export async function runSource(
  script: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<unknown> {
  const child = spawnSource(script, args, options);
  let text = "";
  child.stdout?.on("data", (chunk) => {
    text += String(chunk);
  });
  await once(child, "close");
  return JSON.parse(text);
}
