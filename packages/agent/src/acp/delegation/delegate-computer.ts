import type { DiskComputer } from "@haft/computer";
import { type CommandRun, ToolError } from "@haft/contract";
import { isInside } from "@haft/contract/internal";
import type { RunScope } from "@haft/core";
import { findUngranted } from "@haft/core/internal";
import type { AcpClient } from "../acp-client.ts";
import type { CallTraces } from "./call-traces.ts";
import type { ClientPaths } from "./client-paths.ts";
import { delegateFiles } from "./delegated-files.ts";
import { delegateShell } from "./delegated-shell.ts";
import { createJournalWatch } from "./watch-journal.ts";

/** What goes through the client, if it supports it. */
export type DelegatedParts = "all" | "fs" | "terminal" | "none";

/** Options of `delegateComputer`. */
export interface ComputerDelegation {
  readonly client: AcpClient;
  readonly parts: DelegatedParts;
  readonly paths: ClientPaths;
  readonly traces: CallTraces;
}

/**
 * Creates a computer whose text files and commands go through the client, as far as it is requested and
 * supported. Changes by calls are traced.
 */
export function delegateComputer(
  computer: DiskComputer,
  delegation: ComputerDelegation,
): DiskComputer {
  const { client, parts, paths, traces } = delegation;
  const { fs, terminal } = client.capabilities;
  const hasFiles = parts === "all" || parts === "fs";
  const runsInClient = (parts === "all" || parts === "terminal") && terminal === true;
  const read = hasFiles && fs?.readTextFile === true ? client.readTextFile : undefined;
  const write = hasFiles && fs?.writeTextFile === true ? client.writeTextFile : undefined;
  const standIns = new Map<string, Uint8Array>();
  const watch = createJournalWatch({
    noteChange: (callId, change) => {
      // The content of such files must not be shown.
      if (!computer.isSecret(change.path)) traces.noteChange(callId, change);
    },
    findStandIn: (path) => standIns.get(path),
  });
  const files = {
    read,
    write,
    identify: (path: string) => computer.identify(path),
    findName: (landing: string) => paths.find(landing),
    withStandIns: async <Done>(
      added: ReadonlyMap<string, Uint8Array>,
      act: () => Promise<Done>,
    ): Promise<Done> => {
      for (const [path, content] of added) standIns.set(path, content);
      try {
        return await act();
      } finally {
        for (const path of added.keys()) standIns.delete(path);
      }
    },
  };
  return {
    ...computer,
    // Programs above the workspace run only in a sandbox.
    ...(runsInClient && { variables: { ...computer.variables, repository: [] } }),
    get shellIsolation() {
      return runsInClient ? ("none" as const) : computer.shellIsolation;
    },
    canReview: async (session) => !runsInClient && ((await computer.canReview?.(session)) ?? false),
    openFiles: (scope) => {
      const local = computer.openFiles({ ...scope, journal: watch(scope.journal) });
      return read === undefined && write === undefined ? local : delegateFiles(local, files);
    },
    openShell: (scope) => {
      const local = computer.openShell(scope);
      if (!runsInClient) return local;
      return delegateShell(local, scope, {
        client,
        judge: async (run) => paths.show(await judgeCommand(run, scope, computer)),
        noteTerminal: traces.noteTerminal,
      });
    },
  };
}

/** Refuses commands that are not granted, like the local shell. */
async function judgeCommand(
  { command, cwd = "." }: CommandRun,
  scope: RunScope,
  computer: DiskComputer,
): Promise<string> {
  const directory = computer.identify(cwd);
  const { kind } = await computer.openFiles(scope).stat(directory);
  if (kind !== "directory") {
    throw new ToolError(
      "failed",
      `${directory} is not a directory. Choose a directory to start in.`,
    );
  }
  if (!computer.roots.some((root) => isInside(root, directory))) {
    throw new ToolError(
      "out-of-scope",
      `${directory} is outside the workspace. Choose a directory inside it.`,
    );
  }
  const ungranted = findUngranted(computer.readCommand(command, directory), scope.grant);
  if (ungranted !== undefined) {
    throw new ToolError(
      "out-of-scope",
      `This call may not run ${JSON.stringify(command.slice(0, 200))}: ${ungranted} is not granted. Use a granted command.`,
    );
  }
  return directory;
}
