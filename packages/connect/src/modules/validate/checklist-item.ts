/** One item of the module checklist and its outcome. */
export interface ChecklistItem {
  readonly id: ChecklistId;
  /** The requirement, in the words of the Tool Contract's validation checklist. */
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
  "entry-point": "mount() function with entry point in pyproject.toml or package.json",
  protocol: "Implements Tool protocol (name, description, execute)",
  "input-schema": "Provides JSON schema via input_schema property",
  "tool-result": "Returns ToolResult from execute()",
  errors: "Handles errors gracefully (returns success=False, doesn't crash)",
  "validates-input": "Validates input before processing",
  observability: "Registers observability events",
  logs: "Logs operations at appropriate levels",
};
