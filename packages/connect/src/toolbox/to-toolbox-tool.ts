import { basename, dirname, extname } from "node:path";
import type { DiskComputer } from "@haft/computer";
import { defineTool, type Tool, ToolError } from "@haft/contract";
import { escapeGlob } from "@haft/contract/internal";
import { toPlainText } from "@haft/core/internal";
import type { ToolDescription } from "./description/tool-description.ts";
import { findUntrustedScript, type ScriptTrust, untrustedFault } from "./find-untrusted-script.ts";
import { toStandardInput } from "./to-standard-input.ts";
import type { ToolboxScript } from "./toolbox-script.ts";

const prefix = "tb__";
const maxIdLength = 64;
const maxShownBytes = 100 * 1024;
const maxErrorLength = 4_000;

/** Returns the id of a script's tool, or `undefined` if its name has no valid character. */
export function toToolboxId({ path }: ToolboxScript, name: string | undefined): string | undefined {
  const named = legal(name ?? "");
  const own = named === "" ? legal(basename(path, extname(path))) : named;
  return own === "" ? undefined : `${prefix}${own}`.slice(0, maxIdLength);
}

function legal(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_-]/gu, "");
}

/** A script with its description and the id of its tool. */
export interface DescribedScript {
  readonly id: string;
  readonly script: ToolboxScript;
  readonly described: ToolDescription;
}

/** The data of a toolbox tool. */
export interface ToolboxData {
  readonly output: string;
}

/** Makes a tool of a script. Each call runs it, sandboxed like commands. */
export function toToolboxTool(
  { id, script, described }: DescribedScript,
  computer: Pick<DiskComputer, "shellIsolation" | "variables" | "trust">,
): Tool {
  const { file } = script;
  const { description, parameters, format, subagentTypes } = described;
  const tool: Tool<Record<string, unknown>, ToolboxData> = defineTool({
    id,
    description,
    parameters,
    output: {
      type: "object",
      properties: { output: { type: "string", description: "The script's standard output." } },
      required: ["output"],
      additionalProperties: false,
    },
    requires: {
      fs: {
        read: ["{workspace}/**", `${escapeGlob(dirname(file))}/**`],
        write: ["{workspace}/**"],
      },
      net: { hosts: ["{allowed-hosts}"] },
      shell: [{ cmd: file, args: [] }],
    },
    kind: "execute",
    source: "toolbox",
    maxOutput: { bytes: maxShownBytes, field: "output" },
    ...(subagentTypes !== undefined && { subagentTypes }),
    execute: async (args, { shell, session }) => {
      requireTrusted(id, script, computer);
      const hosts = computer.variables["allowed-hosts"] ?? [];
      // Without a sandbox the network is not limited, as for commands.
      const isLimited = computer.shellIsolation === "sandbox" && hosts.length > 0;
      const { exitCode, stdout, stderr } = await shell.run({
        argv: [file],
        input: toStandardInput(args, format),
        environment: {
          TOOLBOX_ACTION: "execute",
          AGENT: "haft",
          AGENT_THREAD_ID: session.id,
        },
        ...(isLimited && { hosts }),
      });
      const output = new TextDecoder().decode(stdout);
      if (exitCode === 0) return { output };
      throw failure({ id, exitCode, output, stderr });
    },
  });
  return tool as Tool;
}

// Checked as late as possible. A change between this check and the start goes unnoticed.
function requireTrusted(id: string, script: ToolboxScript, computer: ScriptTrust): void {
  const untrusted = findUntrustedScript(script, computer);
  if (untrusted === undefined) return;
  const fault = typeof untrusted === "string" ? `${untrusted}.` : untrustedFault;
  throw new ToolError("not-available", `${id} was not run: ${script.path} ${fault}`);
}

interface FailedRun {
  readonly id: string;
  readonly exitCode: number | undefined;
  readonly output: string;
  readonly stderr: string;
}

function failure({ id, exitCode, output, stderr }: FailedRun): ToolError {
  const how = exitCode === undefined ? "was killed by a signal" : `exited with ${exitCode}`;
  const said = toPlainText(stderr.trim() === "" ? output : stderr, maxErrorLength).trim();
  const partial = output === "" ? {} : { partial: output.slice(0, maxShownBytes) };
  return new ToolError("failed", `${id} ${how}${said === "" ? "." : `: ${said}`}`, partial);
}
