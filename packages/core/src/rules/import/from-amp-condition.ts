import type { ForeignTool } from "./foreign-tool.ts";
import { fromCommandGlob } from "./from-command-glob.ts";
import { fromPathGlob } from "./from-path-glob.ts";
import type { ImportedPattern, Leaning } from "./imported-rules.ts";

type About = NonNullable<ForeignTool["about"]>;

const readers: Readonly<Record<About, (text: string, leaning: Leaning) => ImportedPattern>> = {
  command: fromCommandGlob,
  path: fromPathGlob,
  host: fromUrlGlob,
};

/**
 * Converts Amp's condition on an argument: a text with stars, a regular expression between slashes, or
 * a list of which one must match.
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
    ? { patterns: undefined, why: "only texts with stars can become rules" }
    : { patterns: ["*"], note: "it is not a text with stars, so the rule applies to everything" };
}

// An expression with only anchors and literal text can be written with stars.
function toGlob(text: string, about: About): string | undefined {
  const [, expression] = /^\/(.+)\/$/su.exec(text) ?? [];
  // A path could have slashes at both ends too, but is not written that way in practice.
  if (expression === undefined) return text;
  const [, start, plain, end] = /^(\^?)([^\\^$.*+?()[\]{}|]*)(\$?)$/su.exec(expression) ?? [];
  if (plain === undefined || about === "host") return undefined;
  return `${start === "" ? "*" : ""}${plain}${end === "" ? "*" : ""}`;
}

const hostName = String.raw`(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*`;
const site = new RegExp(String.raw`^(?:https?|\*)://(${hostName})(/.*|\*)?$`, "iu");
const mention = new RegExp(String.raw`^\*(${hostName})(?:/.*|\*)?$`, "iu");

/** Converts a URL pattern in which `*` stands for any characters to a host pattern. */
function fromUrlGlob(text: string, leaning: Leaning): ImportedPattern {
  const given = text.trim();
  if (/^\**$/u.test(given)) return { patterns: ["*"] };
  const [, host, rest = ""] = site.exec(given) ?? [];
  if (host !== undefined) {
    if (/^\/?\*+$/u.test(rest)) return { patterns: [host.toLowerCase()] };
    return leaning === "narrower"
      ? { patterns: undefined, why: "a rule applies to a whole host, not to a part of it" }
      : { patterns: [host.toLowerCase()], note: "the rule applies to the whole host" };
  }
  if (leaning === "narrower") return { patterns: undefined, why: "it names no host" };
  const named = mention.exec(given)?.[1];
  return named === undefined
    ? { patterns: ["*"], note: "it names no host, so the rule applies to all hosts" }
    : {
        patterns: [`*${named.toLowerCase()}*`],
        note: "the rule applies to hosts with such a name",
      };
}
