import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskComputer } from "@haft/computer";
import { findRipgrep, sharedSearchIndexes } from "@haft/computer/internal";
import { createMemoryRecorder, createRegistry, createSession, type Session } from "@haft/core";
import { grep } from "@haft/tools";
import { compareTimes, type Finding, type Line } from "../line.ts";

const sizes = [
  { files: 500, rounds: 60, goal: 0.2 },
  { files: 10_000, rounds: 30, goal: 0.3 },
  { files: 50_000, rounds: 15, goal: 0.3 },
];
const needle = "needleInTheHaystack";
const common = String.raw`\w+\.\w+\(`;
const cap = 200;
const maxBytesPerFile = 1536;

/** Greps repeated in one process against ripgrep, started each time. */
export const grepWarm: Line = {
  name: "grep-warm",
  run: async () => {
    const findings: Finding[] = [];
    for (const size of sizes) {
      const root = realpathSync(mkdtempSync(join(tmpdir(), "haft-bench-")));
      try {
        writeSources(join(root, "tree"), size.files);
        findings.push(...(await measureTree(root, size)));
      } finally {
        rmSync(root, { recursive: true, force: true });
      }
    }
    sharedSearchIndexes.close();
    return findings;
  },
};

async function measureTree(
  base: string,
  { files, rounds, goal }: { files: number; rounds: number; goal: number },
): Promise<Finding[]> {
  const root = join(base, "tree");
  const session = openSession(root, join(base, "state"));
  await sharedSearchIndexes.whenReady(root);
  const count = files.toLocaleString("en");
  const compare = (line: string, parts: readonly Part[], most: number): Promise<Finding> =>
    compareTimes({
      line,
      contenders: parts.map(({ name, run }) => ({ name, run })),
      rounds,
      subject: "haft grep",
      reference: parts[0]?.name ?? "",
      goal: most,
    });
  const rare = await compare(
    `rare literal, warm, ${count} files`,
    [
      {
        name: "ripgrep",
        run: () => runRipgrep(root, ["--fixed-strings", needle], Number.POSITIVE_INFINITY),
      },
      { name: "haft grep", run: () => runGrep(session, { pattern: needle, literal: true }, 1) },
    ],
    goal,
  );
  const capped = await compare(
    `regex capped at ${cap}, warm, ${count} files`,
    [
      { name: "ripgrep killed at the cap", run: () => runRipgrep(root, ["--regexp", common], cap) },
      { name: "haft grep", run: () => runGrep(session, { pattern: common }, cap) },
    ],
    0.4,
  );
  // Below that, what the process needs anyway counts for more than its files.
  return files < 10_000 ? [rare, capped] : [rare, capped, await measureMemory(root, count)];
}

interface Part {
  readonly name: string;
  run(): Promise<void>;
}

async function measureMemory(root: string, count: string): Promise<Finding> {
  const measure = await sharedSearchIndexes.measure(root);
  const bytes = measure === undefined ? Number.NaN : measure.bytes / measure.files;
  return {
    line: `memory of the index, ${count} files`,
    values: [{ name: "index, listing and helpers", value: bytes }],
    unit: "bytes a file",
    figure: bytes,
    meaning: "bytes a file",
    goal: maxBytesPerFile,
  };
}

function openSession(workspace: string, stateDirectory: string): Session {
  return createSession({
    registry: createRegistry([grep]),
    computer: createDiskComputer({ workspace, stateDirectory }),
    recorder: createMemoryRecorder(),
  });
}

async function runGrep(session: Session, args: object, expected: number): Promise<void> {
  const result = await session.call({ name: "grep", arguments: JSON.stringify(args) });
  const lines = result.type === "output" ? (result.data as { matches: unknown[] }).matches : [];
  if (lines.length !== expected) throw new Error(JSON.stringify(result).slice(0, 500));
}

/** Runs ripgrep until it printed so many lines. */
async function runRipgrep(root: string, args: readonly string[], most: number): Promise<void> {
  const ripgrep = findRipgrep();
  if (ripgrep === undefined) throw new Error("There is no ripgrep.");
  const child = spawn(ripgrep.path, ["--no-config", "--line-number", ...args, "./"], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let lines = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    for (const byte of chunk) if (byte === 0x0a) lines++;
    if (lines >= most) child.kill("SIGKILL");
  });
  await once(child, "close");
  if (lines === 0) throw new Error("ripgrep found nothing.");
}

/** Writes sources as people do: a few words of the project in each file, again and again. */
function writeSources(root: string, files: number): void {
  const random = createRandom(files);
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? "";
  const words = Array.from(
    { length: 2000 },
    () => pick(syllables) + pick(syllables) + pick(syllables),
  );
  mkdirSync(join(root, ".git"), { recursive: true });
  writeFileSync(join(root, ".gitignore"), "node_modules\ndist\n*.log\n");
  for (let file = 0; file < files; file++) {
    const directory = join(
      root,
      "packages",
      `part-${Math.floor(file / 200)}`,
      "src",
      `area-${Math.floor(file / 10)}`,
    );
    if (file % 10 === 0) mkdirSync(directory, { recursive: true });
    const known = Array.from({ length: 40 }, () => pick(words));
    const lines: string[] = [];
    const count = 40 + Math.floor(random() * 60);
    while (lines.length < count) lines.push(pick(templates).replaceAll("_", () => pick(known)));
    if (file === Math.floor(files / 2)) lines.push(`export const ${needle} = true;`);
    writeFileSync(join(directory, `${pick(known)}-${file}.ts`), `${lines.join("\n")}\n`);
  }
}

const syllables =
  "con fig re quest han dler re spon se ser vi ce lo ad er pa ge li ne ta ble in dex fi le ma nag er vie w mo del sto re".split(
    " ",
  );

const templates = [
  'import { _, _ } from "./_.ts";',
  "export function _(_: string): number {",
  "  const _ = await this._._(_, _);",
  "  if (_ === undefined) return _;",
  "  // The _ is what the _ gives to the _, and no more.",
  "  return _._(_ => _ + 1);",
  "}",
  "",
];

function createRandom(seed: number): () => number {
  let state = seed * 2654435761 + 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
