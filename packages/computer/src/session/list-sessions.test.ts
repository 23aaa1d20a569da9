import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createDiskWorkspace } from "../test-support/disk-workspace.ts";
import { listSessions } from "./list-sessions.ts";

describe("listSessions", () => {
  it("lists what was stored or touched, the last used first", async () => {
    const { computer, root, stateDirectory } = createDiskWorkspace();
    const [stored, touched, opened] = ["stored", "touched", "opened"].map((name) =>
      computer.openSession(name),
    );
    await stored?.state.set("key", 1);
    touched?.touch();
    utimesSync(join(stored?.directory ?? "", "session.json"), 1, 1);
    const sessions = listSessions(stateDirectory);
    expect(sessions).toMatchObject([
      { name: "touched", id: touched?.id, workspace: root, directory: touched?.directory },
      { name: "stored", id: stored?.id, workspace: root, modifiedMs: 1000 },
    ]);
    await stored?.state.set("key", 2);
    expect(listSessions(stateDirectory).map(({ name }) => name)).toEqual(["stored", "touched"]);
    expect(opened).toBeDefined();
  });

  it("passes over what is not a session", () => {
    const { computer, stateDirectory } = createDiskWorkspace();
    computer.openSession("s").touch();
    mkdirSync(join(stateDirectory, "sessions/x/broken"), { recursive: true });
    writeFileSync(join(stateDirectory, "sessions/x/broken/session.json"), "{");
    writeFileSync(join(stateDirectory, "sessions/file"), "");
    expect(listSessions(stateDirectory).map(({ name }) => name)).toEqual(["s"]);
    expect(listSessions(join(stateDirectory, "none"))).toEqual([]);
  });
});
