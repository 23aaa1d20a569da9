// For Haft's own packages. Unsupported: it changes without notice.
export { createMcpToolEndpoint, type McpToolEndpoint } from "./http/tool-endpoint.ts";
