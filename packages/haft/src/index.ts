export { createMemoryComputer } from "@haft/computer/memory";
export { toAiSdkTools, toPrepareStep, toToolApproval } from "@haft/connect/ai-sdk";
export { defineTool, ToolError } from "@haft/contract";
export { parseRule, type Rule, type Session } from "@haft/core";
export { builtinTools } from "@haft/tools";
export { type OpenSessionOptions, openSession } from "./open-session.ts";
export { type ServeMcpOptions, serveMcp } from "./serve-mcp.ts";
