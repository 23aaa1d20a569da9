import type { Computer, RunScope } from "@haft/core";
import type { AppliedLayer } from "../layers/plan-layer.ts";

/** The call that the changes on a layer belong to. */
export type LayerScope = Pick<
  RunScope,
  "callId" | "grant" | "journal" | "changed" | "isChangeDenied"
>;

/** A computer that works on a layer over the workspace. */
export interface LayeredComputer {
  /** Its tools and programs see the layer; others see nothing of it. */
  readonly computer: Computer;
  /**
   * Ends everything that works on the layer, makes its changes in the workspace as changes of the
   * layer's call, and removes it. Call once, at the end in any case.
   */
  apply(): Promise<AppliedComputerLayer>;
}

/** What became of the changes on a layer. */
export interface AppliedComputerLayer
  extends Required<Pick<AppliedLayer, "changes" | "conflicts" | "notes">> {
  /** A directory with the versions that were not applied, if there are any. */
  readonly keptAt?: string;
}
