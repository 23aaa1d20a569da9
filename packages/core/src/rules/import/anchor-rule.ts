import { escapeGlob } from "@haft/contract/internal";
import type { Rule } from "../rule.ts";

/** Where imported rules apply, so that their paths can be compared. */
export interface ImportLocation {
  /** The workspace. */
  readonly root: string;
  readonly home: string | undefined;
}

/** Makes the path of a rule absolute if possible. Other patterns stay unchanged. */
export function anchorRule(rule: Rule, place: ImportLocation | undefined): Rule {
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
