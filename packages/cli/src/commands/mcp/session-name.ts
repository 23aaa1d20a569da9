import { randomBytes } from "node:crypto";
import type { ClientIdentity } from "@haft/connect/mcp-server";

/** Names the session of a client so that a person recognises it, such as claude-code-20261118-070102-3f9a. */
export function nameSession({ name }: ClientIdentity): string {
  const client = name
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/gu, "-")
    .replaceAll(/^-|-$/gu, "");
  const time = new Date()
    .toISOString()
    .replaceAll(/[-:]|\..*/gu, "")
    .replace("T", "-");
  return `${client.slice(0, 32) || "client"}-${time}-${randomBytes(2).toString("hex")}`;
}

/** Returns the client's name in the name of a session, if a client opened it. */
export function findClient(session: string): string | undefined {
  return /^(?<client>.+)-\d{8}-\d{6}-[\da-f]{4}$/u.exec(session)?.groups?.client;
}
