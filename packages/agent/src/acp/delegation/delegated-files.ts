import type { ByteSplice, FileSystem, WriteReceipt } from "@haft/contract";
import { changeThroughClient } from "./change-through-client.ts";
import { decodeText } from "./decode-text.ts";
import { diskVersion } from "./editor-text.ts";
import type { FileDelegation } from "./file-delegation.ts";
import { refusedByClient } from "./refused-by-client.ts";
import { maxDelegatedBytes, requireSeen, type SeenFile, seeFile } from "./seen-file.ts";

/**
 * Creates files whose text the client controls: text in the workspace is read from the client's buffers,
 * and written through it. The local files check every path first, keep the undo data
 * and detect conflicts. A path that they refuse never reaches the client.
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

  // The disk first: it checks the path, detects conflicts and keeps the undo data. Then
  // the client, which may refuse: then the disk is restored.
  const put = async ({ path, content, expect, write }: PutRequest): Promise<WriteReceipt> => {
    const before = await see(path);
    if (before !== undefined) requireSeen(path, expect, before);
    const local = expect === undefined ? undefined : diskVersion(expect);
    const receipt = await delegation.withStandIns(before?.standIns ?? new Map(), () =>
      write(local),
    );
    const name = delegation.write && delegation.findName(delegation.identify(path));
    const text = typeof content === "string" ? content : decodeText(content);
    const isText = text !== undefined && text.length <= maxDelegatedBytes;
    // An existing file that is not text does not go through the client.
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
  /** The file as the writer read it. */
  readonly expect: string | undefined;
  /** Writes to the disk, which must have the given version. */
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
