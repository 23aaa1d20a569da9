import { nameOf, parentOf } from "../paths/path-parts.ts";
import { readDirectoryRules, ruleNames } from "./directory-rules.ts";
import { OuterRules, readIgnoreEnvironment, type SearchStart } from "./outer-rules.ts";

/** Whether an ignore file takes a hidden file back in, in a search that starts in a directory. */
export function isKept(path: string, start: SearchStart): boolean {
  const directory = parentOf(path);
  const outer = new OuterRules(directory, readIgnoreEnvironment(), start).scope;
  const { rules } = readDirectoryRules(directory, ruleNames, outer);
  return outer.enter(directory, rules).judgeIn(directory)?.(nameOf(path), false) === "keep";
}
