// For Haft's own packages. Unsupported: it changes without notice.
export { findReference, toFormContent } from "./host/ask-form.ts";
export { createMcpToolEndpoint, type McpToolEndpoint } from "./http/tool-endpoint.ts";
