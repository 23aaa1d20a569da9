import { hash } from "node:crypto";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { isSystemError } from "../disk/system-error.ts";
import { nameOf } from "../paths/path-parts.ts";
import { makeDirectories } from "./make-directories.ts";
import { writeSmallFile } from "./small-file.ts";
import { storageError } from "./storage-error.ts";

/** What `session.json` says, so that sessions can be listed. */
export interface SessionFacts {
  readonly version: 1;
  readonly id: string;
  readonly name: string;
  readonly workspace: string;
}

/** A session's directory, which is not made before something is stored in it. */
export interface SessionDirectory {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  /** Makes the directory if need be and notes that the session is in use. */
  touch(): void;
  /** The path of a directory in it, which exists afterwards. */
  make(name: string): string;
}

/** Where sessions of one workspace are. */
export interface SessionOrigin {
  /** The first workspace root. */
  readonly root: string;
  readonly stateDirectory: string;
}

/** The directory of all sessions of a workspace. */
export function locateWorkspace({ root, stateDirectory }: SessionOrigin): string {
  return join(stateDirectory, "sessions", nameWorkspace(root));
}

/** The directory of the session of this name. */
export function locateSession(name: string, origin: SessionOrigin): SessionDirectory {
  const workspace = nameWorkspace(origin.root);
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

function nameWorkspace(root: string): string {
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
