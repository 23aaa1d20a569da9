import { randomUUID } from "node:crypto";
import { readlinkSync, type Stats, statSync } from "node:fs";
import { chmod, chown, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { readUntrustedFile, type UntrustedRead } from "@haft/computer/internal";
import { ToolError } from "@haft/contract";

/** A settings file as it was read. */
export interface SettingsFile {
  readonly path: string;
  /** Its content; `undefined` if it does not exist yet. */
  readonly text: string | undefined;
}

/** Reads a settings file, which need not exist. */
export function readSettingsFile(path: string): SettingsFile {
  const complain = (why: string): ToolError =>
    new ToolError("failed", `${path} cannot be read: ${why}. Nothing was changed.`);
  const found = readFollowed(path);
  if (found.bytes === undefined) {
    if (found.isMissing) return { path, text: undefined };
    throw complain(`it ${found.fault}`);
  }
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return { path, text: decoder.decode(found.bytes) };
  } catch {
    throw complain("it is not UTF-8");
  }
}

// Settings files are often links to files elsewhere.
function readFollowed(path: string): UntrustedRead {
  try {
    const target = followLinks(path);
    return readUntrustedFile(target, { within: dirname(target), maxBytes });
  } catch {
    return { fault: "is a circular link", isMissing: false };
  }
}

/** Replaces the content of a settings file atomically. Fails if it changed since it was read. */
export async function writeSettingsFile(
  { path, text: before }: SettingsFile,
  text: string,
  { mode }: { readonly mode: number },
): Promise<void> {
  try {
    // A link stays a link; its target is changed.
    const target = followLinks(path);
    await mkdir(dirname(target), { recursive: true });
    const temporary = join(dirname(target), `.haft-${randomUUID()}`);
    try {
      await writeAside(temporary, text, {
        mode,
        like: statSync(target, { throwIfNoEntry: false }),
      });
      if (readSettingsFile(path).text !== before) {
        throw new Error("another program changed it in the meantime; try again");
      }
      await rename(temporary, target);
    } finally {
      await rm(temporary, { force: true });
    }
  } catch (error) {
    const why = (error as Error).message;
    throw new ToolError("failed", `${path} cannot be written: ${why}. Nothing was changed.`);
  }
}

async function writeAside(
  path: string,
  text: string,
  { mode, like }: { readonly mode: number; readonly like: Stats | undefined },
): Promise<void> {
  const file = await open(path, "wx", mode);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  if (like === undefined) return;
  const { uid, gid } = statSync(path);
  if (like.uid !== uid || like.gid !== gid) await chown(path, like.uid, like.gid);
  await chmod(path, like.mode & 0o7777);
}

const maxBytes = 64 * 1024 * 1024;
const maxLinks = 40;

// Resolved by hand, because the target of the last link may not exist yet.
function followLinks(path: string): string {
  let target = path;
  for (let count = 0; count < maxLinks; count++) {
    try {
      target = resolve(dirname(target), readlinkSync(target));
    } catch {
      return target;
    }
  }
  throw new Error("it is a circular link");
}
