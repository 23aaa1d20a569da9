import { compileRequirements, type Tool } from "@haft/contract";
import type { Computer, RunScope } from "@haft/core";
import { createSecrets } from "@haft/core/internal";

/** What a computer is told of a call of this tool that may do all that the tool declares. */
export function makeRunScope(
  computer: Computer,
  { requires }: Pick<Tool, "requires">,
  overrides: Partial<RunScope> = {},
): RunScope {
  return {
    callId: "test-call",
    session: "test",
    grant: compileRequirements(requires, computer.variables),
    journal: { record: () => {}, latest: async () => [] },
    changed: () => {},
    isDenied: () => false,
    isNamed: () => false,
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
    openSidecar: () => {
      throw new Error("This call needs no sidecar.");
    },
    warn: () => {},
    signal: new AbortController().signal,
    ...overrides,
  };
}
