import { createMemoryComputer } from "@haft/computer/memory";
import { compileRequirements, type Tool } from "@haft/contract";
import { type Computer, createRegistry, createSession } from "@haft/core";
import { bash, builtinTools } from "@haft/tools";
import type { CallCase } from "./cases/call-case.ts";
import { editCases } from "./cases/edits.ts";
import { nameCases } from "./cases/names.ts";
import { patchCases } from "./cases/patches.ts";
import { pathCases } from "./cases/paths.ts";
import { rememberedCases } from "./cases/remembered-edits.ts";
import { searchCases } from "./cases/searches.ts";

/** What became of a call: it did what was meant, was refused with what the next try needs, or neither. */
type Outcome = "landed" | "taught" | "refused" | "wrong";

/** How many calls of a kind had each outcome. */
export type Counts = Readonly<Record<Outcome, number>>;

/** All cases, in the order of the table. */
export const corpus: readonly CallCase[] = [
  ...editCases,
  ...rememberedCases,
  ...nameCases,
  ...pathCases,
  ...patchCases,
  ...searchCases,
];

/** The built-in tools. A command is not run: it is enough to see which one it would be. */
export const tools: readonly Tool[] = [
  ...builtinTools.filter((tool) => tool !== bash),
  {
    ...bash,
    requires: {},
    execution: {},
    execute: async (args: unknown) => ({ output: JSON.stringify(args), exit_code: 0 }),
  },
] as never;
const registry = createRegistry(tools);

/** Makes a call in a workspace of its own. */
async function runCase(one: CallCase): Promise<Outcome> {
  const computer = createMemoryComputer({ files: one.files });
  const rules = [{ permission: "*", pattern: "*", action: "allow" } as const];
  const session = createSession({ registry, computer, rules });
  const result = await session.call({ name: one.name, arguments: one.args as never });
  const paths = new Set([...Object.keys(one.files), ...Object.keys(one.changes ?? {})]);
  const after = await Promise.all(
    [...paths].map(async (path) => [path, await readText(computer, path)] as const),
  );
  const meant = (path: string): string | undefined =>
    one.changes !== undefined && path in one.changes ? one.changes[path] : one.files[path];
  if (result.type === "error") {
    if (after.some(([path, text]) => text !== one.files[path])) return "wrong";
    return help.test(result.error_text) ? "taught" : "refused";
  }
  if (after.some(([path, text]) => text !== meant(path))) return "wrong";
  return JSON.stringify(result.data).includes(JSON.stringify(one.shows ?? "").slice(1, -1))
    ? "landed"
    : "wrong";
}

async function readText(computer: Computer, path: string): Promise<string | undefined> {
  const files = computer.openFiles({
    callId: "",
    grant: compileRequirements({ fs: { read: ["{workspace}/**"] } }, computer.variables),
    journal: { record: () => {}, latest: async () => [] },
    changed: () => {},
    isDenied: () => false,
    isNamed: () => false,
    signal: new AbortController().signal,
  });
  return files.read(path).then(
    (bytes) => new TextDecoder().decode(bytes),
    () => undefined,
  );
}

// The right place, the right path, or the right tool and its parameters.
const help =
  /Nearest: |Did you mean|Use \w+ \{|Expected: \{|Line \d+ has|occurs \d+ times|Copy old_string/u;

/** Runs all cases and counts their outcomes by kind. */
export async function countOutcomes(): Promise<ReadonlyMap<string, Counts>> {
  const kinds = new Map<string, Record<Outcome, number>>();
  for (const one of corpus) {
    const counts = kinds.get(one.kind) ?? { landed: 0, taught: 0, refused: 0, wrong: 0 };
    counts[await runCase(one)]++;
    kinds.set(one.kind, counts);
  }
  return kinds;
}
