import { describe, expect, it } from "vitest";
import { makeCommandCall, makeWatchdogCall } from "../../test-support/watchdog-call.ts";
import { CallFacts } from "../reading/call-facts.ts";
import type { EarlierCall, WatchdogCall } from "../watchdog.ts";
import { secretEarlier } from "./secret-earlier.ts";

const nothing: EarlierCall = {
  tool: "read",
  kind: "read",
  startedAt: 0,
  arguments: {},
  subjects: [],
  failed: false,
  errorCode: undefined,
  isolation: undefined,
  identity: undefined,
};
const readSecret: EarlierCall = {
  ...nothing,
  subjects: [{ type: "file", key: "/w/.env", mode: "read", tree: false }],
};
const fetched = makeWatchdogCall({ tool: "web_fetch", kind: "fetch" });
const judge = (call: WatchdogCall, earlier: readonly EarlierCall[]) =>
  secretEarlier(new CallFacts({ ...call, earlier, isSecret: call.isSecret }));

describe("the rule on secrets that came before", () => {
  it.each<[string, EarlierCall]>([
    ["a read", readSecret],
    ["a command", { ...nothing, subjects: makeCommandCall("base64 .env").subjects }],
    ["a recorded read", { ...nothing, arguments: { path: ".env" } }],
    ["a recorded command", { ...nothing, kind: "execute", arguments: { cmd: "cat <.env|xxd" } }],
  ])("asks before a fetch that follows %s", (_, earlier) => {
    expect(judge(fetched, [nothing, earlier, nothing])).toEqual({
      action: "ask",
      reason: expect.stringMatching(/^this session may have read (?:\/w\/)?\.env,/u),
    });
  });

  it("asks before a command that reaches the net", () => {
    expect(judge(makeCommandCall("curl https://x.com"), [readSecret])).toMatchObject({
      action: "ask",
    });
    expect(judge(makeCommandCall("curl http://localhost:1"), [readSecret])).toBeUndefined();
    expect(judge(makeCommandCall("npm install"), [readSecret])).toBeUndefined();
  });

  it.each<[string, EarlierCall]>([
    ["nothing of that kind", nothing],
    ["a read that was refused", { ...readSecret, failed: true, errorCode: "secret-file" }],
    ["a command in the sandbox", { ...readSecret, isolation: "sandbox" }],
    ["a command that only names it", { ...nothing, subjects: makeCommandCall("ls .env").subjects }],
    [
      "a write",
      { ...readSecret, subjects: [{ type: "file", key: "/w/.env", mode: "write", tree: false }] },
    ],
    [
      "a text about it",
      { ...nothing, kind: "edit", arguments: { path: "x", content: "cat .env" } },
    ],
  ])("lets a fetch pass that follows %s", (_, earlier) => {
    expect(judge(fetched, [earlier])).toBeUndefined();
  });

  it("lets pass what stays here", () => {
    expect(judge(makeWatchdogCall(), [readSecret])).toBeUndefined();
  });
});
