import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, say } from "./support/model-server.ts";
import { openPlace } from "./support/open-place.ts";
import { runAcpx } from "./support/run-acpx.ts";

const scribe = (fields: string): string => `---
description: Keeps notes.
mode: primary
${fields}
---
You keep notes.
`;

/** Runs the agent scribe of a user, with a script of calls of files beside the workspace. */
async function openScribe(fields: string, script: Parameters<typeof openPlace>[0]) {
  const place = await openPlace(script);
  const { base, home } = place;
  const agents = join(home, ".config/haft/agents");
  const library = join(base, "library");
  const data = join(home, ".local/share/haft");
  for (const directory of [agents, library, data]) mkdirSync(directory, { recursive: true });
  writeFileSync(join(agents, "scribe.md"), scribe(fields));
  writeFileSync(join(library, "a.txt"), "from the library\n");
  writeFileSync(join(data, "b.txt"), "from the user's data\n");
  const run = (...args: string[]) => place.agent(["--yes", ...args, "go"]);
  return { ...place, library, data, run };
}

describe("the manifest of an agent", () => {
  it("adds its roots to the workspace, for this agent only (003:111)", async () => {
    const script = [
      call("read", { path: "../../library/a.txt" }),
      call("write", { path: "../../library/c.txt", content: "new\n" }),
      call("glob", { pattern: "*.txt", path: "../../library" }),
      call("bash", { command: "cat ../../library/a.txt" }),
      say("Done."),
    ];
    const own = await openScribe("roots: [../../library]", script);
    expect(await own.run("--agent", "scribe")).toMatchObject({ code: 0 });
    const [, read, , found, printed] = own.model.requests.map(({ lastText }) => lastText);
    expect(read).toContain("from the library");
    expect(readFileSync(join(own.library, "c.txt"), "utf8")).toBe("new\n");
    expect(found).toContain(join(own.library, "c.txt"));
    expect(printed).toContain("from the library");
    const other = await openScribe("roots: [../../library]", [script[0] as never, say("Done.")]);
    await other.run();
    expect(other.model.requests[1]?.lastText).toContain("outside what this session may access");
  });

  it("adds its roots in an editor too", async () => {
    const place = await openScribe("roots: [../../library]", [
      call("read", { path: "../../library/a.txt" }),
      say("Done."),
    ]);
    writeFileSync(join(place.home, ".config/haft/settings.json"), '{ "agent": "scribe" }');
    const client = ["--format", "json", "--approve-all", "exec", "Go."];
    await runAcpx(place, { client });
    expect(place.model.requests[1]?.lastText).toContain("from the library");
  });

  it("opens {user-data} for the tools that it names it for (003:113)", async () => {
    const fields = 'requires: { fs: { read: ["{user-data}/**"] } }';
    const path = "~/.local/share/haft/b.txt";
    const own = await openScribe(fields, [
      call("read", { path }),
      call("write", { path, content: "" }),
      say("Done."),
    ]);
    await own.run("--agent", "scribe");
    expect(own.model.requests[1]?.lastText).toContain("from the user's data");
    expect(own.model.requests[2]?.lastText).toContain("outside what this session may access");
  });
});
