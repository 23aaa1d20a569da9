import type { PinnedTool } from "@haft/connect/mcp-client";
import { toVisibleText } from "@haft/core/internal";
import type { Io } from "../../../io.ts";

/** How a tool changed, for the person who accepts it. */
export interface ToolDifference {
  readonly name: string;
  readonly state: "changed" | "changed back" | "new" | "gone";
  readonly before?: PinnedTool;
  readonly after?: PinnedTool;
}

/** Compares the accepted tools with the server's current ones. */
export function findDifferences(
  pins: readonly PinnedTool[],
  now: readonly PinnedTool[],
): ToolDifference[] {
  const current = new Map(now.map((pin) => [pin.name, pin]));
  const accepted = pins.filter(({ state }) => state !== "new");
  const known = new Set(accepted.map(({ name }) => name));
  const differences = accepted.flatMap((before): ToolDifference[] => {
    const { name } = before;
    const after = current.get(name);
    if (after === undefined) return [{ name, state: "gone", before }];
    if (after.hash !== before.hash) return [{ name, state: "changed", before, after }];
    return before.state === "changed" ? [{ name, state: "changed back", before, after }] : [];
  });
  const fresh = now.filter(({ name }) => !known.has(name));
  return [
    ...differences,
    ...fresh.map((after) => ({ name: after.name, state: "new", after }) as const),
  ];
}

const headings: Readonly<Record<ToolDifference["state"], string>> = {
  changed: "changed",
  "changed back": "changed and is now as it was accepted again",
  new: "is new",
  gone: "is gone",
};

/** Prints the old and the new definition of each changed tool. */
export function showDifferences(differences: readonly ToolDifference[], io: Io): void {
  const print = (line: string): void => io.out(`${toVisibleText(line)}\n`);
  for (const { name, state, before, after } of differences) {
    print(`${name} ${headings[state]}`);
    if (state === "gone" || state === "changed back") continue;
    const lines = fields.flatMap((field) => compare(field, before?.[field], after?.[field]));
    if (lines.length === 0)
      print("  only in fields that are not shown: title, annotations or hidden characters");
    for (const line of lines) print(line);
  }
}

const fields = ["description", "parameters", "output", "kind", "fault"] as const;

function compare(field: string, before: unknown, after: unknown): string[] {
  const [was, is] = [toText(before), toText(after)];
  if (was === is) return [];
  return [
    `  ${field}:`,
    ...(was === undefined ? [] : indent(was, "-")),
    ...(is === undefined ? [] : indent(is, "+")),
  ];
}

function toText(value: unknown): string | undefined {
  if (value === undefined || typeof value === "string") return value as string | undefined;
  return JSON.stringify(value, undefined, 2);
}

function indent(text: string, mark: string): string[] {
  return text.split("\n").map((line) => `    ${mark} ${line}`);
}
