import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  assembleDiskComputer,
  createDiskComputer,
  type DiskComputer,
} from "../disk/disk-computer.ts";
import type { Pinning } from "../disk/pin.ts";
import { makeTemporaryDirectory } from "./temporary-directory.ts";

/** A workspace on disk with room beside it. */
export interface DiskWorkspace {
  readonly computer: DiskComputer;
  readonly root: string;
  /** A directory beside the workspace, out of every grant. */
  readonly outside: string;
  readonly stateDirectory: string;
}

/** Makes a workspace with these files for the running test. */
export function createDiskWorkspace(
  files: Readonly<Record<string, string>> = {},
  pinning?: Pinning,
): DiskWorkspace {
  const base = makeTemporaryDirectory();
  const root = join(base, "workspace");
  const outside = join(base, "outside");
  const stateDirectory = join(base, "state");
  mkdirSync(root);
  mkdirSync(outside);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content, { mode: 0o644 });
  }
  const options = { workspace: root, stateDirectory, home: join(base, "home") };
  const computer = pinning ? assembleDiskComputer(options, pinning) : createDiskComputer(options);
  return { computer, root, outside, stateDirectory };
}
