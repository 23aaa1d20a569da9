import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { methods } from "@agentclientprotocol/sdk";
import { parseRule } from "@haft/core";
import { describe, expect, it } from "vitest";
import { call, say } from "../../test-support/model-server/index.ts";
import { drive, makeDirectory, updatesOf } from "../test-support/drive.ts";
import { openEditor } from "../test-support/editor.ts";
import { createClientPaths } from "./client-paths.ts";

describe("paths for a client", () => {
  it("are spelt as the client spells its directories", () => {
    const real: Readonly<Record<string, string>> = {
      "/link/": "/real/a",
      "/real/a/b": "/real/a/b",
    };
    const { find, show } = createClientPaths(["/link/", "/real/a/b"], (path) => real[path] ?? path);
    expect(find("/real/a")).toBe("/link");
    expect(find("/real/a/x")).toBe("/link/x");
    expect(find("/real/a/b/x")).toBe("/real/a/b/x");
    expect(find("/real/abc")).toBeUndefined();
    expect(show("/real/abc")).toBe("/real/abc");
    expect(createClientPaths(["/"], (path) => path).find("/a/b")).toBe("/a/b");
  });

  it("are those of a workspace behind a link in all that the client sees", async () => {
    const editor = openEditor();
    const { capabilities, equip } = editor;
    const script = [
      call("edit", { path: "a.txt", old_string: "one", new_string: "1" }),
      call("bash", { command: "true" }),
      say("Done."),
    ];
    const rules = [parseRule("* * allow")];
    const { agent, prompt, updates, workspace } = await drive({
      script,
      rules,
      capabilities,
      equip,
    });
    const cwd = join(makeDirectory(), "link");
    symlinkSync(workspace, cwd);
    writeFileSync(join(workspace, "a.txt"), "one\n");
    const { sessionId } = await agent.request(methods.agent.session.new, { cwd, mcpServers: [] });
    await prompt(sessionId, "Go.");
    const path = join(cwd, "a.txt");
    expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("1\n");
    expect(new Set(editor.log)).toEqual(
      new Set([`read ${path}`, `write ${path}`, "run true", "release"]),
    );
    const changed = updatesOf(updates, "tool_call_update").find((one) => one.locations);
    expect(changed).toMatchObject({
      content: [{ type: "diff", path }],
      locations: [{ path, line: 1 }],
    });
  });
});
