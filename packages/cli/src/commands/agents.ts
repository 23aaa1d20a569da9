import { resolve } from "node:path";
import type { AgentManifest, AgentManifests } from "@haft/agent";
import { nearestNames, toVisibleLine, toVisibleText } from "@haft/core";
import type { Command, CommandInput } from "../command.ts";
import { homeOf, type Io } from "../io.ts";
import { printJson } from "../terminal/print-result.ts";
import { UsageError } from "../usage-error.ts";

/** `haft agents` */
export const agents: Command = {
  help: `List and show agents: who haft agent can have work, and who can be spawned by others.

Usage: haft agents [list]       every agent, and what is wrong with files that are none
       haft agents show NAME    one of them, with its prompt

An agent is a file: .haft/agents/NAME.md of the project, ~/.config/haft/agents/NAME.md of yours. Lines
such as 'description: ...', 'mode: primary' and 'tools: [read, grep]' between two lines of ---, and
below them its prompt: docs/guides/haft-agent.md. list exits with 1 if a file can't be used as it is.

  -C, --workspace DIR   the workspace (default: the current directory)
      --json            print exactly the result, as JSON, on standard output
  -h, --help            show this

Examples:
  haft agents
  haft agents list --json | jq -r '.[] | select(.mode != "subagent").name'
  haft agents show plan
`,
  options: { workspace: { type: "string", short: "C" }, json: { type: "boolean" } },
  run: async (input, io) => {
    const [action = "list", name, extra] = input.positionals;
    if (extra !== undefined) throw new UsageError(`What is ${JSON.stringify(extra)}?`);
    const found = await findAgents(input, io);
    if (action === "list" && name === undefined) return list(found, input, io);
    if (action === "show") return show(requireAgent(name, found), input, io);
    throw new UsageError(`agents can list or show, not ${JSON.stringify(action)}.`);
  },
};

async function findAgents({ options }: CommandInput, io: Io): Promise<AgentManifests> {
  const { discoverManifests } = await import("@haft/agent");
  const { environment } = io;
  const workspace = resolve(io.directory, (options.workspace as string | undefined) ?? ".");
  return discoverManifests({ workspace, home: homeOf(io), environment });
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

function requireAgent(name: string | undefined, found: AgentManifests): AgentManifest {
  const names = found.list().map((manifest) => manifest.name);
  if (name === undefined) throw new UsageError(`Which agent? Agents: ${names.join(", ")}.`);
  const manifest = found.get(name);
  if (manifest !== undefined) return manifest;
  const [near] = nearestNames(name, names, 1);
  const hint = near === undefined ? `Agents: ${names.join(", ")}.` : `Did you mean ${near}?`;
  throw new UsageError(`There is no agent ${JSON.stringify(name)}. ${hint}`);
}

// As its file has it; what is not said is left out.
function toJson(manifest: AgentManifest): Readonly<Record<string, unknown>> {
  const { name, description, mode, model, tools, requires, rules, limits } = manifest;
  const { allowMcp, allowToolbox, isInspectable, isTool, origin } = manifest;
  const facts = { name, description, mode, model, tools, allowMcp, allowToolbox, requires };
  const more = { rules, limits, inspectable: isInspectable, tool: isTool, origin };
  const said = Object.entries({ ...facts, ...more }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(said);
}
