import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { newId, openStore } from "@haft/platform/internal";
import type { Finding, Line } from "../line.ts";
import { median } from "../measure.ts";
import { runHaft, type ServedProgram, serveProgram } from "../serve-program.ts";

const manyTools = 1_000;
const versionsEach = 20;
const reads = 40;

interface Reading {
  readonly startMs: number;
  readonly listMs: number;
  readonly resolveMs: number;
}

/** A whole platform: what it takes at rest, how long a publication takes, and whether many tools matter. */
export const platform: Line = {
  name: "platform",
  run: async () => {
    const directory = mkdtempSync(join(tmpdir(), "haft-bench-"));
    const data = join(directory, "data");
    mkdirSync(data, { mode: 0o700 });
    try {
      const others = new Set(findWorkers());
      let served = await serveProgram(data);
      await wait(5_000);
      const workers = findWorkers().filter((pid) => !others.has(pid));
      const memory = [readMemory(served.pid), Math.max(...workers.map(readMemory))];
      const publications = await publish(served, { data, directory });
      await served.stop();
      const few = await look(data);
      await plant(data);
      served = await serveProgram(data);
      await served.stop();
      const many = await look(data);
      return [
        ...memory.map((value, index) => compare(index === 0 ? "server" : "worker", value)),
        ...publications,
        ...flatness(few, many),
      ];
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  },
};

function compare(name: "server" | "worker", value: number): Finding {
  return {
    line: `memory of an idle ${name}`,
    values: [{ name, value }],
    unit: "MB",
    figure: value,
    meaning: "resident",
    goal: name === "server" ? 150 : 60,
  };
}

function readMemory(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+)/mu.exec(status)?.[1]) / 1024;
}

function findWorkers(): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/u.test(name))
    .filter((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
        return command.includes("node-worker") && !command.includes("bwrap");
      } catch {
        return false;
      }
    })
    .map(Number);
}

async function publish(
  served: ServedProgram,
  { data, directory }: { readonly data: string; readonly directory: string },
): Promise<readonly Finding[]> {
  await runHaft(data, directory, ["tool", "init", "greeter"]);
  const words = ["tool", "publish", "--path", "greeter", "--push", "--create", "--bump", "minor"];
  const started = performance.now();
  await runHaft(data, directory, words);
  const first = performance.now() - started;
  const { tools } = (await served.ask("/tool/")) as { tools: { id: string }[] };
  const again: number[] = [];
  for (let round = 0; round < 3; round++) {
    const before = performance.now();
    const body = { project_path: "greeter", bump_type: "minor" };
    await served.ask(`/tool/${tools[0]?.id}/version`, body);
    again.push(performance.now() - before);
  }
  const finding = (line: string, value: number, goal: number): Finding => ({
    line,
    values: [{ name: line, value }],
    unit: "ms",
    figure: value / 1_000,
    meaning: "seconds",
    goal,
  });
  return [
    finding("publishing the scaffold, the first time", first, 10),
    finding("publishing it again", median(again), 3),
  ];
}

async function look(data: string): Promise<Reading> {
  const served = await serveProgram(data);
  const time = async (path: string): Promise<number> => {
    const times: number[] = [];
    for (let round = 0; round < reads; round++) {
      const before = performance.now();
      await served.ask(path);
      times.push(performance.now() - before);
    }
    return median(times);
  };
  const { tools } = (await served.ask("/tool/?limit=1")) as { tools: { id: string }[] };
  const constraint = encodeURIComponent(">=1,<2");
  const listMs = await time("/tool/?limit=1&sort_by=-name");
  const resolveMs = await time(`/tool/${tools[0]?.id}/version?limit=1&versions=${constraint}`);
  await served.stop();
  return { startMs: served.startedMs, listMs, resolveMs };
}

/** Gives the organization many tools, each with as many versions, like the one that there is. */
async function plant(data: string): Promise<void> {
  const { db, close } = await openStore({ kind: "sqlite", path: join(data, "haft.db") });
  const tool = await db.selectFrom("tools").selectAll().executeTakeFirstOrThrow();
  const version = await db.selectFrom("tool_versions").selectAll().executeTakeFirstOrThrow();
  await db.transaction().execute(async (transaction) => {
    for (let number = 0; number < manyTools; number++) {
      const id = newId();
      await transaction
        .insertInto("tools")
        .values({ ...tool, id, name: `${tool.name}_${number}` })
        .execute();
      const versions = Array.from({ length: versionsEach }, (_, minor) => ({
        ...version,
        id: newId(),
        tool_id: id,
        minor,
        sequence: minor + 1,
      }));
      await transaction.insertInto("tool_versions").values(versions).execute();
    }
  });
  await close();
}

function flatness(few: Reading, many: Reading): readonly Finding[] {
  const names = {
    startMs: "starting the server",
    listMs: "listing tools",
    resolveMs: "finding versions by constraint",
  };
  return Object.entries(names).map(([key, name]) => {
    const [one, thousand] = [few, many].map((reading) => reading[key as keyof Reading]) as [
      number,
      number,
    ];
    return {
      line: `${name} with 1 and ${manyTools.toLocaleString("en")} tools × ${versionsEach} versions`,
      values: [
        { name: "1 tool", value: one },
        { name: "many", value: thousand },
      ],
      unit: "ms",
      figure: thousand / one,
      meaning: "many ÷ one",
      goal: 1.5,
    };
  });
}
