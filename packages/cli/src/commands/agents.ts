import { basename, resolve } from "node:path";
import type { AgentManifest } from "@haft/agent";
import type { AgentManifests } from "@haft/agent/internal";
import { nearestNames, toVisibleLine, toVisibleText } from "@haft/core/internal";
import type { CommandInput } from "../command.ts";
import { homeOf, type Io } from "../io.ts";
import { printJson } from "../terminal/print-result.ts";
import { openTrust } from "../trust/open-trust.ts";
import { UsageError } from "../usage-error.ts";

/** `haft agents list` */
export async function listAgents(input: CommandInput, io: Io): Promise<number> {
  return list(await findAgents(input, io), input, io);
}

/** `haft agents show` */
export async function showAgent(input: CommandInput, io: Io): Promise<number> {
  const [name = ""] = input.positionals;
  return show(requireAgent(name, await findAgents(input, io)), input, io);
}

async function findAgents({ options }: CommandInput, io: Io): Promise<AgentManifests> {
  const { discoverManifests } = await import("@haft/agent/internal");
  const { environment } = io;
  const workspace = resolve(io.directory, (options.workspace as string | undefined) ?? ".");
  const trust = openTrust(workspace, io);
  return discoverManifests({ workspace, home: homeOf(io), environment, trust });
}

function list(found: AgentManifests, { options }: CommandInput, io: Io): number {
  const listed = found.list();
  if (options.json === true) printJson(listed.map(toJson), io);
  else {
    const width = Math.max(...listed.map(({ name }) => name.length));
    for (const { name, mode, description } of listed) {
      io.out(`${toVisibleLine(`${name.padEnd(width)}  ${mode.padEnd(8)}  ${description}`)}\n`);
    }
  }
  for (const { path } of found.untrusted) {
    const why = "this agent is not trusted and is ignored. Review it with: haft trust";
    io.error(`haft: ${toVisibleLine(`${path}: ${why}`)}\n`);
  }
  for (const warning of found.warnings) io.error(`haft: ${toVisibleText(warning)}\n`);
  return found.warnings.length === 0 ? 0 : 1;
}

function show(manifest: AgentManifest, { options }: CommandInput, io: Io): number {
  if (options.json === true) {
    printJson({ ...toJson(manifest), prompt: manifest.prompt }, io);
    return 0;
  }
  for (const [name, value] of Object.entries(toJson(manifest))) {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    io.out(`${toVisibleLine(`${name}: ${text}`)}\n`);
  }
  io.out(`\n${toVisibleText(manifest.prompt)}\n`);
  return 0;
}

function requireAgent(name: string, found: AgentManifests): AgentManifest {
  const names = found.list().map((manifest) => manifest.name);
  const manifest = found.get(name);
  if (manifest !== undefined) return manifest;
  const untrusted = found.untrusted.find(({ path }) => basename(path) === `${name}.md`);
  if (untrusted !== undefined) {
    throw new UsageError(`${untrusted.path} is not trusted yet. Review it with: haft trust`);
  }
  const [near] = nearestNames(name, names, 1);
  const hint = near === undefined ? `Agents: ${names.join(", ")}.` : `Did you mean ${near}?`;
  throw new UsageError(`There is no agent ${JSON.stringify(name)}. ${hint}`);
}

// With the fields that its file has.
function toJson(manifest: AgentManifest): Readonly<Record<string, unknown>> {
  const { name, description, mode, model, tools, requires, rules, limits } = manifest;
  const { allowMcp, allowToolbox, isInspectable, isTool, origin } = manifest;
  const facts = { name, description, mode, model, tools, allowMcp, allowToolbox, requires };
  const more = { rules, limits, inspectable: isInspectable, tool: isTool, origin };
  const said = Object.entries({ ...facts, ...more }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(said);
}
