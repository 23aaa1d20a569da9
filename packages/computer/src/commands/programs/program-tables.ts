import { buildTools } from "./build-tools.ts";
import { builtins, coreUtilities } from "./core-utilities.ts";
import { git } from "./git.ts";
import { interpreters } from "./interpreters.ts";
import { networkTools } from "./network-tools.ts";
import { packageManagers } from "./package-managers.ts";
import type { ProgramTable } from "./program-table.ts";
import { textTools } from "./text-tools.ts";

/** All tables of programs. */
export const programTables: readonly ProgramTable[] = [
  coreUtilities,
  textTools,
  git,
  interpreters,
  packageManagers,
  buildTools,
  networkTools,
  builtins,
];
