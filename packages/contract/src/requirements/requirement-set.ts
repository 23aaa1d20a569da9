/** A glob on paths, relative to the workspace root or absolute; `{name}` expands a variable. */
export type PathPattern = string;

/** A host name, `*.example.com` for its subdomains, or `*`; `{name}` expands a variable. */
export type HostPattern = string;

/** One argument of a command: a literal, any argument, or any with a prefix. */
export type ArgPattern = string | { readonly wildcard: true } | { readonly prefix: string };

/**
 * A command that a tool needs: a program's name, or `*` for any command, even one whose words are not
 * known in advance. Without `args` any arguments match; with `args`, exactly as many.
 */
export interface ShellRunRequirement {
  readonly cmd: string;
  readonly args?: readonly ArgPattern[];
}

/** What a tool or an agent's manifest declares that it needs. */
export interface RequirementSet {
  readonly fs?: { readonly read?: readonly PathPattern[]; readonly write?: readonly PathPattern[] };
  readonly net?: { readonly hosts?: readonly HostPattern[] };
  readonly shell?: readonly ShellRunRequirement[];
  /** Names of other capabilities. */
  readonly capabilities?: readonly string[];
}

/**
 * The values of the variables in patterns: lists of absolute directories or of hosts. The standard
 * variables are `workspace`, `repository` (around a workspace that is a part of one), `ad-hoc`, `user-data`
 * and `allowed-hosts`; a host may define more. The directories of `read-only` are never in `{workspace}`
 * where a pattern is about writing.
 */
export type Variables = Readonly<Record<string, readonly string[]>>;
