import type { GuardedPlaces, GuardedRoots } from "../guard/guard.ts";

/** What a Seatbelt profile is made of; paths without links. */
export interface ProfileInput extends GuardedRoots {
  readonly guarded: GuardedPlaces;
  /** Programs outside the system. */
  readonly toolchains: readonly string[];
  /** The run's own directory for temporary files. */
  readonly scratch: string;
  readonly stateDirectory: string;
  readonly egressSocket: string | undefined;
}

/**
 * The policy of a sandbox in Seatbelt's language. What is not allowed is denied, and of several
 * rules that fit the last one holds.
 */
export function writeSeatbeltProfile(input: ProfileInput): string {
  const { readable, writable, guarded, toolchains, scratch, egressSocket } = input;
  const shown = [...readable, ...writable, ...toolchains];
  return [
    "(version 1)",
    "(deny default)",
    "(allow process-fork process-exec)",
    "(allow signal process-info* (target same-sandbox))",
    "(allow sysctl-read)",
    rule(
      "allow",
      "mach-lookup",
      services.map((name) => `(global-name ${quote(name)})`),
    ),
    // To get to a file is to look at the directories above it.
    "(allow file-read-metadata)",
    rule("allow", "file-read*", ['(literal "/")', ...[...systemPlaces, ...shown].map(below)]),
    rule("allow", "file-read* file-write*", devices.map(at)),
    rule("allow", "file-write*", writable.map(below)),

    // Whole trees first: a root may lie in one of them.
    rule("deny", "file-read* file-write*", [below(input.stateDirectory)]),
    rule(
      "allow",
      "file-read*",
      shown.filter((path) => path.startsWith(`${input.stateDirectory}/`)).map(below),
    ),
    rule(
      "allow",
      "file-write*",
      writable.filter((path) => path.startsWith(`${input.stateDirectory}/`)).map(below),
    ),
    rule("allow", "file-read* file-write*", [below(scratch)]),
    rule(
      "deny",
      "file-read-data file-write* file-link",
      guarded.secrets.map(({ path }) => below(path)),
    ),
    rule("deny", "file-write*", guarded.unchangeable.map(below)),
    rule("deny", "file-write-unlink file-write-create", guarded.immovable.map(at)),
    // Names that nobody may make, whether they exist or not.
    rule("deny", "file-write*", writable.flatMap(protectedNames)),

    egressSocket === undefined
      ? "(deny network*)"
      : `(deny network*)\n${rule("allow", "network-outbound", [at(egressSocket)])}`,
  ]
    .filter((line) => line !== "")
    .join("\n");
}

/** A rule about several places; nothing if there are none, for without places it would hold everywhere. */
function rule(verb: "allow" | "deny", operations: string, filters: readonly string[]): string {
  return filters.length === 0 ? "" : `(${verb} ${operations}\n  ${filters.join("\n  ")})`;
}

function below(path: string): string {
  return `(subpath ${quote(path)})`;
}

function at(path: string): string {
  return `(literal ${quote(path)})`;
}

function quote(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

function protectedNames(root: string): readonly string[] {
  const start = root.replaceAll(/[\\^$.*+?()[\]{}|"]/gu, (character) =>
    character === '"' ? '\\"' : `\\${character}`,
  );
  return forbidden.map((name) => `(regex #"^${start}/(.*/)?${name}")`);
}

const forbidden = [
  String.raw`\.git/(.*/)?(hooks|config|config\.worktree|commondir)(/|$)`,
  String.raw`\.haft/(rules|settings[^/]*)(/|$)`,
  String.raw`\.(amp|claude)/settings[^/]*(/|$)`,
  String.raw`\.mcp\.json$`,
];

const systemPlaces = [
  "/usr",
  "/bin",
  "/sbin",
  "/opt",
  "/System",
  "/Library",
  "/Applications/Xcode.app",
  "/private/etc/ssl",
  "/private/etc/hosts",
  "/private/etc/services",
  "/private/etc/protocols",
  "/private/var/db/timezone",
  "/private/var/select",
  "/nix/store",
];

const devices = ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/ptmx"];

const services = [
  "com.apple.system.opendirectoryd.libinfo",
  "com.apple.system.logger",
  "com.apple.trustd",
  "com.apple.SystemConfiguration.configd",
];
