import { createDiskComputer, type DiskComputer, type SandboxMode } from "@haft/computer";
import { compileRequirements, type Isolation, type Shell } from "@haft/contract";
import type { RunScope, SessionStorage } from "@haft/core";
import { createSecrets } from "@haft/core/internal";

/** A shell that may run anything in a workspace, and what confined what it ran. */
export interface OpenShell {
  readonly shell: Shell;
  readonly confined: Isolation[];
  close(): Promise<void>;
}

/** Opens a shell as a call does. */
export function openShell(
  workspace: string,
  stateDirectory: string,
  sandbox: SandboxMode,
): OpenShell {
  const computer = createDiskComputer({ workspace, stateDirectory, sandbox });
  const session = computer.openSession("bench");
  const confined: Isolation[] = [];
  const scope = makeRunScope(computer, session, "call");
  const shell = computer.openShell({
    ...scope,
    confined: (isolation) => void confined.push(isolation),
  });
  return { shell, confined, close: () => session.close() };
}

/** A call that may do anything in the workspace. A warning fails it. */
export function makeRunScope(
  computer: DiskComputer,
  { name, journal, sidecars }: SessionStorage,
  callId: string,
): RunScope {
  return {
    callId,
    session: name,
    grant: compileRequirements(
      { fs: { read: ["**"], write: ["**"] }, shell: [{ cmd: "*" }] },
      computer.variables,
    ),
    journal,
    changed: () => {},
    isDenied: () => false,
    isNamed: () => false,
    signal: new AbortController().signal,
    secrets: createSecrets({}),
    confined: () => {},
    isChangeDenied: () => false,
    isReviewed: false,
    reviewEffects: () => undefined,
    fileRules: () => undefined,
    commandEnded: () => {},
    onTimeout: "stop",
    outlive: () => {},
    jobEnded: () => {},
    jobSeen: () => {},
    holdFiles: async () => () => {},
    openSidecar: () => sidecars.open(callId),
    warn: (message) => {
      throw new Error(message);
    },
  };
}
