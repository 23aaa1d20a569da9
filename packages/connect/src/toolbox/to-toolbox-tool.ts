import { basename, dirname, extname } from "node:path";
import type { DiskComputer } from "@haft/computer";
import { defineTool, escapeGlob, type Tool, ToolError } from "@haft/contract";
import { toPlainText } from "../mcp-client/text/plain-text.ts";
import type { ToolDescription } from "./description/tool-description.ts";
import { toStandardInput } from "./to-standard-input.ts";
import type { ToolboxScript } from "./toolbox-script.ts";

const prefix = "tb__";
const longestId = 64;
const mostShownBytes = 100 * 1024;
const longestComplaint = 4_000;

/** What a script's tool is called; `undefined` if nothing of its name can be used. */
export function toToolboxId({ path }: ToolboxScript, name: string | undefined): string | undefined {
  const named = legal(name ?? "");
  const own = named === "" ? legal(basename(path, extname(path))) : named;
  return own === "" ? undefined : `${prefix}${own}`.slice(0, longestId);
}

function legal(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_-]/gu, "");
}

/** A script that was described, under the name that is its own. */
export interface DescribedScript {
  readonly id: string;
  readonly script: ToolboxScript;
  readonly described: ToolDescription;
}

/** What a script printed. */
export interface ToolboxData {
  readonly output: string;
}

/** Makes a tool of a script: each call runs it, confined as commands are. */
export function toToolboxTool(
  { id, script, described }: DescribedScript,
  computer: Pick<DiskComputer, "shellIsolation" | "variables">,
): Tool {
  const { file } = script;
  const { description, parameters, format, subagentTypes } = described;
  const tool: Tool<Record<string, unknown>, ToolboxData> = defineTool({
    id,
    description,
    parameters,
    output: {
      type: "object",
      properties: { output: { type: "string", description: "What the script printed." } },
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
    maxOutput: { bytes: mostShownBytes, field: "output" },
    ...(subagentTypes !== undefined && { subagentTypes }),
    execute: async (args, { shell, session }) => {
      const hosts = computer.variables["allowed-hosts"] ?? [];
      // Without a sandbox they are as free as commands are.
      const isHeld = computer.shellIsolation === "sandbox" && hosts.length > 0;
      const { exitCode, stdout, stderr } = await shell.run({
        argv: [file],
        input: toStandardInput(args, format),
        environment: {
          TOOLBOX_ACTION: "execute",
          AGENT: "haft",
          AGENT_THREAD_ID: session.id,
        },
        ...(isHeld && { hosts }),
      });
      const output = new TextDecoder().decode(stdout);
      if (exitCode === 0) return { output };
      throw failure({ id, exitCode, output, stderr });
    },
  });
  return tool as Tool;
}

interface FailedRun {
  readonly id: string;
  readonly exitCode: number | undefined;
  readonly output: string;
  readonly stderr: string;
}

function failure({ id, exitCode, output, stderr }: FailedRun): ToolError {
  const how = exitCode === undefined ? "was ended by a signal" : `exited with ${exitCode}`;
  const said = toPlainText(stderr.trim() === "" ? output : stderr, longestComplaint).trim();
  const partial = output === "" ? {} : { partial: output.slice(0, mostShownBytes) };
  return new ToolError("failed", `${id} ${how}${said === "" ? "." : `: ${said}`}`, partial);
}
