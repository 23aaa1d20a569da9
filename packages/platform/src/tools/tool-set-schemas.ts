import type { Filled, Wire } from "../api/wire.ts";

const setName = {
  type: "string",
  pattern: "^[a-z0-9][a-z0-9_-]{0,63}$",
  description: "Up to 64 lowercase letters, digits, - and _.",
} as const;

const instructions = {
  type: "string",
  maxLength: 10_000,
  pattern: "^[^\\u0000]*$",
  default: "",
} as const;

const newSetTool = {
  type: "object",
  properties: {
    tool_id: {
      type: "string",
      minLength: 1,
      maxLength: 100,
      pattern: "^[^\\u0000]*$",
      description: "ID or name of the tool.",
    },
    version: {
      type: "string",
      minLength: 1,
      maxLength: 200,
      default: "latest",
      description: "An exact version, `latest` or a constraint such as `>=1.2,<2`.",
    },
    name: {
      anyOf: [{ type: "string", pattern: "^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$" }, { type: "null" }],
      description: "The tool's name in the set. Default: its own.",
    },
    instructions: instructions as typeof instructions,
  },
  required: ["tool_id"],
} as const;

const newSetTools = {
  type: "array",
  maxItems: 500,
  items: newSetTool as typeof newSetTool,
} as const;

/** A tool set to create. */
export const newToolSetBody = {
  type: "object",
  properties: {
    name: setName as typeof setName,
    instructions: instructions as typeof instructions,
    tools: newSetTools as typeof newSetTools,
  },
  required: ["name", "tools"],
} as const;

/** What replaces a tool set. */
export const toolSetBody = {
  type: "object",
  properties: {
    instructions: instructions as typeof instructions,
    tools: newSetTools as typeof newSetTools,
  },
  required: ["tools"],
} as const;

const setTool = {
  type: "object",
  properties: {
    tool_id: { type: "string" },
    tool_name: { type: "string", description: "The tool's own name." },
    version: { type: "string" },
    name: { anyOf: [{ type: "string" }, { type: "null" }] },
    instructions: { type: "string" },
  },
  required: ["tool_id", "tool_name", "version", "name", "instructions"],
} as const;

/** A tool set. */
export const toolSetReply = {
  type: "object",
  properties: {
    id: { type: "string" },
    name: { type: "string" },
    instructions: { type: "string", description: "For models that use the set." },
    tools: { type: "array", items: setTool as typeof setTool },
    created_at: { type: "string", format: "date-time" },
    updated_at: { type: "string", format: "date-time" },
  },
  required: ["id", "name", "instructions", "tools", "created_at", "updated_at"],
} as const;

/** The tool sets of an organization. */
export const toolSetList = {
  type: "object",
  properties: { tool_sets: { type: "array", items: toolSetReply as typeof toolSetReply } },
  required: ["tool_sets"],
} as const;

/** The organization and the set in a path. */
export const toolSetParams = {
  type: "object",
  properties: { organization: { type: "string" }, set_name: setName as typeof setName },
  required: ["organization", "set_name"],
} as const;

/** A tool set. */
export type ToolSet = Wire<typeof toolSetReply>;

/** A tool set to create. */
export type NewToolSet = Wire<typeof newToolSetBody>;

/** What replaces a tool set. */
export type ToolSetContent = Wire<typeof toolSetBody>;

/** A tool set to create, with defaults filled in. */
export type FilledToolSet = Filled<typeof newToolSetBody>;
