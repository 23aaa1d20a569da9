import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { extract, type Header } from "tar-stream";
import { BackupError } from "./backup-error.ts";
import {
  type BackupFile,
  type BackupManifest,
  manifestName,
  maxManifestBytes,
  parseManifest,
} from "./backup-manifest.ts";

interface Entry extends AsyncIterable<unknown> {
  readonly header: Header;
}

/** Unpacks a backup into an empty directory. Accepts only what the manifest lists. */
export async function extractBackup(file: string, directory: string): Promise<BackupManifest> {
  const entries = extract();
  const source = createReadStream(file);
  source.on("error", (error) => entries.destroy(error));
  source.pipe(entries);
  let manifest: BackupManifest | undefined;
  const missing = new Map<string, BackupFile>();
  try {
    for await (const entry of entries) {
      if (manifest === undefined) {
        manifest = await readManifest(entry);
        for (const each of manifest.files) missing.set(each.path, each);
        continue;
      }
      const { name, type } = entry.header;
      const expected = missing.get(name);
      if (expected === undefined || type !== "file") {
        throw new BackupError(
          `The backup contains ${JSON.stringify(name)}, which its manifest does not list.`,
        );
      }
      missing.delete(name);
      await writeEntry(entry, expected, directory);
    }
  } catch (error) {
    throw explain(error, file);
  } finally {
    source.destroy();
  }
  if (manifest === undefined) throw new BackupError("This file is not a Haft backup.");
  const [lost] = missing.keys();
  if (lost !== undefined) throw new BackupError(`The backup is incomplete: ${lost} is missing.`);
  return manifest;
}

async function readManifest(entry: Entry): Promise<BackupManifest> {
  const { name, size = 0, type } = entry.header;
  if (name !== manifestName || type !== "file" || size > maxManifestBytes) {
    throw new BackupError("This file is not a Haft backup.");
  }
  const chunks: Buffer[] = [];
  for await (const chunk of entry) chunks.push(chunk as Buffer);
  return parseManifest(Buffer.concat(chunks).toString("utf8"));
}

async function writeEntry(entry: Entry, expected: BackupFile, directory: string): Promise<void> {
  const path = join(directory, expected.path);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const hash = createHash("sha256");
  const handle = await open(path, "wx", 0o600);
  let bytes = 0;
  try {
    for await (const piece of entry) {
      const chunk = piece as Buffer;
      bytes += chunk.length;
      if (bytes > expected.bytes) break;
      hash.update(chunk);
      await handle.writeFile(chunk);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (bytes !== expected.bytes || hash.digest("hex") !== expected.sha256) {
    throw new BackupError(`The backup is damaged: ${expected.path} does not match its checksum.`);
  }
}

function explain(error: unknown, file: string): unknown {
  if (error instanceof BackupError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return new BackupError(`There is no file ${file}.`);
  if (code !== undefined) return new BackupError(`${file} can't be restored: ${message}`);
  return new BackupError(`${file} is damaged, or is not a Haft backup: ${message}.`);
}
