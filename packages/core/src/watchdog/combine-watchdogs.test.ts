import { describe, expect, it } from "vitest";
import { makeWatchdogCall } from "../test-support/watchdog-call.ts";
import { combineWatchdogs } from "./combine-watchdogs.ts";
import type { Watchdog } from "./watchdog.ts";

const allow: Watchdog = () => ({ action: "allow" });
const ask: Watchdog = () => ({ action: "ask", reason: "odd" });
const askLater: Watchdog = async () => ({ action: "ask", reason: "odd, later" });
const deny: Watchdog = () => ({ action: "deny", reason: "no" });
const denyLater: Watchdog = async () => ({ action: "deny", reason: "no, later" });
const call = makeWatchdogCall();

describe("combined watchdogs", () => {
  it.each<[string, Watchdog[], string]>([
    ["none", [], "allow"],
    ["those that allow", [allow, allow], "allow"],
    ["one that asks", [allow, ask, allow], "ask"],
    ["one that denies", [ask, deny, allow], "deny"],
  ])("of %s answer at once", (_, watchdogs, action) => {
    expect(combineWatchdogs(...watchdogs)(call)).toMatchObject({ action });
  });

  it.each<[Watchdog[], string]>([
    [[allow, askLater, allow], "odd, later"],
    [[ask, askLater], "odd; odd, later"],
    [[ask, denyLater], "no, later"],
    [[askLater, deny], "no"],
  ])("wait for those that take their time", async (watchdogs, reason) => {
    expect(await combineWatchdogs(...watchdogs)(call)).toMatchObject({ reason });
  });

  it("refuse if one gives no verdict", () => {
    const broken = (() => undefined) as never;
    expect(combineWatchdogs(allow, broken)(call)).toMatchObject({ action: "deny" });
    expect(() =>
      combineWatchdogs(allow, () => {
        throw new Error("broken");
      })(call),
    ).toThrow("broken");
  });

  it("stop at the first refusal", () => {
    let asked = 0;
    const combined = combineWatchdogs(deny, () => {
      asked++;
      return { action: "allow" };
    });
    expect(combined(call)).toMatchObject({ action: "deny" });
    expect(asked).toBe(0);
  });
});
