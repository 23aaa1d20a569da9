import type { CommandEffect, ReadWord } from "@haft/core";
import type { BareCommand } from "../bare-command.ts";
import type { ArgumentScan, ScannedRisk } from "../scan-arguments.ts";

/** Looks closer at the arguments of one program than its line in the tables can say. */
export type Inspector = (scan: ArgumentScan, bare: BareCommand) => SpecialFindings;

/** What a closer look found. */
export interface SpecialFindings {
  readonly findings?: readonly ScannedRisk[];
  /** What the program does with just these arguments, instead of what it does as such. */
  readonly effects?: readonly CommandEffect[];
  /** Commands that the arguments hold. */
  readonly inner?: readonly (readonly ReadWord[])[];
}
