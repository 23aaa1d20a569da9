import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeDirectories } from "../../session/make-directories.ts";
import { filterGitConfig } from "../guard/git-config.ts";
import { copyEtc, type MadeFiles } from "./etc-copy.ts";
import type { SandboxUser } from "./sandbox-user.ts";

/** Files that sandboxes are furnished with. */
export interface SandboxFiles {
  readonly directory: string;
  /** A file that nobody but root can read. */
  readonly unreadable: string;
  /** A workspace to try a sandbox on, with a secret in it. */
  readonly probe: string;
  /** What stands for `/etc`, as it is now. */
  etc(): string;
}

/** Makes these files below the directory of our state, unless they are there. */
export function prepareSandboxFiles(stateDirectory: string, user: SandboxUser): SandboxFiles {
  const directory = join(stateDirectory, "sandbox");
  const probe = join(directory, "probe");
  const unreadable = join(directory, "unreadable");
  makeDirectories(directory, 0o700);
  makeDirectories(probe, 0o755);
  // Whoever a command runs as must get through, whatever this process keeps from new files.
  for (const path of [directory, probe]) chmodSync(path, 0o755);
  put(unreadable, "", 0o000);
  put(join(probe, ".env"), "SECRET=bait\n", 0o644);
  let known: { readonly stamps: string; readonly copy: string } | undefined;
  const etc = (): string => {
    const stamps = lookAtSources(user.home);
    if (known?.stamps !== stamps || !existsSync(known.copy)) {
      known = { stamps, copy: copyEtc(directory, makeFiles(user)) };
    }
    return known.copy;
  };
  return { directory, unreadable, probe, etc };
}

// With every command, so no more than a look at what changes whenever something else does.
function lookAtSources(home: string): string {
  return ["/etc", "/etc/ld.so.cache", "/etc/ssl/certs", "/etc/alternatives", ...authorFiles(home)]
    .map((path) => statSync(path, { throwIfNoEntry: false }))
    .map((stats) => `${stats?.ino}:${stats?.mtimeMs}`)
    .join(" ");
}

function put(path: string, content: string, mode: number): void {
  if (!existsSync(path)) writeFileSync(path, content, { mode: 0o600 });
  chmodSync(path, mode);
}

function makeFiles({ uid, gid, name, home }: SandboxUser): MadeFiles {
  return {
    passwd: [
      "root:x:0:0:root:/root:/usr/sbin/nologin",
      `${name}:x:${uid}:${gid}::${home}:/bin/bash`,
      "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin",
      "",
    ].join("\n"),
    group: ["root:x:0:", `${name}:x:${gid}:`, "nogroup:x:65534:", ""].join("\n"),
    hosts: "127.0.0.1\tlocalhost haft\n::1\tlocalhost ip6-localhost ip6-loopback\n",
    hostname: "haft\n",
    "nsswitch.conf":
      "passwd: files\ngroup: files\nshadow: files\nhosts: files dns\nnetworks: files\nprotocols: files\nservices: files\n",
    "resolv.conf": "",
    gitconfig: describeAuthor(home),
  };
}

// So that commits have an author. Nothing else of it: people keep passwords and programs there.
function describeAuthor(home: string): string {
  return authorFiles(home)
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
