import { createRequire } from "node:module";
import { isPlainObject } from "@haft/contract/internal";
import type * as Yaml from "yaml";
import { type FileFault, splitFrontMatter } from "../text-files/split-front-matter.ts";
import { readPlainFields } from "./read-plain-fields.ts";

/** The front matter fields and body of a skill. */
export interface FrontMatter {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** Whether it became valid YAML only after values with a colon were quoted. */
  readonly isRescued: boolean;
}

const maxHeadLength = 64 * 1024;

/** Parses the front matter of a skill, forgiving the mistake that people make most often. */
export function readFrontMatter(text: string): FrontMatter | FileFault {
  const parts = splitFrontMatter(text);
  if ("fault" in parts) return parts;
  if (parts.yaml.length > maxHeadLength) return { fault: "has more than 64 KB of front matter" };
  const parsed = parseHead(parts.yaml);
  return "fault" in parsed ? parsed : { ...parsed, body: parts.body };
}

function parseHead(head: string): Omit<FrontMatter, "body"> | FileFault {
  const plain = readPlainFields(head);
  if (plain !== undefined) return { fields: plain, isRescued: false };
  try {
    return requireMapping(parseYaml(head), false);
  } catch (error) {
    try {
      return requireMapping(parseYaml(quoteTexts(head)), true);
    } catch {
      const [reason] = (error as Error).message.split("\n");
      return { fault: `has front matter that is not valid YAML: ${reason}` };
    }
  }
}

function requireMapping(value: unknown, isRescued: boolean): Omit<FrontMatter, "body"> | FileFault {
  if (value === null) return { fields: {}, isRescued };
  if (!isPlainObject(value)) {
    return { fault: "has front matter that does not consist of `field: value` lines" };
  }
  return { fields: value, isRescued };
}

// Loaded on first use: it would slow down every start of a program that has skills.
function parseYaml(text: string): unknown {
  yaml ??= createRequire(import.meta.url)("yaml") as typeof Yaml;
  return yaml.parse(text, { logLevel: "error" });
}

let yaml: typeof Yaml | undefined;

const textField =
  /^(?<field>name|description|license|compatibility|allowed-tools):[ \t]+(?<value>\S.*)$/u;

// People write `description: Use this: …`, which is not valid YAML, and mean a string.
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
