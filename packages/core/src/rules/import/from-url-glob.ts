import type { ImportedPattern, Leaning } from "./imported-rules.ts";

const hostName = String.raw`(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*`;
const site = new RegExp(String.raw`^(?:https?|\*)://(${hostName})(/.*|\*)?$`, "iu");
const mention = new RegExp(String.raw`^\*(${hostName})(?:/.*|\*)?$`, "iu");

/** What a pattern on addresses, in which `*` stands for any characters, is as one on hosts. */
export function fromUrlGlob(text: string, leaning: Leaning): ImportedPattern {
  const given = text.trim();
  if (/^\**$/u.test(given)) return { patterns: ["*"] };
  const [, host, rest = ""] = site.exec(given) ?? [];
  if (host !== undefined) {
    if (/^\/?\*+$/u.test(rest)) return { patterns: [host.toLowerCase()] };
    return leaning === "narrower"
      ? { patterns: undefined, why: "a rule is about a whole host, not about a part of it" }
      : { patterns: [host.toLowerCase()], note: "the rule holds for the whole host" };
  }
  if (leaning === "narrower") return { patterns: undefined, why: "it names no host" };
  const named = mention.exec(given)?.[1];
  return named === undefined
    ? { patterns: ["*"], note: "it names no host, so the rule holds for all" }
    : { patterns: [`*${named.toLowerCase()}*`], note: "the rule holds for hosts so named" };
}
