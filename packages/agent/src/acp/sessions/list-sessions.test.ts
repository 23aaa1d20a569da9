import { describe, expect, it } from "vitest";
import { listSessions } from "./list-sessions.ts";

describe("the list of sessions", () => {
  it("comes in pages", () => {
    const threads = Array.from({ length: 205 }, (_, index) => ({
      id: `s${index}`,
      name: `s${index}`,
      workspace: "/project",
      createdAt: 0,
      updatedAt: index,
      entries: 1,
      calls: 0,
    }));
    const ids: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page = listSessions(threads, cursor);
      ids.push(...page.sessions.map(({ sessionId }) => sessionId));
      cursor = page.nextCursor;
    } while (cursor != null);
    expect(ids).toEqual(threads.map(({ id }) => id));
    expect(listSessions(threads, null).sessions[1]).toEqual({
      sessionId: "s1",
      cwd: "/project",
      updatedAt: "1970-01-01T00:00:00.001Z",
    });
    expect(listSessions(threads, "205")).toEqual({ sessions: [] });
    for (const wrong of ["-1", "a", "1.5"])
      expect(() => listSessions(threads, wrong)).toThrow(wrong);
  });
});
