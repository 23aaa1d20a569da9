import type { InvocationRow } from "../store/schema.ts";

/** Where to search. Of several tools or kinds any will do. */
export interface SearchScope {
  readonly organization: string;
  readonly toolIds: readonly string[];
  readonly sourceTypes: readonly InvocationRow["source_type"][];
  readonly succeeded: boolean | undefined;
}

/**
 * Words that say whose an invocation is and what became of it. They stand in the index beside the
 * texts, so that it alone can tell which rows are meant.
 */
export function toScopeWords(
  row: Pick<InvocationRow, "org_id" | "tool_id" | "source_type" | "succeeded">,
): string[] {
  return [
    toWord("o", row.org_id),
    toWord("t", row.tool_id),
    toWord("s", row.source_type),
    toOutcome(row.succeeded === 1),
  ];
}

/** One of each of these words is wanted. */
export function toWantedWords(scope: SearchScope): readonly (readonly string[])[] {
  return [
    [toWord("o", scope.organization)],
    scope.toolIds.map((id) => toWord("t", id)),
    scope.sourceTypes.map((type) => toWord("s", type)),
    scope.succeeded === undefined ? [] : [toOutcome(scope.succeeded)],
  ].filter((words) => words.length > 0);
}

function toOutcome(succeeded: boolean): string {
  return succeeded ? "succeeded" : "failed";
}

// Two ids can become the same word only if they are no ids of ours; the rows are looked at again.
function toWord(kind: string, text: string): string {
  return kind + text.replace(/[^a-z0-9]/g, "");
}
