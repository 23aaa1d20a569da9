import type { ByteSplice, FileSystem, WriteReceipt } from "@haft/contract";
import { changeThroughClient } from "./change-through-client.ts";
import { decodeText } from "./decode-text.ts";
import { diskVersion } from "./editor-text.ts";
import type { FileDelegation } from "./file-delegation.ts";
import { refusedByClient } from "./refused-by-client.ts";
import { mostDelegatedBytes, requireSeen, type SeenFile, seeFile } from "./seen-file.ts";

/**
 * Files of which the client has the last word: text in the workspace is read as the client holds it,
 * and the client is told of what is written. Our own files judge every path first, keep what can be
 * taken back and find conflicts; a path that they refuse never reaches the client.
 */
export function delegateFiles(files: FileSystem, delegation: FileDelegation): FileSystem {
  const see = (path: string): Promise<SeenFile | undefined> => seeFile(path, files, delegation);

  const takeBack = async (
    path: string,
    { version }: WriteReceipt,
    before: SeenFile | undefined,
  ): Promise<void> => {
    if (before === undefined) await files.remove(path);
    else await files.write(path, before.disk.content, { expect: version });
  };

  // The disk first: it judges the path, finds conflicts and keeps what can be taken back. Only then
  // the client, which may say no: then the disk goes back.
  const put = async ({ path, content, expect, write }: PutRequest): Promise<WriteReceipt> => {
    const before = await see(path);
    if (before !== undefined) requireSeen(path, expect, before);
    const local = expect === undefined ? undefined : diskVersion(expect);
    const receipt = await delegation.withStandIns(before?.standIns ?? new Map(), () =>
      write(local),
    );
    const name = delegation.write && delegation.findName(delegation.identify(path));
    const text = typeof content === "string" ? content : decodeText(content);
    const isText = text !== undefined && text.length <= mostDelegatedBytes;
    // What is there and is no text for the client is none of its business.
    if (name === undefined || !isText || (before === undefined && !receipt.created)) return receipt;
    try {
      await delegation.write?.(name, text);
    } catch (error) {
      await takeBack(path, receipt, before);
      throw refusedByClient(path, error);
    }
    return { ...receipt, version: (await files.stat(path)).version };
  };

  return {
    resolve: (path) => files.resolve(path),
    stat: (path) => files.stat(path),
    list: (path) => files.list(path),
    remove: (path) => files.remove(path),
    move: (from, to) => files.move(from, to),
    findFiles: (query) => files.findFiles(query),
    findText: (query) => files.findText(query),
    read: async (path, window) => {
      const seen = delegation.read && (await see(path));
      if (seen === undefined || seen.loaded === seen.disk) return files.read(path, window);
      const { content } = seen.loaded;
      if (window === undefined) return content;
      return content.subarray(window.offset, window.offset + window.length);
    },
    load: async (path) => {
      const seen = delegation.read && (await see(path));
      return seen?.loaded ?? files.load(path);
    },
    write: (path, content, options = {}) =>
      put({
        path,
        content,
        expect: options.expect,
        write: (expect) =>
          files.write(path, content, { ...options, ...(expect !== undefined && { expect }) }),
      }),
    splice: (path, splices, loaded) => {
      const content = joinSplices(loaded.content, splices);
      const isOfDisk = diskVersion(loaded.version) === loaded.version;
      return put({
        path,
        content,
        expect: loaded.version,
        write: (expect = loaded.version) =>
          isOfDisk ? files.splice(path, splices, loaded) : files.write(path, content, { expect }),
      });
    },
    change: (changes) => changeThroughClient(changes, { files, delegation }),
  };
}

interface PutRequest {
  readonly path: string;
  readonly content: Uint8Array | string;
  /** What whoever writes saw. */
  readonly expect: string | undefined;
  /** Writes it to the disk, which has to be at a version. */
  write(expect: string | undefined): Promise<WriteReceipt>;
}

function joinSplices(content: Uint8Array, splices: readonly ByteSplice[]): Uint8Array {
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const { start, end, bytes } of splices) {
    pieces.push(content.subarray(at, start), bytes);
    at = end;
  }
  pieces.push(content.subarray(at));
  return new Uint8Array(Buffer.concat(pieces));
}
