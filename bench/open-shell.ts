import { createDiskComputer, type SandboxMode } from "@haft/computer";
import { compileRequirements, type Isolation, type Shell } from "@haft/contract";
import { createSecrets } from "@haft/core";

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
  const shell = computer.openShell({
    callId: "call",
    session: session.name,
    grant: compileRequirements(
      { fs: { read: ["**"], write: ["**"] }, shell: [{ cmd: "*" }] },
      computer.variables,
    ),
    journal: session.journal,
    changed: () => {},
    isDenied: () => false,
    isNamed: () => false,
    signal: new AbortController().signal,
    secrets: createSecrets({}),
    confined: (isolation) => void confined.push(isolation),
    openSidecar: () => session.sidecars.open("call"),
    warn: (message) => {
      throw new Error(message);
    },
  });
  return { shell, confined, close: () => session.close() };
}
