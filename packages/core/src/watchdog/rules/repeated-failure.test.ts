import type { ErrorCode, ToolKind } from "@haft/contract";
import { describe, expect, it } from "vitest";
import { makeWatchdogCall } from "../../test-support/watchdog-call.ts";
import { CallFacts } from "../reading/call-facts.ts";
import type { EarlierCall } from "../watchdog.ts";
import { repeatedFailure } from "./repeated-failure.ts";

function ended(identity: string, errorCode?: ErrorCode, kind: ToolKind = "read"): EarlierCall {
  return {
    tool: "read",
    kind,
    startedAt: 1_000_000,
    arguments: {},
    subjects: [],
    failed: errorCode !== undefined,
    errorCode,
    isolation: undefined,
    identity,
  };
}

const fail = ended("this", "not-found");
const judge = (earlier: readonly EarlierCall[]) =>
  repeatedFailure(new CallFacts(makeWatchdogCall({ earlier, startedAt: 1_001_000 })));

describe("a failing call that is repeated", () => {
  it("is refused the fourth time, with what failed and what to do", () => {
    expect(judge([fail, fail])).toBeUndefined();
    expect(judge([fail, fail, fail])).toEqual({
      action: "deny",
      reason: expect.stringMatching(
        /This very call of read failed 3 times \(not-found\).*Try something else/u,
      ),
    });
    expect(judge(Array.from({ length: 50 }, () => fail))).toMatchObject({ action: "deny" });
  });

  it("is refused also if it alternates with another", () => {
    const other = ended("other", "failed");
    expect(judge([fail, other, fail, other, fail, other])).toMatchObject({ action: "deny" });
    expect(judge([other, fail, other, fail, other])).toBeUndefined();
  });

  it("is refused also if others only looked meanwhile", () => {
    const look = ended("look", undefined, "search");
    expect(judge([fail, look, fail, look, look, fail, look])).toMatchObject({ action: "deny" });
  });

  it("stays refused after it was refused", () => {
    const refused = ended("this", "blocked-by-watchdog");
    expect(judge([fail, fail, fail, refused, refused])).toMatchObject({ action: "deny" });
  });

  it.each<[string, readonly EarlierCall[]]>([
    ["it succeeded", [fail, fail, ended("this"), fail]],
    ["it failed otherwise", [fail, ended("this", "conflict"), fail]],
    ["something was changed", [fail, fail, fail, ended("edit", undefined, "edit")]],
    ["a command ran", [fail, fail, fail, ended("bash", undefined, "execute")]],
    [
      "it never ran",
      [ended("this", "headless"), ended("this", "headless"), ended("this", "headless")],
    ],
    ["it was cancelled", [fail, fail, ended("this", "cancelled")]],
    ["others failed", [ended("a", "failed"), ended("b", "failed"), ended("c", "failed")]],
    ["it was long ago", [fail, fail, fail].map((call) => ({ ...call, startedAt: 700_000 }))],
    ["nothing is known", []],
  ])("may be tried if %s", (_, earlier) => {
    expect(judge(earlier)).toBeUndefined();
  });
});
