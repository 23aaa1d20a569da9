import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { egressPrefix } from "../../net/egress-paths.ts";
import { makeDirectories } from "../../session/make-directories.ts";
import { filterGitConfig } from "../guard/git-config.ts";
import type { SandboxContext } from "../sandbox-context.ts";
import { copyEtc, type MadeFiles } from "./etc-copy.ts";
import { bareEtcNames, etcNames } from "./etc-table.ts";
import type { SandboxUser } from "./sandbox-user.ts";

/** Files of ours that sandboxes use. */
export interface SandboxFiles {
  readonly directory: string;
  /** A file that only root can read. */
  readonly unreadable: string;
  /** A workspace to test a sandbox on, with a secret in it. */
  readonly probe: string;
  /** The directory that serves as `/etc`, up to date. */
  etc(): string;
}

/** Creates these files below the state directory, unless they exist. */
export function prepareSandboxFiles(
  { stateDirectory, isBare = false }: Pick<SandboxContext, "stateDirectory" | "isBare">,
  user: SandboxUser,
): SandboxFiles {
  const directory = join(stateDirectory, "sandbox");
  const probe = join(directory, "probe");
  const unreadable = join(directory, "unreadable");
  makeDirectories(directory, 0o700);
  makeDirectories(probe, 0o755);
  // The user of a sandbox must get through, whatever the umask.
  for (const path of [directory, probe]) chmodSync(path, 0o755);
  removeOldSockets(directory);
  put(unreadable, "", 0o000);
  put(join(probe, ".env"), "SECRET=bait\n", 0o644);
  let known: { readonly stamps: string; readonly copy: string } | undefined;
  const etc = (): string => {
    const authors = isBare ? [] : authorFiles(user.home);
    const stamps = lookAt([...etcSources, ...authors]);
    if (known?.stamps !== stamps || !existsSync(known.copy)) {
      const made = { ...makeFiles(user), gitconfig: describeAuthor(authors) };
      known = { stamps, copy: copyEtc(directory, made, isBare ? bareEtcNames : etcNames) };
    }
    return known.copy;
  };
  return { directory, unreadable, probe, etc };
}

const oldMs = 7 * 24 * 60 * 60 * 1000;

/** Removes leftovers of killed processes. */
function removeOldSockets(directory: string): void {
  for (const name of readdirSync(directory)) {
    if (!name.startsWith(egressPrefix)) continue;
    const path = join(directory, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    // Containers that share the directory number processes differently, so age decides too.
    const isOld = stats !== undefined && stats.mtimeMs < Date.now() - oldMs;
    const pid = Number.parseInt(name.slice(egressPrefix.length), 10);
    if (isOld && !existsSync(`/proc/${pid}`)) rmSync(path, { recursive: true, force: true });
  }
}

const etcSources = ["/etc", "/etc/ld.so.cache", "/etc/ssl/certs", "/etc/alternatives"];

// Checked with every command, so it only looks at what changes with every other change.
function lookAt(paths: readonly string[]): string {
  return paths
    .map((path) => statSync(path, { throwIfNoEntry: false }))
    .map((stats) => `${stats?.ino}:${stats?.mtimeMs}`)
    .join(" ");
}

function put(path: string, content: string, mode: number): void {
  if (!existsSync(path)) writeFileSync(path, content, { mode: 0o600 });
  chmodSync(path, mode);
}

function makeFiles({ uid, gid, name, home, shell }: SandboxUser): MadeFiles {
  return {
    passwd: [
      "root:x:0:0:root:/root:/usr/sbin/nologin",
      `${name}:x:${uid}:${gid}::${home}:${shell}`,
      "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin",
      "",
    ].join("\n"),
    group: ["root:x:0:", `${name}:x:${gid}:`, "nogroup:x:65534:", ""].join("\n"),
    hosts: "127.0.0.1\tlocalhost haft\n::1\tlocalhost ip6-localhost ip6-loopback\n",
    hostname: "haft\n",
    "nsswitch.conf":
      "passwd: files\ngroup: files\nshadow: files\nhosts: files dns\nnetworks: files\nprotocols: files\nservices: files\n",
    "resolv.conf": "",
  };
}

// So that commits have an author. Nothing else of it: people keep passwords and programs there.
function describeAuthor(files: readonly string[]): string {
  return files
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
    .map((path) => filterGitConfig(withoutComments(readFileSync(path, "utf8")), isOfAuthor).content)
    .join("\n");
}

function authorFiles(home: string): readonly string[] {
  return [join(home, ".gitconfig"), join(home, ".config/git/config")];
}

function withoutComments(content: string): string {
  return content.replaceAll(/^\s*[#;].*$/gmu, "");
}

function isOfAuthor(name: string): boolean {
  return /^(?:user\.(?:name|email)|init\.defaultbranch|core\.(?:autocrlf|eol)|pull\.(?:rebase|ff)|push\.default)$/u.test(
    name,
  );
}
