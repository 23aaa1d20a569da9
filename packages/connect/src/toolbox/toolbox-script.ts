/** An executable that a tool is made of. */
export interface ToolboxScript {
  /** As it was found. */
  readonly path: string;
  /** Where it lies, links resolved. */
  readonly file: string;
  /** Whether it lies in the workspace, with which it may have come from anywhere. */
  readonly isForeign: boolean;
}

/** What can't be a tool, and why, as what is to be said behind its path. */
export interface ScriptFault {
  readonly path: string;
  readonly fault: string;
}
