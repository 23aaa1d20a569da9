import type { ListSessionsResponse } from "@agentclientprotocol/sdk";
import type { ThreadSummary } from "../../threads/threads.ts";
import { invalidParams } from "../request-errors.ts";

const pageSize = 100;

/** Returns a page of sessions, most recently used first. */
export function listSessions(
  threads: readonly ThreadSummary[],
  cursor: string | null | undefined,
): ListSessionsResponse {
  const start = cursor == null ? 0 : Number(cursor);
  if (!Number.isSafeInteger(start) || start < 0) {
    throw invalidParams(
      `${JSON.stringify(cursor)} is not a valid cursor. Use the nextCursor of a page.`,
    );
  }
  const page = threads.slice(start, start + pageSize);
  const isLast = start + pageSize >= threads.length;
  return {
    sessions: page.map(({ id, workspace, title, updatedAt }) => ({
      sessionId: id,
      cwd: workspace,
      ...(title !== undefined && { title }),
      updatedAt: new Date(updatedAt).toISOString(),
    })),
    ...(!isLast && { nextCursor: String(start + pageSize) }),
  };
}
