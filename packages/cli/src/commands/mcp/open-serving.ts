import { createMcpHost, type McpHostOptions, type McpServing } from "@haft/connect/mcp-server";
import type { CommandInput } from "../../command.ts";
import type { Workspace } from "../../open-workspace.ts";
import { approvingHost } from "../../terminal/terminal-host.ts";
import { version } from "../../version.ts";

/** Opens a session of the workspace that asks for approval through its MCP client. */
export function openServing(workspace: Workspace, { options }: CommandInput): McpServing {
  const host = createMcpHost(toHostOptions(options));
  const session = workspace.openSession({ host });
  const { roots, variables } = workspace.computer;
  const places = roots.map((root) =>
    variables["read-only"]?.includes(root) ? `${root} (read-only)` : root,
  );
  const instructions = `These tools work on ${places.join(", ")}; relative paths start at the first.`;
  return { session, host, version, instructions };
}

// By default the client decides whether it can ask its user.
function toHostOptions({ yes, headless }: CommandInput["options"]): McpHostOptions {
  if (yes === true) return { fallback: approvingHost, elicits: ["question"] };
  return headless === true ? { elicits: [] } : {};
}
