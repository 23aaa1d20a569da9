import { once } from "node:events";
import { lutimesSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { type CrashScenario, crashScenarios } from "../test-support/crash-scenarios.ts";
import { createDiskWorkspace } from "../test-support/disk-workspace.ts";
import { openScope } from "../test-support/open-scope.ts";
import { spawnSource } from "../test-support/spawn-source.ts";
import { createDiskComputer } from "./disk-computer.ts";

describe("a process that is killed while it changes files", () => {
  it.each(Object.keys(crashScenarios))(
    "harms nothing at any step: %s",
    { timeout: 120_000 },
    async (name) => {
      const scenario = crashScenarios[name] as CrashScenario;
      const outcomes = new Set<string>();
      for (let steps = 0, isDone = false; !isDone; steps += 2) {
        const ends = await Promise.all(
          [steps, steps + 1].map((count) => crash(scenario, { name, steps: count })),
        );
        for (const { outcome } of ends) outcomes.add(outcome);
        isDone = ends.some(({ survived }) => survived);
      }
      expect(outcomes).toEqual(new Set(["before", "after"]));
    },
  );
});

async function crash(
  scenario: CrashScenario,
  run: { readonly name: string; readonly steps: number },
): Promise<{ readonly survived: boolean; readonly outcome: string }> {
  const { root, stateDirectory } = createDiskWorkspace(scenario.before);
  const args = [root, stateDirectory, run.name, String(run.steps)];
  const child = await spawnSource("change-and-die.ts", args);
  const [code, signal] = await once(child, "close");
  const survived = code === 0;
  expect(survived || signal === "SIGKILL").toBe(true);
  requireWhole(root, scenario);

  // The next process that opens a session of the workspace, of whatever name, puts it right.
  const computer = createDiskComputer({ workspace: root, stateDirectory });
  computer.openSession("another");
  const found = readTree(root);
  const isAfter = isDeepStrictEqual(found, scenario.after);
  const expected = isAfter ? scenario.after : scenario.before;
  expect({ steps: run.steps, found }).toEqual({ steps: run.steps, found: expected });
  if (survived) expect(isAfter).toBe(true);

  await requireUndo(computer, root, scenario);
  return { survived, outcome: isAfter ? "after" : "before" };
}

// Before anybody has put anything right, each file is the old one or the new one.
function requireWhole(root: string, { before, after }: CrashScenario): void {
  for (const [path, content] of Object.entries(readTree(root))) {
    expect([before[path], after[path]]).toContain(content);
  }
}

async function requireUndo(
  computer: ReturnType<typeof createDiskComputer>,
  root: string,
  { before }: CrashScenario,
): Promise<void> {
  const { journal } = computer.openSession("s");
  const { files } = openScope(computer, undefined, { journal, callId: "undo" });
  const past = await journal.latest();
  await files.change(
    past.map(({ id, path, before: to }) => ({ path, to, undoes: id, parents: true })),
  );
  expect(readTree(root)).toEqual(before);
  expect(await journal.latest()).toEqual([]);

  // What was left of writes goes once it is old and somebody writes there.
  for (const path of findTemporaries(root)) lutimesSync(path, 0, 0);
  for (const path of findTemporaries(root)) await files.write(join(dirname(path), "new"), "");
  expect(findTemporaries(root)).toEqual([]);
}

function readTree(root: string): Record<string, string> {
  return Object.fromEntries(
    listAll(root)
      .filter((path) => !isTemporary(path))
      .map((path) => [relative(root, path), readFileSync(path, "utf8")]),
  );
}

function findTemporaries(root: string): string[] {
  return listAll(root).filter(isTemporary);
}

function isTemporary(path: string): boolean {
  return /^\.haft-[0-9a-f]{16}\.tmp$/u.test(relative(dirname(path), path));
}

function listAll(directory: string): string[] {
  return readdirSync(directory)
    .map((name) => join(directory, name))
    .flatMap((path) => (statSync(path).isDirectory() ? listAll(path) : [path]));
}
