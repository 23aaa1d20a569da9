import { compileRequirements, type Tool } from "@haft/contract";
import { type Computer, createSecrets, type RunScope } from "@haft/core";

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
    openSidecar: () => {
      throw new Error("This call needs no sidecar.");
    },
    warn: () => {},
    signal: new AbortController().signal,
    ...overrides,
  };
}
