import { protectedNames } from "../../paths/protected-names.ts";
import type { GuardedPaths, GuardedRoots } from "../guard/guard.ts";

/** What a Seatbelt profile depends on; paths without links. */
export interface ProfileInput extends GuardedRoots {
  readonly guarded: GuardedPaths;
  /** Programs outside the system. */
  readonly toolchains: readonly string[];
  /** The run's own temporary directory. */
  readonly scratch: string;
  readonly stateDirectory: string;
  readonly egressSocket: string | undefined;
}

/**
 * Writes the policy of a sandbox in Seatbelt's language. What is not allowed is denied, and of several
 * matching rules the last one applies.
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
    // Reaching a file needs the metadata of the directories above it.
    "(allow file-read-metadata)",
    rule("allow", "file-read*", ['(literal "/")', ...[...systemPaths, ...shown].map(below)]),
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
      guarded.hidden.map(({ path }) => below(path)),
    ),
    // What rules deny is not even described by its size and times.
    rule(
      "deny",
      "file-read* file-write* file-link",
      guarded.hidden.filter(({ isDenied }) => isDenied).map(({ path }) => below(path)),
    ),
    rule("deny", "file-write*", [...guarded.unwritable, ...guarded.unchangeable].map(below)),
    rule("deny", "file-write-unlink file-write-create", guarded.immovable.map(at)),
    // Names that may not be created, whether they exist or not.
    rule("deny", "file-write*", writable.flatMap(forbidBelow)),

    egressSocket === undefined
      ? "(deny network*)"
      : `(deny network*)\n${rule("allow", "network-outbound", [at(egressSocket)])}`,
  ]
    .filter((line) => line !== "")
    .join("\n");
}

/** A rule about several paths; empty if there are none, because it would then apply everywhere. */
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

function forbidBelow(root: string): readonly string[] {
  const start = root.replaceAll(/[\\^$.*+?()[\]{}|"]/gu, (character) =>
    character === '"' ? '\\"' : `\\${character}`,
  );
  return forbidden.map((name) => `(regex #"^${start}(/.*)?(${name})")`);
}

function eitherCase(letter: string): string {
  return `[${letter}${letter.toUpperCase()}]`;
}

// Seatbelt has no non-capturing groups, and is case-sensitive.
const forbidden = [...protectedNames.git, ...protectedNames.rules, ...protectedNames.settings]
  // A repository may be created.
  .filter((pattern) => pattern !== String.raw`/\.git$`)
  .map((pattern) => pattern.replaceAll("(?:", "(").replaceAll(/[a-z]/gu, eitherCase));

const systemPaths = [
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
