import { describe, expect, it } from "vitest";
import { createTestWorkspace } from "../test-support/run-haft.ts";

describe("a client of a platform", () => {
  it.each([
    ["http://203.0.113.1:1", true],
    ["http://127.0.0.1:1", false],
    ["http://[::1]:1", false],
    ["https://127.0.0.1:1", false],
  ])("warns if the key for %s travels in clear: %s", async (url, isWarned) => {
    const stop = new AbortController();
    stop.abort();
    const { stderr } = await createTestWorkspace().haft(["tool", "list"], {
      environment: { HAFT_URL: url, HAFT_API_KEY: "key" },
      signal: stop.signal,
    });
    expect(stderr.includes(`the API key travels unencrypted to ${url}`)).toBe(isWarned);
  });
});
