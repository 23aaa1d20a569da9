import { type AskRequest, parseRule } from "@haft/core";
import { describe, expect, it } from "vitest";
import { toPermissionOptions } from "../asking/permission-options.ts";
import { describeAsked } from "./asked-call.ts";

const request: AskRequest = {
  ...{ session: "s", callId: "c", name: "bash", tool: "bash", reason: "it changed files" },
  arguments: { command: "./gen.sh" },
  rules: [parseRule("fs.write gen/** allow")],
  effects: {
    changes: [
      { path: "gen", kind: "created", files: 40 },
      { path: "a\n```\nb", kind: "deleted" },
    ],
    total: 41,
    diff: "--- a/x\n+++ b/x\n-one\n+two\u202e\n",
  },
  wouldAllow: async () => ({ calls: 0, count: 0, examples: [] }),
  toWaiting: () => ({ call: undefined, dialect: "portable", shown: "", files: [] }),
  signal: new AbortController().signal,
};

describe("a question about what a command changed", () => {
  it("shows the changes and their diff", () => {
    const place = { cwd: "/w", show: (path: string) => path };
    const { content } = describeAsked(request, { place, kindOf: () => "execute", own: "s" });
    const [block] = content ?? [];
    const text = block?.type === "content" && block.content.type === "text" && block.content.text;
    expect(text).toContain(`  command: ./gen.sh

  created   gen/ (40 files)
  deleted   a\\u{a}\`\`\`\\u{a}b

  diff:
    | --- a/x
    | +++ b/x
    | -one
    | +two\\u{202e}
`);
  });

  it("offers to allow calls like it in its program, or to stop that", () => {
    const program = { callId: "p", call: 7, calls: 40, rules: [parseRule("edit src/* allow")] };
    const options = toPermissionOptions({ rules: request.rules, program });
    expect(options.map(({ optionId, name }) => [optionId, name]).slice(1, 2)).toEqual([
      ["program", "Always until this program ends: edit src/* allow"],
    ]);
    expect(options.map(({ optionId }) => optionId)).toContain("stop");
    const fewer = toPermissionOptions({ rules: [], program: { ...program, rules: [] } });
    expect(fewer.map(({ optionId }) => optionId)).toEqual(["once", "reject", "stop"]);
  });

  it("offers to apply or to discard them", () => {
    const names = toPermissionOptions(request).map(({ name }) => name);
    expect(names.filter((name) => !name.startsWith("Always"))).toEqual(["Apply once", "Discard"]);
    expect(names).toContain("Always in this project: fs.write gen/** allow");
  });
});
