import type { JsonValue } from "@haft/contract";
import { describe, expect, it } from "vitest";
import { toCallTitle } from "./call-title.ts";

describe("the title of a call", () => {
  it.each<[string, JsonValue, string]>([
    ["read", { path: "src/a.ts" }, "read src/a.ts"],
    ["read", { path: "/project/src/a.ts", offset: 3 }, "read src/a.ts"],
    ["Read", { file_path: "/etc/hosts" }, "Read /etc/hosts"],
    ["read", { path: "/project" }, "read /project"],
    ["bash", { command: "npm test", cwd: "/project" }, "bash: npm test"],
    ["bash", { command: "cat <<X\nlong\nX" }, "bash: cat <<X…"],
    ["bash", { command: "true\n" }, "bash: true"],
    ["bash", { command: `echo ${"a".repeat(500)}` }, `bash: echo ${"a".repeat(108)}…`],
    ["bash", { command: "echo \u202eevil" }, "bash: echo \\u{202e}evil"],
    ["move_file", { from: "a", to: "/project/b" }, "move_file a → b"],
    ["grep", { pattern: "x y", path: "/project/src" }, "grep x y in src"],
    ["web_search", { query: "weather" }, "web_search weather"],
    ["web_fetch", { url: "https://a.b/" }, "web_fetch https://a.b/"],
    ["task", { subagent_type: "finder", prompt: "Look." }, "task finder: Look."],
    ["skill", { name: "pdf" }, "skill pdf"],
    ["oracle", { task: "Think." }, "oracle Think."],
    ["todo", { todos: [] }, "todo"],
    ["odd", { path: 5, command: "" }, "odd"],
    ["odd", "{ broken", "odd"],
    ["odd", null, "odd"],
    ["odd", [1], "odd"],
  ])("%s %j", (name, args, title) => {
    expect(toCallTitle({ name, arguments: args, cwd: "/project" })).toBe(title);
  });
});
