import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import type { Agent } from "./agents/agent.ts";
import { createDesk, type Desk } from "./desk.ts";
import { storyFiles } from "./story.ts";

/** Makes a desk at which the agent has our tools, and returns what the installation printed. */
export async function createInstalled(
  agent: Agent,
  ...args: string[]
): Promise<{ desk: Desk; printed: string }> {
  const desk = createDesk(storyFiles);
  return { desk, printed: await install(agent, desk, ...args) };
}

/** Gives the agent our tools, and returns what the installation printed. */
export async function install(agent: Agent, desk: Desk, ...args: string[]): Promise<string> {
  if (agent.usedBefore !== undefined) writeSettings(desk, agent.settings, agent.usedBefore);
  const ran = await desk.haft("mcp", "install", agent.id, ...args);
  expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
  return ran.stdout;
}

/** Has Haft ask for approval itself, as without the `--yes` of the installation. */
export function removeYes({ servers }: Agent, desk: Desk): void {
  const file = join(desk.home, servers);
  const text = readFileSync(file, "utf8");
  const changed = text.replace(/"--yes",?/u, "");
  expect(changed).not.toBe(text);
  writeFileSync(file, changed);
}

/** Does what the installation advises to switch off the agent's own tools. */
export function followAdvice({ settings }: Agent, desk: Desk, printed: string): void {
  const advice = /switch off .*'s own\.\n {2}(.+)\.\n/u.exec(printed)?.[1] ?? "";
  const table = /the table (\[\w+\]) with (\w+ = \w+)/u.exec(advice);
  const file = join(desk.home, settings);
  if (table !== null) {
    writeFileSync(file, `${readFileSync(file, "utf8")}\n${table[1]}\n${table[2]}\n`);
    return;
  }
  const setting = JSON.parse(`{${/: (".+\})$/u.exec(advice)?.[1]}}`) as object;
  writeSettings(desk, settings, JSON.stringify({ ...readSettings(file), ...setting }));
}

/** Writes a settings file below the home directory. */
export function writeSettings(desk: Desk, path: string, text: string): void {
  const file = join(desk.home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function readSettings(file: string): object {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as object;
  } catch {
    return {};
  }
}
