import type { DiskComputer } from "@haft/computer";
import { type CommandRun, ToolError } from "@haft/contract";
import { findUngranted, type RunScope } from "@haft/core";
import type { AcpClient } from "../acp-client.ts";
import type { CallTraces } from "./call-traces.ts";
import { type ClientPaths, isInside } from "./client-paths.ts";
import { delegateFiles } from "./delegated-files.ts";
import { delegateShell } from "./delegated-shell.ts";
import { createJournalWatch } from "./watch-journal.ts";

/** What goes through the client, as far as it offers that. */
export type DelegatedParts = "all" | "fs" | "terminal" | "none";

/** What a computer is delegated with. */
export interface ComputerDelegation {
  readonly client: AcpClient;
  readonly parts: DelegatedParts;
  readonly paths: ClientPaths;
  readonly traces: CallTraces;
}

/**
 * A computer whose text files and command lines go through the client, as far as that is wanted and
 * offered. Whatever calls change on it is traced.
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
      // What such files hold is nobody's to see.
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
    get shellIsolation() {
      return runsInClient ? ("none" as const) : computer.shellIsolation;
    },
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

/** Refuses what the grant does not have, as our own shell would. */
async function judgeCommand(
  { command, cwd = "." }: CommandRun,
  scope: RunScope,
  computer: DiskComputer,
): Promise<string> {
  const directory = computer.identify(cwd);
  const { kind } = await computer.openFiles(scope).stat(directory);
  if (kind !== "directory") {
    throw new ToolError("failed", `${directory} is not a directory. Name one to start in.`);
  }
  if (!computer.roots.some((root) => isInside(root, directory))) {
    throw new ToolError("out-of-scope", `${directory} is outside the workspace. Start inside it.`);
  }
  const ungranted = findUngranted(computer.readCommand(command, directory), scope.grant);
  if (ungranted !== undefined) {
    throw new ToolError(
      "out-of-scope",
      `This call may not run ${JSON.stringify(command.slice(0, 200))}: ${ungranted} is not granted. Run a command that is.`,
    );
  }
  return directory;
}
