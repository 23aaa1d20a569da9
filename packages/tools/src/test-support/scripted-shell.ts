import type { CommandResult, CommandRun, Shell } from "@haft/contract";
import { createTestRuntime } from "@haft/contract/testing";

/** A shell whose commands all end as it is told, for what real commands rarely do. */
export function createScriptedShell(
  result: Partial<Omit<CommandResult, "output">> & { readonly output?: string },
): Shell & { readonly ran: CommandRun[] } {
  const ran: CommandRun[] = [];
  const { output = "", ...rest } = result;
  return {
    ...createTestRuntime().shell,
    ran,
    execute: async (command) => {
      ran.push(command);
      if (output !== "") command.onOutput?.(output);
      return {
        exitCode: 0,
        leftRunning: [],
        refusedHosts: [],
        notes: [],
        output: { head: output, tail: "", omittedBytes: 0, totalBytes: output.length },
        ...rest,
      };
    },
  };
}
