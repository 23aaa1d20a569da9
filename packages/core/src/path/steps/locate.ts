import type { FileSystem } from "@haft/contract";
import { clipText, isPlainObject } from "@haft/contract/internal";
import type { Call } from "../call.ts";
import type { CallContext } from "../context.ts";
import { openToRead } from "../open-to-read.ts";

/**
 * Finds the file that a path means if it is written as in a chat, a diff or a search result:
 * `@src/app.ts`, `src/app.ts:4`, `a/src/app.ts`, in quotes. Only built-in tools, and only if nothing has
 * the path as it stands. Everything after this judges the path that was found.
 */
export function locate(call: Call, context: CallContext): undefined | Promise<void> {
  if (call.tool.source !== "builtin" || !isPlainObject(call.args)) return undefined;
  for (const field of fields) {
    const path = call.args[field];
    if (typeof path === "string" && mark.test(path)) return locateAll(call, context);
  }
  const { patch } = call.args;
  return typeof patch === "string" && patchMark.test(patch) ? locateAll(call, context) : undefined;
}

const fields = ["path", "from", "to", "cwd"] as const;
const mark = /^[@\s"'`<]|^[ab]\/|^file:\/\/|[\s"'`>]$|\\|:\d+(?:[-:]\d+)?:?$|#L\d/u;
const header = /^(\s*\*\*\* (?:Update|Delete) File: *)(\S.*?)\s*$/gmu;
const patchMark = /^\s*\*\*\* (?:Update|Delete) File: *(?:[@"'`]|[ab]\/)/mu;

async function locateAll(call: Call, context: CallContext): Promise<void> {
  const args = call.args as Readonly<Record<string, unknown>>;
  const search = new PathSearch(call, context);
  for (const field of fields) {
    const path = args[field];
    if (typeof path !== "string" || !mark.test(path)) continue;
    const mayBeNew = field === "to" || (call.tool.id === "write" && field === "path");
    const meant = await search.find(path, mayBeNew);
    if (meant === undefined) continue;
    call.args = { ...(call.args as object), [field]: meant };
    note(call, `${field} ${quote(path)} was read as ${quote(meant)}.`);
  }
  if (typeof args.patch === "string") await locateInPatch(call, args.patch, search);
}

async function locateInPatch(call: Call, patch: string, search: PathSearch): Promise<void> {
  const meant = new Map<string, string>();
  for (const [, , path] of patch.matchAll(header)) {
    if (path === undefined || !mark.test(path) || meant.size === maxInPatch) continue;
    const found = await search.find(path, false);
    if (found !== undefined) meant.set(path, found);
  }
  if (meant.size === 0) return;
  const located = patch.replaceAll(header, (line, start: string, path: string) => {
    const found = meant.get(path);
    return found === undefined ? line : start + found;
  });
  call.args = { ...(call.args as object), patch: located };
  for (const [path, found] of meant) note(call, `${quote(path)} was read as ${quote(found)}.`);
}

const maxInPatch = 100;

class PathSearch {
  readonly #call: Call;
  readonly #context: CallContext;
  readonly #files: FileSystem;

  constructor(call: Call, context: CallContext) {
    this.#call = call;
    this.#context = context;
    this.#files = openToRead(context.grantOf(call.tool), context.computer);
  }

  /** Returns what a path means: the one thing that exists, or a place for a new file. */
  async find(path: string, mayBeNew: boolean): Promise<string | undefined> {
    if (await this.#has(path)) return undefined;
    const found: string[] = [];
    for (const reading of toReadings(path)) if (await this.#has(reading)) found.push(reading);
    if (found.length > 0) return found.length === 1 ? found[0] : undefined;
    return mayBeNew ? this.#findNew(path) : undefined;
  }

  async #findNew(path: string): Promise<string | undefined> {
    const meant = toPlain(path.replace(/^@/u, ""));
    const [top = ""] = path.split("/");
    // A directory may be named like that, such as `@types`.
    if (meant === path || meant === "" || (path.startsWith("@") && (await this.#has(top)))) {
      return undefined;
    }
    const parent = meant.includes("/") ? meant.slice(0, meant.lastIndexOf("/")) : ".";
    return parent === "" || (await this.#has(parent)) ? meant : undefined;
  }

  // What a rule denies counts as existing, so that the answer does not tell whether it is there.
  async #has(path: string): Promise<boolean> {
    try {
      const absolute = this.#files.resolve(path);
      if (this.#isDenied(absolute)) return true;
      await this.#files.stat(absolute);
      return true;
    } catch {
      return false;
    }
  }

  #isDenied(path: string): boolean {
    const { tool } = this.#call;
    const rules = this.#context.rules();
    const writes = tool.requires.fs?.write !== undefined;
    return rules.denies(tool, path, "read") || (writes && rules.denies(tool, path, "write"));
  }
}

/** Removes what surrounds a path in text, and writes it with slashes. */
function toPlain(path: string): string {
  return path
    .replace(/^[\s"'`<]+/u, "")
    .replace(/[\s"'`>]+$/u, "")
    .replace(/^file:\/\/(?=\/)/u, "")
    .replaceAll(/\\+/gu, "/");
}

/** Returns all other ways to read a path. */
function toReadings(path: string): ReadonlySet<string> {
  let readings = [path, toPlain(path)];
  for (const sign of [/^@/u, /(?::\d+(?:[-:]\d+)?:?|#L\d+(?:-L?\d+)?)$/u, /^[ab]\//u]) {
    readings = readings.flatMap((each) => [each, each.replace(sign, "")]);
  }
  return new Set(readings.filter((each) => each !== path && each !== ""));
}

function note(call: Call, text: string): void {
  call.notes = [...(call.notes ?? []), text];
}

function quote(path: string): string {
  return JSON.stringify(clipText(path, maxShown));
}

const maxShown = 200;
