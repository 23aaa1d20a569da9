import { describe, expect, it } from "vitest";
import { bytesOf } from "../test-support/open-scope.ts";
import { describeSessions } from "../test-support/session.conformance.ts";
import { createMemoryComputer } from "./memory-computer.ts";

describeSessions("memory", () => createMemoryComputer());

describe("a session in memory", () => {
  it("remembers changes", () => {
    const { journal, changes } = createMemoryComputer().openSession("s");
    const after = bytesOf("new");
    journal.record({ callId: "c", path: "/a", before: undefined, after, modeBefore: undefined });
    after.fill(0);
    expect(changes).toMatchObject([{ callId: "c", path: "/a", after: bytesOf("new") }]);
  });
});
