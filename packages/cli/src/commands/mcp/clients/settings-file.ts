import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync, type Stats, statSync } from "node:fs";
import { chmod, chown, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { ToolError } from "@haft/contract";

/** A settings file as it was when it was read. */
export interface SettingsFile {
  readonly path: string;
  /** What is in it; nothing where there is none yet. */
  readonly text: string | undefined;
}

/** Reads a settings file; it need not be there. */
export function readSettingsFile(path: string): SettingsFile {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      readFileSync(path),
    );
    return { path, text };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return { path, text: undefined };
    const why = code === "ERR_ENCODING_INVALID_ENCODED_DATA" ? "it is not UTF-8" : message;
    throw new ToolError("failed", `${path} can't be read: ${why}. Nothing was changed.`);
  }
}

/** Gives a settings file another content, all at once; what it was before must still be so. */
export async function writeSettingsFile(
  { path, text: before }: SettingsFile,
  text: string,
  { mode }: { readonly mode: number },
): Promise<void> {
  try {
    // A link stays one: what it leads to is what changes.
    const target = followLinks(path);
    await mkdir(dirname(target), { recursive: true });
    const temporary = join(dirname(target), `.haft-${randomUUID()}`);
    try {
      await writeAside(temporary, text, {
        mode,
        like: statSync(target, { throwIfNoEntry: false }),
      });
      if (readSettingsFile(path).text !== before) {
        throw new Error("it was changed by another program just now; try again");
      }
      await rename(temporary, target);
    } finally {
      await rm(temporary, { force: true });
    }
  } catch (error) {
    const why = (error as Error).message;
    throw new ToolError("failed", `${path} can't be written: ${why}. Nothing was changed.`);
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

const mostLinks = 40;

// By hand, because what the last link leads to may not be there yet.
function followLinks(path: string): string {
  let target = path;
  for (let count = 0; count < mostLinks; count++) {
    try {
      target = resolve(dirname(target), readlinkSync(target));
    } catch {
      return target;
    }
  }
  throw new Error("its links lead round in a circle");
}
