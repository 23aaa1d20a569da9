/** One point of the checklist for modules, and how the module does there. */
export interface ChecklistItem {
  readonly id: ChecklistId;
  /** What is asked, as a sentence. */
  readonly title: string;
  /** `skip`: it could not be looked at, or there is nothing to look at. */
  readonly status: "pass" | "fail" | "skip";
  /** Whether the module has to pass. */
  readonly required: boolean;
  /** What was found, unless all is well. */
  readonly message?: string;
  readonly remedy?: string;
}

/** The points of the checklist. */
export type ChecklistId =
  | "entry-point"
  | "protocol"
  | "input-schema"
  | "tool-result"
  | "errors"
  | "validates-input"
  | "observability"
  | "logs";

/** What was found at one point. */
export type Finding = Pick<ChecklistItem, "status" | "message" | "remedy">;

/** What is asked at each point, in the order in which it is looked at. */
export const checklist: Readonly<Record<ChecklistId, string>> = {
  "entry-point": "Has an entry point, whose mount() works",
  protocol: "Its tools have a name, a description and execute()",
  "input-schema": "Its tools have an input_schema with an object at the root",
  "tool-result": "execute() returns a ToolResult",
  errors: "execute() answers wrong input with success: false, and does not crash or hang",
  "validates-input": "execute() looks at its input before it does anything",
  observability: "Registers its events on observability.events",
  logs: "Logs what it does at fitting levels",
};
