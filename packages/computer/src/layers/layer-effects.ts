import { type BigIntStats, readlinkSync } from "node:fs";
import { compareTexts, isInside } from "@haft/contract/internal";
import type { LayerEffect } from "@haft/core";
import { readUntrustedFile } from "../disk/read-untrusted-file.ts";
import { isProtectedPath } from "../paths/protected-path.ts";
import { isSecretPath } from "../paths/secret-path.ts";
import type { AppliedLayer, ApplyContext } from "./plan-layer.ts";
import type { LayerChange } from "./read-layer.ts";

const maxFileBytes = 256 * 1024;
const maxShownChanges = 20;
const maxShownLength = 8_000;

type EffectContext = Pick<ApplyContext, "roots" | "scope">;

/** Converts the changes on a layer for their review. */
export function toEffects(
  changes: readonly LayerChange[],
  context: EffectContext,
): readonly LayerEffect[] {
  return changes.map((change) => ({
    path: change.path,
    kind: change.kind,
    isDirectory: (change.after?.stats ?? change.before)?.isDirectory() ?? false,
    diff: (name) => compare(change, name, context),
  }));
}

/**
 * Compares the files of a few changes, before they are applied. Returns a function that joins the diffs
 * of those that were applied, unless that is long.
 */
export function compareFew(
  effects: readonly LayerEffect[],
  root = "",
): (applied: AppliedLayer) => string | undefined {
  if (effects.length > maxShownChanges) return () => undefined;
  const diffs = new Map(
    effects.map(({ path, diff }) => {
      return [path, diff(isInside(root, path) ? path.slice(root.length + 1) : path)];
    }),
  );
  return ({ changes }) => {
    const shown = changes.filter(({ kind, keptAt }) => kind !== "renamed" && keptAt === undefined);
    const text = shown.map(({ path }) => diffs.get(path) ?? "").join("");
    return text === "" || text.length > maxShownLength ? undefined : text;
  };
}

function compare(
  { path, kind, before, after }: LayerChange,
  name: string,
  { roots, scope }: EffectContext,
): string | undefined {
  if (kind === "mode" || !isShowable(path) || scope.isDenied(path, "read")) return undefined;
  const read = (file: string, stats: BigIntStats | undefined): string | undefined => {
    if (stats === undefined) return "";
    if (stats.isSymbolicLink()) return `link to ${readlinkSync(file)}\n`;
    const within = roots.find((root) => isInside(root, file));
    if (!stats.isFile() || within === undefined) return undefined;
    return toText(readUntrustedFile(file, { within, maxBytes: maxFileBytes }).bytes);
  };
  const old = read(path, kind === "created" ? undefined : before);
  const now = read(after?.source ?? "", after?.stats);
  return old === undefined || now === undefined ? undefined : compareTexts(name, old, now);
}

// What git keeps is not written for readers.
function isShowable(path: string): boolean {
  return !isSecretPath(path) && !isProtectedPath(path) && !path.includes("/.git/");
}

function toText(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined || bytes.includes(0)) return undefined;
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true });
