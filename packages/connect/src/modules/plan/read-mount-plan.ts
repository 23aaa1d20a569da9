import { readFile } from "node:fs/promises";
import { ToolError } from "@haft/contract";
import type { Document } from "yaml";
import { type Environment, expandEnvironment } from "./expand-environment.ts";
import type { ModuleConfig, MountPlan, PlanEntry } from "./mount-plan.ts";

/**
 * Reads a plan. What can't be a plan throws and names the file, the line and the remedy; an entry
 * that can't be used is refused by itself.
 */
export async function readMountPlan(path: string, environment: Environment): Promise<MountPlan> {
  const { LineCounter, parseDocument } = await import("yaml");
  const lines = new LineCounter();
  // JSON is YAML too, and both get lines for what is wrong.
  const document = parseDocument(await readPlan(path), { lineCounter: lines });
  const complain = (keys: readonly unknown[], what: string): ToolError => {
    const at = offsetOf(document, keys);
    const place = at === undefined ? path : `${path}, line ${lines.linePos(at).line}`;
    return new ToolError("invalid-arguments", `${place}: ${what}`);
  };
  const [fault] = document.errors;
  if (fault !== undefined) {
    const { line } = lines.linePos(fault.pos[0]);
    const [what] = fault.message.split("\n", 1);
    throw new ToolError(
      "invalid-arguments",
      `${path}, line ${line}: this is neither YAML nor JSON. ${what?.replace(/ at line .*$/u, "")}.`,
    );
  }
  const plan = toData(document, path);
  if (!isRecord(plan)) throw complain([], `a mount plan is a mapping. ${example}`);
  if (!Object.hasOwn(plan, "tools")) throw complain([], `there is no list "tools". ${example}`);
  const tools = plan.tools ?? [];
  if (!Array.isArray(tools)) throw complain(["tools"], `"tools" is not a list. ${example}`);
  return tools.reduce<Growing>(
    (growing, entry, index) => {
      requireShape(entry, (keys, what) => complain(["tools", index, ...keys], what));
      return addEntry(growing, entry, environment);
    },
    { entries: [], refused: [], notes: noteSections(path, plan) },
  );
}

const example = "Write, for instance: tools: [{module: my-tool, source: ./my-tool}]";

interface Growing extends MountPlan {
  readonly entries: PlanEntry[];
  readonly refused: { module: string; why: string }[];
  readonly notes: string[];
}

function addEntry(plan: Growing, entry: Entry, environment: Environment): Growing {
  const { module } = entry;
  const unknown = Object.keys(entry).filter((key) => !entryKeys.includes(key));
  if (unknown.length > 0) {
    const known = entryKeys.join(", ");
    plan.notes.push(`${module}: ${unknown.join(", ")} is not known and ignored. Known: ${known}.`);
  }
  try {
    const { source, config, hosts } = entry;
    plan.entries.push({
      module: expandEnvironment(module, environment) as string,
      source: expandEnvironment(source ?? undefined, environment) as string | undefined,
      config: expandEnvironment(config ?? {}, environment) as ModuleConfig,
      hosts: expandEnvironment(hosts ?? undefined, environment) as string[] | undefined,
    });
  } catch (error) {
    plan.refused.push({ module, why: (error as Error).message });
  }
  return plan;
}

interface Entry {
  readonly module: string;
  readonly source?: string | null;
  readonly config?: ModuleConfig | null;
  readonly hosts?: readonly string[] | null;
}

const entryKeys: readonly string[] = ["module", "source", "config", "hosts"];

function requireShape(
  entry: unknown,
  complain: (keys: readonly string[], what: string) => ToolError,
): asserts entry is Entry {
  if (!isRecord(entry)) throw complain([], `an entry of "tools" is a mapping. ${example}`);
  const { module, source, config, hosts } = entry;
  if (typeof module !== "string" || module.trim() === "") {
    throw complain(["module"], `an entry of "tools" needs the name of its module. ${example}`);
  }
  const may = (value: unknown, fits: boolean): boolean =>
    value === undefined || value === null || fits;
  if (!may(source, typeof source === "string" && source.trim() !== "")) {
    throw complain(["source"], `the source of ${module} is not a text, such as ./my-tool.`);
  }
  if (!may(config, isRecord(config))) {
    throw complain(
      ["config"],
      `the config of ${module} is not a mapping, such as {max_size: 1000}.`,
    );
  }
  if (!may(hosts, Array.isArray(hosts) && hosts.every((host) => typeof host === "string"))) {
    throw complain(
      ["hosts"],
      `the hosts of ${module} are not a list of texts, such as [example.com].`,
    );
  }
}

// Plans made for other programs have more in them than tools. That is no mistake.
function noteSections(path: string, plan: Readonly<Record<string, unknown>>): string[] {
  const others = Object.keys(plan).filter((key) => key !== "tools");
  if (others.length === 0) return [];
  return [`${path}: ${others.join(", ")} is left alone. Of a plan only "tools" is mounted here.`];
}

async function readPlan(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "there is no such file" : message;
    throw new ToolError("not-found", `The mount plan ${path} can't be read: ${why}.`);
  }
}

function toData(document: Document, path: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new ToolError("invalid-arguments", `${path}: ${(error as Error).message}.`);
  }
}

// Where what is missing should be, the next thing around it is.
function offsetOf(document: Document, keys: readonly unknown[]): number | undefined {
  for (let most = keys.length; most > 0; most--) {
    const node = document.getIn(keys.slice(0, most), true) as { range?: number[] } | undefined;
    if (node?.range?.[0] !== undefined) return node.range[0];
  }
  return document.contents?.range?.[0];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
