import { compileRequirements, type RequirementSet } from "@haft/contract";
import type { Computer, RunScope } from "@haft/core";
import { createSecrets } from "@haft/core/internal";
import { quietScope } from "../shell/quiet-scope.ts";

const wholeWorkspace: RequirementSet = {
  fs: { read: ["{workspace}/**"], write: ["{workspace}/**"] },
  shell: [{ cmd: "*" }],
};

/** The scope of a call. Default: it may run any command in the workspace. */
export function makeRunScope(
  computer: Computer,
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
    isChangeDenied: () => false,
    ...quietScope,
    fileRules: () => undefined,
    commandEnded: () => {},
    openSidecar: () => session.sidecars.open("call-1"),
    warn: () => {},
    ...scope,
  };
}
