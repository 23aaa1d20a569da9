import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskComputer } from "@haft/computer";
import { createMemoryRecorder, createRegistry, createSession, type Session } from "@haft/core";
import { applyPatch as applyPatchTool, edit as editTool } from "@haft/tools";
import { compareTimes, type Finding, type Line } from "../line.ts";

/** One edit, diff and journal included, against reading the file, writing it and flushing it. */
export const edit: Line = {
  name: "edit",
  run: () =>
    compareSizes([0.8, 1.2], {
      tool: "edit",
      toArguments: (path, old, now) => ({ path, old_string: old, new_string: now }),
    }),
};

/** The same with a patch of one hunk. */
export const applyPatch: Line = {
  name: "apply-patch",
  run: () =>
    compareSizes([3, 4.5], {
      tool: "apply_patch",
      toArguments: (path, old, now) => ({
        patch: `*** Begin Patch\n*** Update File: ${path}\n@@\n-export const ${old}\n+export const ${now}\n*** End Patch\n`,
      }),
    }),
};

interface Change {
  readonly tool: "edit" | "apply_patch";
  toArguments(path: string, old: string, now: string): Record<string, string>;
}

async function compareSizes(
  [small, large]: readonly [number, number],
  change: Change,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const flush of [true, false]) {
    const sizes = [
      { title: "64 KB", bytes: 64 * 1024, goal: small },
      { title: "1 MB", bytes: 1024 * 1024, goal: large },
    ];
    for (const size of sizes) findings.push(await compareChange(change, { ...size, flush }));
  }
  return findings;
}

interface Case {
  readonly title: string;
  readonly bytes: number;
  readonly goal: number;
  readonly flush: boolean;
}

async function compareChange(
  { tool, toArguments }: Change,
  { title, bytes, goal, flush }: Case,
): Promise<Finding> {
  const subject = `haft ${tool}`;
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "haft-bench-")));
  try {
    const theirs = join(directory, "theirs.ts");
    const ours = join(directory, "ours.ts");
    for (const path of [theirs, ours]) writeFileSync(path, makeText(bytes));
    const session = openSession(directory, flush);
    let round = 0;
    return await compareTimes({
      line: `${tool} in a ${title} file, ${flush ? "flushed" : "not flushed"}`,
      contenders: [
        {
          name: "readFile + writeFile",
          run: async () => {
            await writeFile(theirs, await readFile(theirs), { flush });
          },
        },
        {
          name: subject,
          run: async () => {
            const result = await session.call({
              name: tool,
              arguments: toArguments(ours, `marker = ${round};`, `marker = ${++round};`),
            });
            if (result.type !== "output") throw new Error(JSON.stringify(result));
          },
        },
      ],
      rounds: bytes > 100_000 ? 150 : 300,
      subject,
      reference: "readFile + writeFile",
      goal,
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function openSession(directory: string, flush: boolean): Session {
  return createSession({
    registry: createRegistry([editTool, applyPatchTool]),
    computer: createDiskComputer({
      workspace: directory,
      stateDirectory: join(directory, "state"),
      flush,
    }),
    recorder: createMemoryRecorder(),
    rules: [{ permission: "*", pattern: "*", action: "allow" }],
  });
}

// Lines as in source code, with the one that is edited in the middle.
function makeText(bytes: number): string {
  const lines: string[] = [];
  for (let size = 0; size < bytes; ) {
    const line = `export const value${lines.length} = compute(${lines.length * 7}, "text");\n`;
    lines.push(line);
    size += line.length;
  }
  lines[lines.length >> 1] = "export const marker = 0;\n";
  return lines.join("");
}
