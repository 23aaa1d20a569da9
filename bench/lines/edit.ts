import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskComputer } from "@haft/computer";
import { createMemoryRecorder, createRegistry, createSession, type Session } from "@haft/core";
import { edit as editTool } from "@haft/tools";
import { compareTimes, type Finding, type Line } from "../line.ts";

/** One edit, diff and journal included, against reading the file, writing it and flushing it. */
export const edit: Line = {
  name: "edit",
  run: async () => {
    const findings: Finding[] = [];
    for (const flush of [true, false]) {
      findings.push(await compareEdit({ title: "64 KB", bytes: 64 * 1024, goal: 0.8 }, flush));
      findings.push(await compareEdit({ title: "1 MB", bytes: 1024 * 1024, goal: 1.2 }, flush));
    }
    return findings;
  },
};

interface Case {
  readonly title: string;
  readonly bytes: number;
  readonly goal: number;
}

async function compareEdit({ title, bytes, goal }: Case, flush: boolean): Promise<Finding> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "haft-bench-")));
  try {
    const theirs = join(directory, "theirs.ts");
    const ours = join(directory, "ours.ts");
    for (const path of [theirs, ours]) writeFileSync(path, makeText(bytes));
    const session = openSession(directory, flush);
    let round = 0;
    return await compareTimes({
      line: `edit in a ${title} file, ${flush ? "flushed" : "not flushed"}`,
      contenders: [
        {
          name: "readFile + writeFile",
          run: async () => {
            await writeFile(theirs, await readFile(theirs), { flush });
          },
        },
        {
          name: "haft edit",
          run: async () => {
            const result = await session.call({
              name: "edit",
              arguments: {
                path: ours,
                old_string: `marker = ${round};`,
                new_string: `marker = ${++round};`,
              },
            });
            if (result.type !== "output") throw new Error(JSON.stringify(result));
          },
        },
      ],
      rounds: bytes > 100_000 ? 150 : 300,
      subject: "haft edit",
      reference: "readFile + writeFile",
      goal,
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function openSession(directory: string, flush: boolean): Session {
  return createSession({
    registry: createRegistry([editTool]),
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
