export type { AcpBackend, AcpMcpServer, AcpOpen, AcpSession } from "./acp-backend.ts";
export type { DelegatedParts } from "./delegation/delegate-computer.ts";
export { type AcpServing, type AcpStreams, serveAcp } from "./serve-acp.ts";
