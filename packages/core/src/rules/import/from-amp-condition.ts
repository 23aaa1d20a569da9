import type { ForeignTool } from "./foreign-tool.ts";
import { fromCommandGlob } from "./from-command-glob.ts";
import { fromPathGlob } from "./from-path-glob.ts";
import { fromUrlGlob } from "./from-url-glob.ts";
import type { ImportedPattern, Leaning } from "./imported-rules.ts";

type About = NonNullable<ForeignTool["about"]>;

const readers: Readonly<Record<About, (text: string, leaning: Leaning) => ImportedPattern>> = {
  command: fromCommandGlob,
  path: fromPathGlob,
  host: fromUrlGlob,
};

/**
 * Reads what Amp holds an argument against: a text with stars, a regular expression between slashes,
 * or several of them, of which one must fit.
 */
export function fromAmpCondition(
  condition: unknown,
  about: About,
  leaning: Leaning,
): ImportedPattern {
  const parts = (Array.isArray(condition) ? condition : [condition]).map((one) =>
    fromText(one, about, leaning),
  );
  const refused = parts.find((part) => part.patterns === undefined);
  if (refused !== undefined) return refused;
  const read = parts.filter((part) => part.patterns !== undefined);
  const bounds = read.flatMap(({ bounds }) => bounds ?? []);
  const notes = new Set(read.flatMap(({ note }) => note ?? []));
  return {
    patterns: read.flatMap(({ patterns }) => patterns),
    ...(bounds.length === 0 ? {} : { bounds }),
    ...(notes.size === 0 ? {} : { note: [...notes].join("; ") }),
  };
}

function fromText(condition: unknown, about: About, leaning: Leaning): ImportedPattern {
  const text = typeof condition === "string" ? toGlob(condition, about) : undefined;
  if (text !== undefined) return readers[about](text, leaning);
  return leaning === "narrower"
    ? { patterns: undefined, why: "only texts with stars can be made rules" }
    : { patterns: ["*"], note: "it is no text with stars, so the rule holds for all" };
}

// An expression that only says where it starts or ends is as good as stars.
function toGlob(text: string, about: About): string | undefined {
  const [, expression] = /^\/(.+)\/$/su.exec(text) ?? [];
  // A path may have slashes at both ends; nobody writes one so.
  if (expression === undefined) return text;
  const [, start, plain, end] = /^(\^?)([^\\^$.*+?()[\]{}|]*)(\$?)$/su.exec(expression) ?? [];
  if (plain === undefined || about === "host") return undefined;
  return `${start === "" ? "*" : ""}${plain}${end === "" ? "*" : ""}`;
}
