import { describe, expect, it } from "vitest";
import { bytesOf } from "../test-support/open-scope.ts";
import { describeSessions } from "../test-support/session.conformance.ts";
import { createMemoryComputer } from "./memory-computer.ts";

describeSessions("memory", () => createMemoryComputer());

describe("a session in memory", () => {
  it("remembers changes", () => {
    const { journal, changes } = createMemoryComputer().openSession("s");
    const content = bytesOf("new");
    journal.record([
      { callId: "c", path: "/a", before: { kind: "absent" }, after: { kind: "file", content } },
    ]);
    content.fill(0);
    expect(changes).toMatchObject([
      { callId: "c", path: "/a", after: { kind: "file", content: bytesOf("new") } },
    ]);
  });
});
