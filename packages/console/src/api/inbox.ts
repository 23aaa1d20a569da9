import type { paths } from "./schema.d.ts";
import type { Ok } from "./tools.ts";

/** Something that waits for a person. */
export type InboxItem = Ok<paths["/v1/{organization}/inbox"]["get"]>["items"][number];

/** Whether an item can be answered with yes or no. */
export function isYesOrNo({ schema, kind }: Pick<InboxItem, "schema" | "kind">): boolean {
  const { type } = (typeof schema === "object" && schema !== null ? schema : {}) as {
    type?: unknown;
  };
  return kind === "approval" || type === "boolean";
}

/** Yes or no in the form that the item expects. */
export function toAnswer({ kind }: Pick<InboxItem, "kind">, isYes: boolean): unknown {
  return kind === "approval" ? (isYes ? "once" : "no") : isYes;
}
