import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { pack } from "tar-stream";
import type { Files } from "./scaffold-files.ts";

const compress = promisify(gzip);
const longAgo = new Date(0);

/** Packs files below one folder into a `.tar.gz`. The same files always make the same bytes. */
export async function packTarball(files: Files, folder: string): Promise<Uint8Array> {
  const archive = pack();
  for (const directory of findFolders(files, folder)) {
    archive.entry({ name: `${directory}/`, type: "directory", mode: 0o755, mtime: longAgo });
  }
  for (const [path, bytes] of files) {
    const header = { name: `${folder}/${path}`, mode: 0o644, mtime: longAgo };
    archive.entry(header, Buffer.from(bytes));
  }
  archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive) chunks.push(Buffer.from(chunk as Uint8Array));
  return compress(Buffer.concat(chunks));
}

function findFolders(files: Files, folder: string): readonly string[] {
  const folders = new Set([folder]);
  for (const path of files.keys()) {
    const parts = path.split("/").slice(0, -1);
    for (const index of parts.keys()) folders.add([folder, ...parts.slice(0, index + 1)].join("/"));
  }
  return [...folders].sort();
}
