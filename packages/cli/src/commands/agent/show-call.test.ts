import { describe, expect, it } from "vitest";
import { showCall } from "./show-call.ts";

describe("showCall", () => {
  it.each([
    ["read", { path: "src/a.ts", offset: 3 }, "read src/a.ts"],
    ["Read", { file_path: "/w/a.ts" }, "Read /w/a.ts"],
    ["bash", { command: "npm test\n  -- x", cwd: "a" }, "bash npm test -- x"],
    ["shell", { command: ["ls", "-l"] }, "shell ls -l"],
    ["grep", { pattern: "foo", path: "src" }, "grep foo in src"],
    ["grep", { pattern: "foo" }, "grep foo"],
    ["move_file", { from: "a", to: "b" }, "move_file a to b"],
    ["task", { subagent_type: "finder", prompt: "where?" }, "task finder: where?"],
    ["todo", { todos: [{ content: "x" }] }, "todo 1 task"],
    ["todo", {}, "todo"],
    ["question", { questions: [{ question: "Which?" }] }, "question Which?"],
    ["question", { questions: [] }, "question"],
    ["odd", { count: 3, label: "seen" }, "odd seen"],
    [
      "apply_patch",
      { patch: "*** Begin Patch\n*** Add File: a\n+x\n*** Update File: b\n" },
      "apply_patch a, b",
    ],
    ["apply_patch", { patch: "--- a/x\n+++ b/x\n@@\n--- a/y\n+++ /dev/null\n" }, "apply_patch x"],
    ["broken", "{not json", "broken {not json"],
    ["none", null, "none"],
    ["list", [1], "list"],
  ])("reports %s %j", (name, args, line) => {
    expect(showCall({ name, arguments: args })).toBe(line);
  });

  it("is one line of bounded length that is safe to show", () => {
    const line = showCall({ name: "x\u001b]0;", arguments: { command: `${"é\n".repeat(1e5)}` } });
    expect(line).toMatch(/^x\\u\{1b\}\]0; é é .*…$/u);
    expect(line.length).toBeLessThan(200);
  });
});
