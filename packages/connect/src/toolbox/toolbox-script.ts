import type { ProjectItem } from "@haft/computer";

/** An executable that becomes a tool. */
export interface ToolboxScript {
  /** The path at which it was found. */
  readonly path: string;
  /** The real path, with links resolved. */
  readonly file: string;
  /** The workspace root that contains it. Such a script may come from an untrusted repository. */
  readonly within: string | undefined;
}

/** A path that can't be a tool. `fault` says why and follows the path in messages. */
export interface ScriptFault {
  readonly path: string;
  readonly fault: string;
  /** The script's content, if it is only not trusted. */
  readonly untrusted?: ProjectItem;
}
