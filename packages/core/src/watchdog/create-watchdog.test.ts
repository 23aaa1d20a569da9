import { describe, expect, it } from "vitest";
import { makeCommandCall, makeWatchdogCall } from "../test-support/watchdog-call.ts";
import { createWatchdog } from "./create-watchdog.ts";

const watchdog = createWatchdog();

describe("Haft's own watchdog", () => {
  it("lets pass what has none of its shapes", () => {
    expect(watchdog(makeWatchdogCall())).toEqual({ action: "allow" });
    expect(watchdog(makeCommandCall("npm test"))).toEqual({ action: "allow" });
  });

  it("answers at once", () => {
    expect(watchdog(makeCommandCall("rm -rf /"))).toMatchObject({ action: "deny" });
  });

  it("says the strictest that any of its rules says", () => {
    const line = "git push --force ; rm -rf /home/me ; git stash clear";
    expect(watchdog(makeCommandCall(line))).toMatchObject({
      action: "deny",
      reason: expect.stringContaining("rm would delete /home/me"),
    });
  });

  it("asks once with all reasons if a call has several shapes", () => {
    expect(watchdog(makeCommandCall("git push --force ; git stash clear"))).toMatchObject({
      action: "ask",
      shape: "history-rewriting",
    });
    expect(watchdog(makeCommandCall("git push --force ; systemctl enable x"))).toMatchObject({
      action: "ask",
      shape: "history-rewriting+persistence",
      reason: expect.stringMatching(/; systemctl enable makes/u),
    });
  });

  it("looks at every command that a call runs", () => {
    const subjects = ["ls", "git push --force"].flatMap((line) => makeCommandCall(line).subjects);
    expect(watchdog(makeWatchdogCall({ subjects }))).toMatchObject({ action: "ask" });
  });

  it("looks away from what it is told to", () => {
    const lenient = createWatchdog({ without: ["history-rewriting"] });
    expect(lenient(makeCommandCall("git push --force"))).toEqual({ action: "allow" });
    expect(lenient(makeCommandCall("rm -rf /"))).toMatchObject({ action: "deny" });
  });

  it("ignores a command that was not parsed", () => {
    const [subject] = makeCommandCall("rm -rf /").subjects;
    const { reading: _, ...unread } = subject as NonNullable<typeof subject>;
    expect(watchdog(makeWatchdogCall({ subjects: [unread] }))).toEqual({ action: "allow" });
  });
});
