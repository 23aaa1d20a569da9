import { listSessions, stateDirectory } from "@haft/computer/internal";
import { createMcpHost, type McpHostOptions, type McpServing } from "@haft/connect/mcp-server";
import type { Session } from "@haft/core";
import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import type { Workspace } from "../../open-workspace.ts";
import { approvingHost } from "../../terminal/terminal-host.ts";
import { UsageError } from "../../usage-error.ts";
import { version } from "../../version.ts";
import { findClient, nameSession } from "./session-name.ts";

/** What a workspace serves to MCP clients. */
export interface OpenServing {
  readonly serving: McpServing;
  /** Ends a session that the clients share, and removes the outputs of connections long ago. */
  close(): Promise<void>;
}

/**
 * Opens a workspace for MCP clients. Each connection gets a session of its own, so that no client
 * undoes the changes of another, unless `--session` names one for all of them.
 */
export function openServing(workspace: Workspace, { options }: CommandInput, io: Io): OpenServing {
  const host = createMcpHost(toHostOptions(workspace, options));
  const open = (name?: string): Session => {
    const own = { host, ...(name !== undefined && { name }) };
    return options.code === true
      ? showFew(workspace.openSession({ ...own, maxDefinitionTokens: 0 }))
      : workspace.openSession(own);
  };
  const shared = options.session === undefined ? undefined : open();
  const { roots, variables } = workspace.computer;
  const places = roots.map((root) =>
    variables["read-only"]?.includes(root) ? `${root} (read-only)` : root,
  );
  const maxBytes = readMaxBytes(options["max-bytes"]);
  return {
    serving: {
      session: shared ?? ((client) => open(nameSession(client))),
      host,
      version,
      instructions: `These tools work on ${places.join(", ")}; relative paths start at the first.`,
      ...(options.structured === true && { structured: true }),
      ...(maxBytes !== undefined && { maxBytes }),
    },
    close: async () => {
      shared?.abort("The server stopped.");
      // The session is named, so another process may continue it.
      await shared?.suspend();
      await closeOldSessions(workspace, io);
    },
  };
}

const shown = new Set(["run_code", "code_output", "tool_search", "read", "bash", "undo_edit"]);
// The first of these that the dialect has is shown, too.
const editors = ["edit", "apply_patch"];

// Programs call the tools that are not shown. Those of others appear when the model has searched for them.
function showFew(session: Session): Session {
  const tools: Session["tools"] = (which) => {
    const all = session.tools(which);
    if (which === "all") return all;
    const editor = editors.find((id) => all.some(({ tool }) => tool === id));
    return all.filter(
      ({ tool, source }) => source !== "builtin" || shown.has(tool) || tool === editor,
    );
  };
  return Object.create(session, { tools: { value: tools } }) as Session;
}

// By default the client decides whether it can ask its user, and what stays undecided waits in the inbox.
function toHostOptions(
  { inboxHost }: Workspace,
  { yes, headless, wait }: CommandInput["options"],
): McpHostOptions {
  if (yes === true) return { fallback: approvingHost, elicits: ["question"] };
  const inbox = headless === true && wait === undefined ? undefined : inboxHost;
  return { inbox, ...(headless === true && { elicits: [] }) };
}

const minBytes = 1_000;

function readMaxBytes(given: CommandInput["options"][string]): number | undefined {
  if (given === undefined) return undefined;
  const bytes = typeof given === "string" && /^\d{1,9}$/u.test(given) ? Number(given) : 0;
  if (bytes >= minBytes) return bytes;
  throw new UsageError(
    `--max-bytes is ${JSON.stringify(given)}. Set it to a whole number of bytes from ${minBytes}.`,
  );
}

const maxAgeMs = 7 * 24 * 60 * 60 * 1000;

// No client continues these sessions: each connection gets a new one.
async function closeOldSessions({ computer }: Workspace, io: Io): Promise<void> {
  const before = Date.now() - maxAgeMs;
  for (const { name, workspace, modifiedMs } of listSessions(stateDirectory(io.environment))) {
    const isOld =
      modifiedMs < before && findClient(name) !== undefined && workspace === computer.roots[0];
    if (isOld) await computer.openSession(name).close();
  }
}
