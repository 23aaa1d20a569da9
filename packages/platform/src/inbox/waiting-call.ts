/** What a call of a session would do, and what an answer stores. */
export const waitingCall = {
  type: "object",
  properties: {
    name: { type: "string" },
    workspace: { type: "string" },
    asker: { type: "string", description: "The command that asks, such as `haft mcp`." },
    reason: { type: "string", description: "Why it needs approval." },
    rules: {
      type: "array",
      items: { type: "string" },
      description:
        "The rules that `always` and `project` store. Empty if the call needs approval each time.",
    },
    may_edit_rules: {
      type: "boolean",
      description: "Whether an answer can store other rules instead.",
    },
    effects: {
      description: "For a command that has run: what it would change.",
      anyOf: [
        {
          type: "object",
          properties: {
            changes: {
              type: "array",
              items: {
                type: "object",
                properties: {
                  path: { type: "string" },
                  kind: { type: "string", enum: ["created", "modified", "deleted", "mode"] },
                  files: {
                    description: "For a directory: the number of its files.",
                    anyOf: [{ type: "integer", minimum: 0 }, { type: "null" }],
                  },
                },
                required: ["path", "kind", "files"],
              },
            },
            total: { type: "integer", minimum: 0 },
            diff: { type: "string" },
          },
          required: ["changes", "total", "diff"],
        },
        { type: "null" },
      ],
    },
    is_nested: { type: "boolean", description: "Whether a program makes the call." },
    is_held: { type: "boolean", description: "Whether the process that asked still waits." },
    current_text: {
      description:
        "For a call of `write`: the text that it replaces. Null in lists, and if it can't be shown.",
      anyOf: [{ type: "string" }, { type: "null" }],
    },
    stored_rules: {
      description: "The rules that the answer stored.",
      anyOf: [{ type: "array", items: { type: "string" } }, { type: "null" }],
    },
    rejection: {
      description: "What the model is told about a rejection.",
      anyOf: [{ type: "string" }, { type: "null" }],
    },
  },
  required: [
    "name",
    "workspace",
    "asker",
    "reason",
    "rules",
    "may_edit_rules",
    "effects",
    "is_nested",
    "is_held",
    "current_text",
    "stored_rules",
    "rejection",
  ],
} as const;
