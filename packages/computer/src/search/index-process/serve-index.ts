import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { portablePinning } from "../../disk/portable-pinning.ts";
import { canPinThroughProc, procPinning } from "../../disk/proc-pinning.ts";
import { readIgnoreEnvironment } from "../outer-rules.ts";
import type { IndexReply, IndexRequest } from "./messages.ts";
import { TreeIndex, type TreeIndexOptions } from "./tree-index.ts";

/**
 * Keeps indexes in this process and serves its parent, one request after the other, until the parent
 * is gone.
 */
export function serveIndex(helperScript: string): void {
  const options: TreeIndexOptions = {
    pinning: canPinThroughProc() ? procPinning : portablePinning,
    environment: readIgnoreEnvironment(),
    helperScript,
  };
  const indexes = new Map<string, TreeIndex>();
  const atStart = measureMemory();

  const answer = async (request: IndexRequest): Promise<IndexReply> => {
    const { root } = request;
    const index = indexes.get(root);
    switch (request.type) {
      case "build":
        return { type: "built", root, isUsable: await build(request) };
      case "find": {
        index?.forget(request.changed);
        const found = await index?.find(request.query).catch(() => undefined);
        return { type: "found", id: request.id, ...(found && { found }) };
      }
      case "measure": {
        const bytes = measureMemory() - atStart + (index?.bytesOfHelpers ?? 0);
        const measure = { files: index?.size ?? 0, bytes, processId: process.pid };
        return { type: "measured", measure };
      }
    }
  };

  const build = async ({ root, ...sizes }: BuildRequest): Promise<boolean> => {
    indexes.get(root)?.close();
    indexes.delete(root);
    for (const [oldest, index] of indexes) {
      if (indexes.size < maxIndexes) break;
      index.close();
      indexes.delete(oldest);
    }
    const index = new TreeIndex(root, { ...options, ...sizes });
    const isUsable = await index.build().catch(() => false);
    if (isUsable) indexes.set(root, index);
    return isUsable;
  };

  let last = Promise.resolve();
  process.on("message", (request: IndexRequest) => {
    last = last.then(async () => {
      process.send?.(await answer(request));
    });
  });
  // The parent is gone.
  process.on("disconnect", () => process.exit());
}

type BuildRequest = Extract<IndexRequest, { type: "build" }>;

const maxIndexes = 4;

function measureMemory(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
