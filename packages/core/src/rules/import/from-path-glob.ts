import type { ImportedPattern, Leaning } from "./imported-rules.ts";

/** Converts a path pattern in which `*` stands for any characters, including slashes. */
export function fromPathGlob(text: string, leaning: Leaning): ImportedPattern {
  const given = text.trim().replace(/^\.\//u, "");
  if (/^\**$/u.test(given)) return { patterns: ["**"] };
  // Whether these are literal there is not documented. In Haft they are special.
  const special = given.search(/[?[\]{},\\]/u);
  if (leaning === "narrower") {
    return special < 0
      ? { patterns: [given] }
      : { patterns: undefined, why: "the meaning of its brackets and marks is unclear" };
  }
  if (special >= 0) return widened(given.slice(0, special));
  const segments = given.split("/");
  const inside = segments.findIndex((segment) => /[^*]\*+[^*]/u.test(segment));
  if (inside >= 0) {
    const head = segments[inside]?.split("*", 1)[0] ?? "";
    return widened([...segments.slice(0, inside), head].join("/"));
  }
  const pattern = segments.map(widenSegment).join("/");
  return { patterns: [pattern.replaceAll(/(?:\*\*\/)+/gu, "**/").replace(/(?:\/\*\*)+$/u, "/**")] };
}

// A star that meets text may stand for whole directories as well.
function widenSegment(segment: string): string {
  if (/^\*+$/u.test(segment)) return "**";
  const name = segment.replaceAll(/\*+/gu, "*");
  const fromAbove = name.startsWith("*") ? `**/${name}` : name;
  return name.endsWith("*") ? `${fromAbove}/**` : fromAbove;
}

function widened(head: string): ImportedPattern {
  const start = head.replace(/\*.*$/u, "");
  const pattern = start === "" ? "**" : `${start}*/**`;
  return {
    patterns: [pattern],
    note: `the rule applies to everything that starts with "${start}"`,
  };
}
