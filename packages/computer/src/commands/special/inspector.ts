import type { CommandEffect, ReadWord } from "@haft/core";
import type { BareCommand } from "../bare-command.ts";
import type { ReadingDraft } from "../reading-draft.ts";
import type { ArgumentScan, ScannedRisk } from "../scan-arguments.ts";

/** Analyses the arguments of one program more closely than its table entry can. */
export type Inspector = (
  scan: ArgumentScan,
  bare: BareCommand,
  draft: Pick<ReadingDraft, "place" | "disk">,
) => SpecialFindings;

/** The result of a closer analysis. */
export interface SpecialFindings {
  readonly findings?: readonly ScannedRisk[];
  /** What the program does with just these arguments, instead of in general. */
  readonly effects?: readonly CommandEffect[];
  /** Commands that the arguments contain. */
  readonly inner?: readonly (readonly ReadWord[])[];
}
