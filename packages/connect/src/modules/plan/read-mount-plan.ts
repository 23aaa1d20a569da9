import { readFile, stat } from "node:fs/promises";
import { ToolError } from "@haft/contract";
import { isPlainObject, toErrorMessage } from "@haft/contract/internal";
import type { Document } from "yaml";
import { type Environment, expandEnvironment } from "./expand-environment.ts";
import type { ModuleConfig, MountPlan, PlanEntry } from "./mount-plan.ts";

/** Reads the file of a plan. Throws `not-found` with the path if it can't be read. */
export async function readPlanFile(path: string): Promise<Buffer> {
  try {
    // Reading a pipe or a device could block.
    if (!(await stat(path)).isFile()) throw new TypeError("it is not a regular file");
    return await readFile(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "there is no such file" : message;
    throw new ToolError("not-found", `The mount plan ${path} can't be read: ${why}.`);
  }
}

/**
 * Parses a plan. Throws an error with the file, the line and the remedy if it is not a plan. An entry
 * that can't be used is only listed in `refused`.
 */
export async function parseMountPlan(
  content: Uint8Array,
  path: string,
  environment: Environment,
): Promise<MountPlan> {
  const { LineCounter, parseDocument } = await import("yaml");
  const lines = new LineCounter();
  // JSON is YAML too, so errors in both get line numbers.
  const document = parseDocument(new TextDecoder().decode(content), { lineCounter: lines });
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
      `${path}, line ${line}: not valid YAML or JSON. ${what?.replace(/ at line .*$/u, "")}.`,
    );
  }
  const plan = toData(document, path);
  if (!isPlainObject(plan)) throw complain([], `a mount plan must be a mapping. ${example}`);
  if (!Object.hasOwn(plan, "tools")) throw complain([], `the list "tools" is missing. ${example}`);
  const tools = plan.tools ?? [];
  if (!Array.isArray(tools)) throw complain(["tools"], `"tools" must be a list. ${example}`);
  return tools.reduce<Growing>(
    (growing, entry, index) => {
      requireShape(entry, (keys, what) => complain(["tools", index, ...keys], what));
      return addEntry(growing, entry, environment);
    },
    { entries: [], refused: [], notes: noteSections(path, plan) },
  );
}

const example = "Example: tools: [{module: my-tool, source: ./my-tool}]";

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
    plan.notes.push(
      `${module}: unknown key ${unknown.join(", ")} was ignored. Known keys: ${known}.`,
    );
  }
  try {
    const { source, config, hosts, as, prefer } = entry;
    plan.entries.push({
      module: expandEnvironment(module, environment) as string,
      source: expandEnvironment(source ?? undefined, environment) as string | undefined,
      config: expandEnvironment(config ?? {}, environment) as ModuleConfig,
      hosts: expandEnvironment(hosts ?? undefined, environment) as string[] | undefined,
      ...(as != null && { as }),
      ...(prefer != null && { prefer }),
    });
  } catch (error) {
    plan.refused.push({ module, why: toErrorMessage(error) });
  }
  return plan;
}

interface Entry {
  readonly module: string;
  readonly source?: string | null;
  readonly config?: ModuleConfig | null;
  readonly hosts?: readonly string[] | null;
  readonly as?: NonNullable<PlanEntry["as"]> | null;
  readonly prefer?: boolean | null;
}

const entryKeys: readonly string[] = ["module", "source", "config", "hosts", "as", "prefer"];

function requireShape(
  entry: unknown,
  complain: (keys: readonly string[], what: string) => ToolError,
): asserts entry is Entry {
  if (!isPlainObject(entry))
    throw complain([], `an entry of "tools" must be a mapping. ${example}`);
  const { module, source, config, hosts, as, prefer } = entry;
  if (typeof module !== "string" || module.trim() === "") {
    throw complain(["module"], `an entry of "tools" must have a "module". ${example}`);
  }
  const may = (value: unknown, fits: boolean): boolean =>
    value === undefined || value === null || fits;
  if (!may(source, typeof source === "string" && source.trim() !== "")) {
    throw complain(["source"], `the source of ${module} must be a string, such as ./my-tool.`);
  }
  if (!may(config, isPlainObject(config))) {
    throw complain(
      ["config"],
      `the config of ${module} must be a mapping, such as {max_size: 1000}.`,
    );
  }
  if (!may(hosts, Array.isArray(hosts) && hosts.every((host) => typeof host === "string"))) {
    throw complain(
      ["hosts"],
      `the hosts of ${module} must be a list of strings, such as [example.com].`,
    );
  }
  const names = isPlainObject(as) ? Object.values(as) : [as];
  if (!may(as, names.every(isToolName))) {
    throw complain(
      ["as"],
      `"as" of ${module} must be the tool's new name (letters, digits, _ and -, at most 64), or a mapping such as {bash: other_bash}.`,
    );
  }
  if (!may(prefer, typeof prefer === "boolean")) {
    throw complain(["prefer"], `"prefer" of ${module} must be true or false.`);
  }
}

/** Tells whether a value can be the name of a tool. */
export function isToolName(value: unknown): value is string {
  return typeof value === "string" && /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/u.test(value);
}

// Plans for other programs have further sections. That is not an error.
function noteSections(path: string, plan: Readonly<Record<string, unknown>>): string[] {
  const others = Object.keys(plan).filter((key) => key !== "tools");
  if (others.length === 0) return [];
  return [`${path}: ${others.join(", ")} was ignored. Haft only mounts "tools".`];
}

function toData(document: Document, path: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new ToolError("invalid-arguments", `${path}: ${toErrorMessage(error)}.`);
  }
}

// The position of a missing value is that of its parent.
function offsetOf(document: Document, keys: readonly unknown[]): number | undefined {
  for (let depth = keys.length; depth > 0; depth--) {
    const node = document.getIn(keys.slice(0, depth), true) as { range?: number[] } | undefined;
    if (node?.range?.[0] !== undefined) return node.range[0];
  }
  return document.contents?.range?.[0];
}
