/** A glob on paths, relative to the workspace root or absolute; `{name}` expands a variable. */
export type PathPattern = string;

/** A host name, `*.example.com` for its subdomains, or `*`; `{name}` expands a variable. */
export type HostPattern = string;

/** One argument of a command: itself, any one, or any with a prefix. */
export type ArgPattern = string | { readonly wildcard: true } | { readonly prefix: string };

/**
 * A command a tool needs: a program's name, or `*` for any command, also one whose words are not
 * known beforehand. Without `args` any arguments fit; with them, exactly as many.
 */
export interface ShellRunRequirement {
  readonly cmd: string;
  readonly args?: readonly ArgPattern[];
}

/** The capability surface that a tool, or an agent's manifest, declares it depends on. */
export interface RequirementSet {
  readonly fs?: { readonly read?: readonly PathPattern[]; readonly write?: readonly PathPattern[] };
  readonly net?: { readonly hosts?: readonly HostPattern[] };
  readonly shell?: readonly ShellRunRequirement[];
  /** Capabilities that none of the above covers. */
  readonly capabilities?: readonly string[];
}

/**
 * What the variables in patterns stand for, each a list of absolute directories or hosts. The
 * standard ones are `workspace`, `ad-hoc`, `user-data` and `allowed-hosts`; a host may define more.
 */
export type Variables = Readonly<Record<string, readonly string[]>>;
