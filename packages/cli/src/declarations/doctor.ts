import { errorCodes } from "@haft/contract";
import type { Command } from "../command.ts";
import { commonWithout } from "./option-groups.ts";

/** `haft doctor` */
export const doctor: Command = {
  details: `
The sandbox is tested: a program inside it tries to write outside, to reach the network and to gain
privileges. If any of that succeeds, the sandbox counts as missing. Layers are tested by mounting one: a command on a layer
writes to a directory of its own instead of the workspace.

Exits with ${errorCodes.unavailable.exitCode} if something is missing that Haft cannot work without.`,
  groups: [commonWithout("dialect", "rule", "yes", "headless")],
  examples: ["haft doctor", "haft doctor --json"],
  load: async () => (await import("../commands/doctor.ts")).runDoctor,
};
