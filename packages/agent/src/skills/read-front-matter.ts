import { createRequire } from "node:module";
import type * as Yaml from "yaml";
import { readPlainFields } from "./read-plain-fields.ts";

/** A file's head and body. */
export interface FrontMatter {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** It was no YAML until texts in it were put into quotes. */
  readonly isRescued: boolean;
}

/** What is wrong with a head, as the rest of a sentence. */
export interface FrontMatterFault {
  readonly fault: string;
}

const mostHeadLength = 64 * 1024;

/** Takes a file apart that begins with YAML between two lines of `---`. */
export function readFrontMatter(text: string): FrontMatter | FrontMatterFault {
  const lines = text.replaceAll(/\r\n?/gu, "\n");
  const opened = /^\s*---[ \t]*\n/u.exec(lines);
  if (opened === null) return { fault: "has no front matter: begin it with a line ---" };
  const rest = lines.slice(opened[0].length);
  const closed = /^---[ \t]*(?:\n|$)/mu.exec(rest);
  if (closed === null)
    return { fault: "has front matter without an end: close it with a line ---" };
  const head = rest.slice(0, closed.index);
  if (head.length > mostHeadLength) return { fault: "has more than 64 KB of front matter" };
  const body = rest.slice(closed.index + closed[0].length);
  const parsed = parseHead(head);
  return "fault" in parsed ? parsed : { ...parsed, body };
}

function parseHead(head: string): Omit<FrontMatter, "body"> | FrontMatterFault {
  const plain = readPlainFields(head);
  if (plain !== undefined) return { fields: plain, isRescued: false };
  try {
    return requireMapping(parseYaml(head), false);
  } catch (error) {
    try {
      return requireMapping(parseYaml(quoteTexts(head)), true);
    } catch {
      const [reason] = (error as Error).message.split("\n");
      return { fault: `has front matter that is no YAML: ${reason}` };
    }
  }
}

function requireMapping(
  value: unknown,
  isRescued: boolean,
): Omit<FrontMatter, "body"> | FrontMatterFault {
  if (value === null) return { fields: {}, isRescued };
  if (typeof value !== "object" || Array.isArray(value)) {
    return { fault: "has front matter that is no list of `field: value` lines" };
  }
  return { fields: value as Record<string, unknown>, isRescued };
}

// Loaded when it is needed: every start of a program that has skills would pay for it.
function parseYaml(text: string): unknown {
  yaml ??= createRequire(import.meta.url)("yaml") as typeof Yaml;
  return yaml.parse(text, { logLevel: "error" });
}

let yaml: typeof Yaml | undefined;

const textField =
  /^(?<field>name|description|license|compatibility|allowed-tools):[ \t]+(?<value>\S.*)$/u;

// People write `description: Use this: …`, which is no YAML, and mean a text.
function quoteTexts(head: string): string {
  const quoted: string[] = [];
  const lines = head.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string;
    const { field, value } = textField.exec(line)?.groups ?? {};
    if (field === undefined || value === undefined || /^["'|>]/u.test(value)) {
      quoted.push(line);
      continue;
    }
    const parts = [value];
    while (/^[ \t]+\S/u.test(lines[at + 1] ?? "")) parts.push(lines[++at] as string);
    quoted.push(`${field}: ${JSON.stringify(parts.map((part) => part.trim()).join(" "))}`);
  }
  return quoted.join("\n");
}
