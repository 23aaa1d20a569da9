import { parseRule, type Rule } from "./rule.ts";

// Reading and searching are allowed, and taking back what Haft did; whatever else changes files or
// runs programs has no line here and is therefore asked. Any rule of a person's own goes before.
const text = `
read ** allow
glob ** allow
grep ** allow
repo_overview ** allow
undo_edit ** allow
todo ** allow
`;

/** The rules that hold where nobody made one. */
export const defaultRules: readonly Rule[] = text.trim().split("\n").map(parseRule);
