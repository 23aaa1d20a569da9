import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { makeUniqueName } from "../../session/unique-name.ts";
import { etcExceptions, etcNames } from "./etc-table.ts";

/** Files that are generated for sandboxes, by name. */
export type MadeFiles = Readonly<Record<string, string>>;

const source = "/etc";
const maxBytes = 16 * 1024 * 1024;
const oldMs = 30 * 24 * 60 * 60 * 1000;

/**
 * Returns the directory that serves as `/etc` in sandboxes. It is a copy, because separate mounts
 * would slow down every command; it is renewed when the system's changed. `names` selects what is
 * copied.
 */
export function copyEtc(directory: string, made: MadeFiles, names: RegExp = etcNames): string {
  const seen = look(names);
  const hash = createHash("sha256").update(seen).update(JSON.stringify(made)).digest("hex");
  const copy = join(directory, `etc-${hash.slice(0, 16)}`);
  if (existsSync(copy)) return copy;
  const unfinished = join(directory, `.${makeUniqueName()}`);
  mkdirSync(unfinished, { mode: 0o755 });
  try {
    for (const name of listNames(names)) copyReadable(join(source, name), join(unfinished, name));
    for (const [name, content] of Object.entries(made)) {
      writeFileSync(join(unfinished, name), content, { mode: 0o644 });
    }
    renameSync(unfinished, copy);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another process was quicker.
    if (!existsSync(copy)) throw error;
  }
  removeOld(directory, copy);
  return copy;
}

function listNames(names: RegExp): readonly string[] {
  return readdirSync(source).filter((name) => names.test(name));
}

/** A stamp that changes when any of it does, without reading all of it. */
function look(names: RegExp): string {
  return [...listNames(names), "ssl/certs", "pki/tls/certs", "ld.so.conf.d"]
    .map((name) => {
      const stats = lstatSync(join(source, name), { throwIfNoEntry: false });
      return `${name} ${stats?.ino} ${stats?.size} ${stats?.mtimeMs}`;
    })
    .join("\n");
}

function copyReadable(from: string, to: string): void {
  const stats = lstatSync(from, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (stats.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
  else if (!isForEverybody(stats)) return;
  else if (stats.isFile() && stats.size <= maxBytes) copyFileSync(from, to);
  else if (stats.isDirectory()) {
    mkdirSync(to, { mode: 0o755 });
    for (const name of readdirSync(from)) {
      if (!etcExceptions.test(name)) copyReadable(join(from, name), join(to, name));
    }
  }
}

function isForEverybody(stats: Stats): boolean {
  const needed = stats.isDirectory() ? 0o005 : 0o004;
  return (stats.mode & needed) === needed;
}

// Other processes may still use recent copies.
function removeOld(directory: string, current: string): void {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    if (!/^etc-|^\./u.test(name) || path === current) continue;
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && stats.ctimeMs < Date.now() - oldMs) {
      rmSync(path, { recursive: true, force: true });
    }
  }
}
