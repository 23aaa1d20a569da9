import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskComputer } from "@haft/computer";
import { createMemoryRecorder, createRegistry, createSession, type Session } from "@haft/core";
import { edit } from "@haft/tools";
import type { Finding, Line } from "../line.ts";
import { timeInTurns } from "../measure.ts";

const sizes = [
  { name: "64 KB", bytes: 64 * 1024, goal: 2 },
  { name: "1 MB", bytes: 1024 * 1024, goal: 10 },
];

/** Refusing an edit whose text is not there, and showing the nearest places. */
export const editRefusal: Line = {
  name: "edit-refusal",
  run: async () => {
    const directory = realpathSync(mkdtempSync(join(tmpdir(), "haft-bench-")));
    try {
      const findings: Finding[] = [];
      for (const size of sizes) findings.push(await measureRefusal(directory, size));
      return findings;
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  },
};

async function measureRefusal(
  directory: string,
  { name, bytes, goal }: (typeof sizes)[number],
): Promise<Finding> {
  const session = createSession({
    registry: createRegistry([edit]),
    computer: createDiskComputer({
      workspace: directory,
      stateDirectory: join(directory, "state"),
    }),
    recorder: createMemoryRecorder(),
    rules: [{ permission: "*", pattern: "**", action: "allow" }],
    // It would refuse what fails again and again.
    watchdog: "off",
  });
  const text = makeSource(bytes);
  const path = join(directory, `source-${bytes}.ts`);
  writeFileSync(path, text);
  const lines = text.split("\n");
  const middle = lines.indexOf("}", lines.length >> 1) - 4;
  const wrong = lines
    .slice(middle, middle + 8)
    .join("\n")
    .replace("value", "valeu")
    .replace("return", "retrun")
    .replace("send", "sned");
  const timings = await timeInTurns(
    [
      { name: "8 lines, 3 of them wrong", run: () => refuse(session, path, wrong) },
      {
        name: "one line, a letter wrong",
        run: () => refuse(session, path, `${lines[middle]?.slice(0, -3)}+`),
      },
      { name: "nothing like it", run: () => refuse(session, path, "no such words anywhere") },
    ],
    60,
  );
  return {
    line: `edit refused with nearest places, ${name}`,
    values: timings.map((timing) => ({ name: timing.name, value: timing.medianMs * 1000 })),
    unit: "µs",
    figure: Math.max(...timings.map(({ medianMs }) => medianMs)),
    meaning: "ms, the slowest",
    goal,
  };
}

/** Source code in which most lines occur once and some everywhere, as in real files. */
function makeSource(bytes: number): string {
  let text = "";
  for (let index = 0; text.length < bytes; index++) {
    text += [
      `export function handle${index}(request, response) {`,
      `  const value = request.parameters.id${index} ?? ${index % 100};`,
      `  if (value > ${index % 13}) {`,
      `    return response.send(value * ${index});`,
      "  }",
      "  return undefined;",
      "}",
      "\n",
    ].join("\n");
  }
  return text;
}

async function refuse(session: Session, path: string, oldText: string): Promise<void> {
  const result = await session.call({
    name: "edit",
    arguments: { path, old_string: oldText, new_string: "" },
  });
  if (result.type !== "error" || result.metadata.error_code !== "conflict") {
    throw new Error(JSON.stringify(result));
  }
}
