import { describe, expect, it } from "vitest";
import { explainFailure } from "./explain-failure.ts";
import { readAddress } from "./repository-address.ts";

const explain = (stderr: string) =>
  explainFailure(stderr, {
    address: readAddress("https://example.com/owner/name"),
    ref: "v9",
    depth: 1,
  });

describe("explainFailure", () => {
  it.each([
    [
      "fatal: could not read Username for 'https://example.com': terminal prompts disabled",
      "not-found",
      /credentials/u,
    ],
    ["remote: Repository not found.\nfatal: repository not found", "not-found", /no repository/u],
    ["warning: Could not find remote branch v9 to clone.\n", "not-found", /named v9/u],
    ["fatal: Remote branch v9 not found in upstream origin", "not-found", /named v9/u],
    [
      "fatal: unable to access 'https://example.com/': CONNECT tunnel failed, response 403",
      "out-of-scope",
      /--allow-host example\.com/u,
    ],
    ["remote: Haft: a:1 may not be reached: private.", "out-of-scope", /clone .*name\. git said/u],
    ["fatal: CONNECT tunnel failed, response 502", "unavailable", /can't be reached/u],
    ["fatal: Could not resolve host: example.com", "unavailable", /can't be reached/u],
    ["error: RPC failed; Operation too slow. Less than 1 bytes/sec", "timeout", /in time/u],
    ["fatal: dumb http transport does not support shallow capabilities", "failed", /history/u],
    ["fatal: write error: No space left on device", "quota", /room/u],
    ["fatal: something odd", "failed", /git said: something odd$/u],
    ["", "failed", /git said: nothing\.$/u],
  ])("explains %j", (stderr, code, message) => {
    expect(explain(stderr)).toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it("shows plain text without secrets, and not too much of it", () => {
    const { message } = explain(
      `fatal: \u001b[31mno\u001b[0m https://me:hunter2@example.com/x\n${"x".repeat(9_000)}`,
    );
    expect(message).toContain("git said: no https://example.com/x xxx");
    expect(message).not.toContain("hunter2");
    expect(message).not.toContain("\u001b");
    expect(message.length).toBeLessThan(1_500);
  });
});
