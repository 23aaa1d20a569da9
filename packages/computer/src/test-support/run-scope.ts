import { compileRequirements, type RequirementSet } from "@haft/contract";
import { createSecrets, type RunScope } from "@haft/core";
import type { DiskComputer } from "../disk/disk-computer.ts";

const wholeWorkspace: RequirementSet = {
  fs: { read: ["{workspace}/**"], write: ["{workspace}/**"] },
  shell: [{ cmd: "*" }],
};

/** A call that may run any command in the workspace, unless said otherwise. */
export function makeRunScope(
  computer: DiskComputer,
  { requires = wholeWorkspace, ...scope }: Partial<RunScope> & { requires?: RequirementSet } = {},
): RunScope {
  const session = computer.openSession(scope.session ?? "test");
  return {
    callId: "call-1",
    session: session.name,
    grant: compileRequirements(requires, computer.variables),
    journal: session.journal,
    changed: () => {},
    isDenied: () => false,
    isNamed: () => false,
    signal: new AbortController().signal,
    secrets: createSecrets({}),
    confined: () => {},
    openSidecar: () => session.sidecars.open("call-1"),
    warn: () => {},
    ...scope,
  };
}
