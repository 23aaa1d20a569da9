import {
  type ChangeReceipt,
  type FileSystem,
  type PathChange,
  type PathState,
  ToolError,
} from "@haft/contract";
import { decodeText } from "./decode-text.ts";
import { diskVersion } from "./editor-text.ts";
import type { FileDelegation } from "./file-delegation.ts";
import { refusedByClient } from "./refused-by-client.ts";
import { requireSeen, type SeenFile, seeFile } from "./seen-file.ts";

/** What making several changes needs. */
export interface ChangeRoute {
  /** The files on disk. */
  readonly files: FileSystem;
  readonly delegation: FileDelegation;
}

/**
 * Makes several changes together and writes text files through the client. If the client refuses
 * one, all of them are undone.
 */
export async function changeThroughClient(
  changes: readonly PathChange[],
  route: ChangeRoute,
): Promise<readonly ChangeReceipt[]> {
  const { files, delegation } = route;
  const steps = await Promise.all(changes.map((change) => planStep(change, route)));
  const standIns = new Map(steps.flatMap(({ seen }) => [...(seen?.standIns ?? [])]));
  const receipts = await delegation.withStandIns(standIns, () =>
    files.change(steps.map(({ change }) => change)),
  );
  const told: Step[] = [];
  for (const step of steps) {
    if (step.told === undefined) continue;
    try {
      await delegation.write?.(step.told.name, step.told.text);
      told.push(step);
    } catch (error) {
      await takeBack(steps, told, route);
      throw refusedByClient(step.change.path, error);
    }
  }
  return Promise.all(
    receipts.map(async (receipt, index) =>
      steps[index]?.told === undefined
        ? receipt
        : { ...receipt, version: (await files.stat(receipt.path)).version },
    ),
  );
}

interface Step {
  /** The change on disk. */
  readonly change: PathChange;
  readonly seen: SeenFile | undefined;
  /** Content before. Absent if unknown. */
  readonly before: PathState | undefined;
  /** Text for the client. Absent if the client is not involved. */
  readonly told: { readonly name: string; readonly text: string } | undefined;
}

async function planStep(change: PathChange, { files, delegation }: ChangeRoute): Promise<Step> {
  const { path, to, expect } = change;
  const seen = await seeFile(path, files, delegation);
  if (seen !== undefined) requireSeen(path, expect, seen);
  const before = await findBefore(path, seen, files);
  const name = delegation.write && delegation.findName(delegation.identify(path));
  const text = to.kind === "file" ? decodeText(to.content) : undefined;
  const isWanted = name !== undefined && text !== undefined && before !== undefined;
  return {
    change: expect === undefined ? change : { ...change, expect: diskVersion(expect) },
    seen,
    before,
    told: isWanted ? { name, text } : undefined,
  };
}

async function findBefore(
  path: string,
  seen: SeenFile | undefined,
  files: FileSystem,
): Promise<PathState | undefined> {
  if (seen !== undefined) return { kind: "file", content: seen.disk.content, mode: seen.mode };
  try {
    await files.stat(path);
    return undefined;
  } catch (error) {
    const isAbsent = ToolError.isInstance(error) && error.code === "not-found";
    return isAbsent ? { kind: "absent" } : undefined;
  }
}

async function takeBack(
  steps: readonly Step[],
  told: readonly Step[],
  { files, delegation }: ChangeRoute,
): Promise<void> {
  await files.change(
    steps.flatMap(({ change: { path }, before }) =>
      before === undefined ? [] : [{ path, to: before, parents: true }],
    ),
  );
  for (const { told: last, before } of told) {
    const text = before?.kind === "file" ? decodeText(before.content) : undefined;
    if (last === undefined || text === undefined) continue;
    // The client may refuse this too, but the disk is restored in any case.
    await delegation.write?.(last.name, text).catch(() => {});
  }
}
