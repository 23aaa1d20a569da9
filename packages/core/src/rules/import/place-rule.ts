import { escapeGlob } from "@haft/contract";
import type { Rule } from "../rule.ts";

/** Where imported rules are to hold, so that their paths can be told apart. */
export interface ImportPlace {
  /** The workspace. */
  readonly root: string;
  readonly home: string | undefined;
}

/** A rule with its path in full, as far as that is known. Other patterns stay what they are. */
export function placeRule(rule: Rule, place: ImportPlace | undefined): Rule {
  const { permission, pattern } = rule;
  if (place === undefined || !isOnPaths(permission) || /^(?:\/|\*{1,2}$)/u.test(pattern))
    return rule;
  if (pattern.startsWith("~/")) {
    const { home } = place;
    return home === undefined
      ? rule
      : { ...rule, pattern: `${escapeGlob(home)}${pattern.slice(1)}` };
  }
  return { ...rule, pattern: `${escapeGlob(place.root)}/${pattern}` };
}

function isOnPaths(permission: string): boolean {
  return !/^(?:bash|web_\w+|mcp:.*)$/u.test(permission);
}
