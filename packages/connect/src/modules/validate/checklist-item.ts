/** One item of the module checklist and its outcome. */
export interface ChecklistItem {
  readonly id: ChecklistId;
  /** The requirement, as a sentence. */
  readonly title: string;
  /** `skip`: it could not be checked, or there is nothing to check. */
  readonly status: "pass" | "fail" | "skip";
  /** Whether the module must pass this item. */
  readonly required: boolean;
  /** The problem, if there is one. */
  readonly message?: string;
  readonly remedy?: string;
}

/** The items of the checklist. */
export type ChecklistId =
  | "entry-point"
  | "protocol"
  | "input-schema"
  | "tool-result"
  | "errors"
  | "validates-input"
  | "observability"
  | "logs";

/** The outcome of one item. */
export type Finding = Pick<ChecklistItem, "status" | "message" | "remedy">;

/** The requirements, in the order in which they are checked. */
export const checklist: Readonly<Record<ChecklistId, string>> = {
  "entry-point": "Has an entry point with a working mount()",
  protocol: "Its tools have a name, a description and execute()",
  "input-schema": "Its tools have an input_schema with an object at the root",
  "tool-result": "execute() returns a ToolResult",
  errors: "execute() returns success: false for wrong input and does not crash or hang",
  "validates-input": "execute() validates its input first",
  observability: "Registers its events on observability.events",
  logs: "Logs its work at suitable levels",
};
