import { createMemoryComputer } from "@haft/computer/memory";
import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { createRegistry } from "../../registry/registry.ts";
import { createSession } from "../../session/session.ts";
import { makeResultEnvironment } from "../../test-support/make-result-environment.ts";
import { amp } from "./amp.ts";
import { readWebPage } from "./search.ts";

const show = (data: object): unknown => readWebPage.toData?.(data, {}, makeResultEnvironment());

describe("what read_web_page gives", () => {
  it("is the text of the page", () => {
    expect(show({ url: "https://a.io/", status: 200, text: "# Page\n" })).toBe("# Page\n");
  });

  it("is that and what there is to know beside it", () => {
    expect(show({ text: "Gone.", note: "The server answered with status 404." })).toBe(
      "Gone.\n\n[The server answered with status 404.]",
    );
  });

  it("is whatever there is where there is no text", () => {
    expect(show({ url: "x" })).toEqual({ url: "x" });
  });

  it("is up to 262,144 bytes, which may take 120 seconds (000:326,360)", async () => {
    const webFetch = new MockTool({
      name: "web_fetch",
      source: "builtin",
      requires: {},
      output: { url: "https://a.io/", status: 200, text: "x".repeat(300_000) },
    });
    const session = createSession({
      registry: createRegistry([webFetch]),
      computer: createMemoryComputer(),
      dialect: amp,
    });
    const result = await session.call({
      name: "read_web_page",
      arguments: { url: "https://a.io/" },
    });
    expect(result).toMatchObject({
      data: `${"x".repeat(262_144)}\n\n[Tool result truncated: 293KB exceeds limit. Please refine the query.]`,
      metadata: { truncated: true },
    });
    expect(readWebPage.settings).toEqual({ timeout_ms: 120_000 });
  });
});
