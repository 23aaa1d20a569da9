/** Kinds of workspace files that take effect only once a person has trusted them. */
export type ProjectItemKind =
  | "rules"
  | "settings"
  | "agent"
  | "skill"
  | "toolbox script"
  | "mount plan"
  | "module"
  | "hooks"
  | "hook script";

/** A file or directory of a workspace, as it was read. */
export interface ProjectItem {
  readonly kind: ProjectItemKind;
  /** The absolute path. */
  readonly path: string;
  /** What is trusted: the file's bytes, a directory's content, or lines of a rules file. */
  readonly content: Uint8Array;
}
