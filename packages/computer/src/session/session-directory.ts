import { hash } from "node:crypto";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { isSystemError } from "../disk/system-error.ts";
import { nameOf } from "../paths/path-parts.ts";
import { makeDirectories } from "./make-directories.ts";
import { writeSmallFile } from "./small-file.ts";
import { storageError } from "./storage-error.ts";

/** The content of `session.json`, which lets sessions be listed. */
export interface SessionFacts {
  readonly version: 1;
  readonly id: string;
  readonly name: string;
  readonly workspace: string;
}

/** A session's directory, which is created when something is first stored in it. */
export interface SessionDirectory {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  /** Creates the directory if necessary and records that the session is in use. */
  touch(): void;
  /** The path of a directory in it, which is created if necessary. */
  make(name: string): string;
}

/** Where the sessions of one workspace are stored. */
export interface SessionOrigin {
  /** The first workspace root. */
  readonly root: string;
  readonly stateDirectory: string;
}

/** The directory of all sessions of a workspace. */
export function locateWorkspace({ root, stateDirectory }: SessionOrigin): string {
  return join(stateDirectory, "sessions", toWorkspaceId(root));
}

/** The directory of the session of this name. */
export function locateSession(name: string, origin: SessionOrigin): SessionDirectory {
  const workspace = toWorkspaceId(origin.root);
  const path = join(locateWorkspace(origin), name);
  const facts: SessionFacts = {
    version: 1,
    id: `${workspace}/${name}`,
    name,
    workspace: origin.root,
  };

  const touch = (): void => {
    const file = join(path, "session.json");
    const now = new Date();
    try {
      utimesSync(file, now, now);
    } catch (error) {
      if (!isSystemError(error) || error.code !== "ENOENT") throw storageError(error, path);
      makePrivate(path);
      writeSmallFile(file, `${JSON.stringify(facts)}\n`, path);
    }
  };

  return {
    id: facts.id,
    name,
    path,
    touch,
    make: (child) => {
      touch();
      const directory = join(path, child);
      makePrivate(directory);
      return directory;
    },
  };
}

/** The ID of a workspace; the IDs of its sessions start with it. */
export function toWorkspaceId(root: string): string {
  return `${slugOf(root)}-${hash("sha256", root).slice(0, 8)}`;
}

function slugOf(root: string): string {
  const slug = nameOf(root)
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, "-")
    .replace(/^-|-$/gu, "")
    .slice(0, 32);
  return slug === "" ? "workspace" : slug;
}

function makePrivate(directory: string): void {
  try {
    makeDirectories(directory, 0o700);
  } catch (error) {
    throw storageError(error, directory);
  }
}
