import { hash } from "node:crypto";
import { relative } from "node:path";
import type { DiskComputer, ProjectItem, ProjectItemKind } from "@haft/computer";
import { formatDiff } from "@haft/contract/internal";
import { toVisibleLine } from "@haft/core/internal";

/** Formats an item: its description, then its whole content or the difference. */
export function showItem(item: ProjectItem, computer: DiskComputer): string {
  const { heading, lines } = describeItem(item, computer);
  return [heading, ...lines.map((line) => `  ${line}`), ""]
    .map((line) => `${toVisibleLine(line)}\n`)
    .join("");
}

/** The description of an item. */
export interface DescribedItem {
  readonly heading: string;
  readonly change: "new" | "changed";
  readonly lines: readonly string[];
}

/** Describes an item completely and compares it with what was trusted before. */
export function describeItem(item: ProjectItem, computer: DiskComputer): DescribedItem {
  const { kind, path, content } = item;
  const shown = showPath(path, computer);
  const before = computer.trust.findTrusted(item);
  const change = before === undefined ? "new" : "changed";
  const note = before === undefined ? "" : " It has changed since you trusted it:";
  const heading = `${shown}: ${effects[kind]}.${note}`;
  if (kind === "rules") {
    return { heading, change, lines: toLines(content).map((line) => `+ ${line}`) };
  }
  if (isBinary(content)) {
    const facts = `${content.length} bytes of binary data, SHA-256 ${hash("sha256", content)}`;
    return { heading, change, lines: [facts] };
  }
  if (before === undefined || isBinary(before)) {
    return { heading, change, lines: toLines(content).map((line) => `| ${line}`) };
  }
  const old = Buffer.from(before).toString("utf8");
  const text = Buffer.from(content).toString("utf8");
  const { diff } = formatDiff(shown, old, [{ start: 0, end: old.length, text }]);
  return { heading, change, lines: diff.replace(/\n$/u, "").split("\n") };
}

/** Returns a path relative to the workspace if it is inside. */
export function showPath(path: string, { roots }: Pick<DiskComputer, "roots">): string {
  const way = relative(roots[0] as string, path);
  return way === "" || way.startsWith("..") ? path : way;
}

const effects: Readonly<Record<ProjectItemKind, string>> = {
  rules: "rules that allow calls without asking you",
  settings: "settings of haft agent, such as its model",
  agent: "an agent, with a prompt and tools of its own",
  skill: "a skill with commands or files that an agent may run",
  "toolbox script": "a script that runs as a tool",
  "mount plan": "a plan of modules to load",
  hooks: "hooks: commands that run around calls, with your permissions",
  "hook script": "a script that a hook runs, with your permissions",
  module: "a module, whose code runs with your permissions",
};

function toLines(content: Uint8Array): string[] {
  return Buffer.from(content).toString("utf8").replace(/\n$/u, "").split("\n");
}

function isBinary(content: Uint8Array): boolean {
  if (content.includes(0)) return true;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(content);
    return false;
  } catch {
    return true;
  }
}
