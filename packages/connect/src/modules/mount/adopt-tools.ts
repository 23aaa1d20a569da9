import type { Tool } from "@haft/contract";
import { toErrorMessage } from "@haft/contract/internal";
import type { Warn } from "../../tool-source.ts";
import type { PlanEntry } from "../plan/mount-plan.ts";
import { adoptTool, nameOf } from "./adopt-tool.ts";
import type { MountedModule, OfferedTool } from "./mounted-module.ts";

/** A mounted module and its entry in the plan. */
export interface MountedEntry {
  readonly entry: PlanEntry;
  readonly module: MountedModule;
}

/** Options of `adoptTools`. */
export interface ToolNames {
  readonly builtins: readonly Tool[];
  /** The names in use. The names of the modules' tools are added. */
  readonly taken: Set<string>;
  readonly warn: Warn;
}

/** Returns the modules' tools, and the built-in tools that none of them replaces. */
export function adoptTools(
  modules: readonly MountedEntry[],
  { builtins, taken, warn }: ToolNames,
): { readonly tools: readonly Tool[]; readonly builtins: readonly Tool[] } {
  const tools: Tool[] = [];
  let left = builtins;
  for (const { entry, module } of modules) {
    const has = (name: string): boolean =>
      taken.has(name) && !(entry.prefer === true && left.some((tool) => isNamed(tool, name)));
    for (const offered of module.offered) {
      try {
        const as = findNewName(entry, offered, module);
        const tool = adoptTool(offered, { taken: { has }, as });
        for (const name of allNames(tool)) {
          taken.add(name);
          left = left.filter((builtin) => !isNamed(builtin, name));
        }
        tools.push(tool);
      } catch (error) {
        warn(`A tool of ${entry.module} is left out. ${messageOf(error)}`);
      }
    }
    warnOfUnknownNames(entry, module, warn);
  }
  return { tools, builtins: left };
}

/** Returns the id and the aliases of a tool. */
export function allNames({ id, aliases = [] }: Tool): readonly string[] {
  return [id, ...aliases.map(({ name }) => name)];
}

function isNamed(tool: Tool, name: string): boolean {
  return allNames(tool).includes(name);
}

/** Returns the message of anything that a module threw. */
export function messageOf(thrown: unknown): string {
  const text = toErrorMessage(thrown ?? "");
  return text === "" ? "It gives no reason." : text;
}

function findNewName(
  { as = {} }: PlanEntry,
  offered: OfferedTool,
  module: MountedModule,
): string | undefined {
  const names = namesOf(offered);
  if (typeof as !== "string") {
    const name = names.find((one) => Object.hasOwn(as, one));
    return name === undefined ? undefined : as[name];
  }
  if (module.offered.length === 1) return as;
  throw new TypeError(
    `"as" is one name, and the module mounts ${module.offered.length} tools. Name them one by one, such as: as: {${names[0]}: ${as}}`,
  );
}

function warnOfUnknownNames(
  { module: name, as }: PlanEntry,
  module: MountedModule,
  warn: Warn,
): void {
  if (typeof as !== "object") return;
  const known = module.offered.flatMap(namesOf);
  const unknown = Object.keys(as).filter((key) => !known.includes(key));
  if (unknown.length === 0) return;
  warn(`${name}: "as" names ${unknown.join(", ")}, but the module mounts ${known.join(", ")}.`);
}

// The name it has, and the name it was mounted under.
function namesOf({ tool, name }: OfferedTool): readonly string[] {
  return [
    ...new Set([nameOf(tool), name].flatMap((one) => (typeof one === "string" ? [one] : []))),
  ];
}
