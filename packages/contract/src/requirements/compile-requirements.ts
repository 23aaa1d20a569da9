import { expandVariables } from "./expand-variables.ts";
import { compileGlob } from "./glob-pattern.ts";
import { anchorPathPattern } from "./path-pattern.ts";
import type {
  ArgPattern,
  RequirementSet,
  ShellRunRequirement,
  Variables,
} from "./requirement-set.ts";

/** What a session or tool may touch. Paths are absolute, normalised and have links resolved. */
export interface Grant {
  mayRead(path: string): boolean;
  mayWrite(path: string): boolean;
  mayReach(host: string): boolean;
  /** An empty list stands for a command whose words are not known in advance. */
  mayRun(argv: readonly string[]): boolean;
  has(capability: string): boolean;
  /** Where the allowed files, hosts and programs may be. Use the methods above to check access. */
  readonly places: GrantLocations;
}

/** The directories, host patterns and programs that a grant mentions. */
export interface GrantLocations {
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly hosts: readonly string[];
  /** Names of programs, some of whose commands are allowed, or `*`. Empty if it allows no command. */
  readonly programs: readonly string[];
}

/**
 * Compiles a requirement set into a grant. Throws a `TypeError` for an undefined variable. A variable
 * with an empty list matches nothing.
 *
 * @example
 * ```ts
 * import { compileRequirements } from "@haft/contract";
 *
 * const grant = compileRequirements(
 *   { fs: { read: ["{workspace}/**"] } },
 *   { workspace: ["/home/ada/project"] },
 * );
 * grant.mayRead("/home/ada/project/README.md"); // true
 * ```
 */
export function compileRequirements(requirements: RequirementSet, variables: Variables): Grant {
  const read = anchorPaths(requirements.fs?.read ?? [], variables);
  const write = anchorPaths(requirements.fs?.write ?? [], withoutReadOnly(variables));
  const hosts = (requirements.net?.hosts ?? []).flatMap((pattern) =>
    expandVariables(pattern, variables),
  );
  const commands = requirements.shell ?? [];
  const capabilities = new Set(requirements.capabilities);
  return {
    mayRead: anyOf(read.map(compileGlob)),
    mayWrite: anyOf(write.map(compileGlob)),
    mayReach: anyOf(hosts.map(compileHost)),
    mayRun: (argv) => commands.some((command) => fitsCommand(command, argv)),
    has: (capability) => capabilities.has(capability),
    places: {
      read: read.map(literalDirectory),
      write: write.map(literalDirectory),
      hosts,
      programs: [...new Set(commands.map(({ cmd }) => cmd))],
    },
  };
}

/** Returns a grant that allows what at least one of the grants allows. */
export function uniteGrants(grants: readonly Grant[]): Grant {
  const [only] = grants;
  if (only !== undefined && grants.length === 1) return only;
  return {
    mayRead: (path) => grants.some((grant) => grant.mayRead(path)),
    mayWrite: (path) => grants.some((grant) => grant.mayWrite(path)),
    mayReach: (host) => grants.some((grant) => grant.mayReach(host)),
    mayRun: (argv) => grants.some((grant) => grant.mayRun(argv)),
    has: (capability) => grants.some((grant) => grant.has(capability)),
    places: uniteLocations(grants),
  };
}

/** Returns a grant that allows what all grants allow. Without grants it allows nothing. */
export function intersectGrants(grants: readonly Grant[]): Grant {
  if (grants.length === 0) return uniteGrants([]);
  return {
    mayRead: (path) => grants.every((grant) => grant.mayRead(path)),
    mayWrite: (path) => grants.every((grant) => grant.mayWrite(path)),
    mayReach: (host) => grants.every((grant) => grant.mayReach(host)),
    mayRun: (argv) => grants.every((grant) => grant.mayRun(argv)),
    has: (capability) => grants.every((grant) => grant.has(capability)),
    places: { ...uniteLocations(grants), programs: intersectPrograms(grants) },
  };
}

function anchorPaths(patterns: readonly string[], variables: Variables): string[] {
  return patterns.flatMap((pattern) => anchorPathPattern(pattern, variables));
}

function withoutReadOnly(variables: Variables): Variables {
  const { workspace = [], "read-only": readOnly = [] } = variables;
  if (readOnly.length === 0) return variables;
  const writable = workspace.filter((root) => !readOnly.includes(root));
  return { ...variables, workspace: writable, "read-only": [] };
}

/** Returns the part of a glob before its first special character, up to the last whole directory. */
export function literalDirectory(pattern: string): string {
  const literal = /^(?:\\.|[^*?[{\\])*/su.exec(pattern)?.[0] ?? "";
  const whole = literal === pattern ? literal : literal.slice(0, literal.lastIndexOf("/"));
  return whole.replaceAll(/\\(.)/gsu, "$1") || "/";
}

function uniteLocations(grants: readonly Grant[]): GrantLocations {
  const collect = (kind: keyof GrantLocations): string[] => [
    ...new Set(grants.flatMap(({ places }) => places[kind])),
  ];
  return {
    read: collect("read"),
    write: collect("write"),
    hosts: collect("hosts"),
    programs: collect("programs"),
  };
}

function intersectPrograms(grants: readonly Grant[]): string[] {
  const lists = grants.map(({ places }) => places.programs);
  const isIn = (list: readonly string[], program: string): boolean =>
    list.includes(program) || list.includes("*");
  const mentioned = [...new Set(lists.flat())];
  return mentioned.filter((program) => lists.every((list) => isIn(list, program)));
}

function compileHost(pattern: string): (host: string) => boolean {
  const wanted = pattern.toLowerCase();
  if (wanted === "*") return () => true;
  if (/\*|^$/u.test(wanted.replace(/^\*\./u, ""))) {
    throw new TypeError(
      `Host pattern ${JSON.stringify(pattern)} is not valid. Use a name, *.name for its subdomains, or *.`,
    );
  }
  if (!wanted.startsWith("*.")) return (host) => host.toLowerCase() === wanted;
  // Subdomains only: `*.example.com` does not cover `example.com`, nor `evil-example.com`.
  const suffix = wanted.slice(1);
  return (host) => host.length > suffix.length && host.toLowerCase().endsWith(suffix);
}

function fitsCommand(requirement: ShellRunRequirement, argv: readonly string[]): boolean {
  const [command, ...args] = argv;
  if (requirement.cmd !== "*" && command !== requirement.cmd) return false;
  const patterns = requirement.args;
  if (patterns === undefined) return true;
  if (command === undefined || patterns.length !== args.length) return false;
  return patterns.every((pattern, index) => fitsArgument(pattern, args[index] as string));
}

function fitsArgument(pattern: ArgPattern, argument: string): boolean {
  if (typeof pattern === "string") return argument === pattern;
  return "prefix" in pattern ? argument.startsWith(pattern.prefix) : true;
}

function anyOf<T>(matchers: readonly ((value: T) => boolean)[]): (value: T) => boolean {
  const [only] = matchers;
  if (only === undefined) return () => false;
  if (matchers.length === 1) return only;
  return (value) => matchers.some((matches) => matches(value));
}
