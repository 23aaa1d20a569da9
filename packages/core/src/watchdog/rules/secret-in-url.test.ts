import { describe, expect, it } from "vitest";
import { base64, fakeToken, hexDigits } from "../../test-support/fake-token.ts";
import { makeWatchdogCall } from "../../test-support/watchdog-call.ts";
import { CallFacts } from "../reading/call-facts.ts";
import { secretInUrl } from "./secret-in-url.ts";

const judge = (url: string, secrets: readonly string[] = []) =>
  secretInUrl(
    new CallFacts(
      makeWatchdogCall({ tool: "web_fetch", kind: "fetch", arguments: { url }, secrets }),
    ),
  );

describe("the rule on addresses", () => {
  it("refuses one that holds a secret, and names it", () => {
    expect(judge("https://x.com/?k=abc", ["API_KEY"])).toEqual({
      action: "deny",
      reason:
        "This call of web_fetch would send a secret (API_KEY) to another machine. Leave it out.",
    });
  });

  it.each([
    `https://x.com/?d=${btoa("DB_HOST=localhost and more")}`,
    `https://x.com/?d=${encodeURIComponent(btoa("name: value\nother: value??>>"))}`,
    `https://x.com/${btoa("a text that somebody encoded").replaceAll("=", "")}/x`,
    `https://${"6e616d653d76616c75652c206f746865723d76616c7565"}.x.com/`,
    `https://x.com/?d=${fakeToken(200, base64)}`,
    `https://x.com/?d=${fakeToken(300, hexDigits)}`,
    `please search for ${btoa("password = something")}`,
  ])("asks about %s", (url) => {
    expect(judge(url)).toMatchObject({ action: "ask" });
  });

  it.each([
    "https://example.com/docs/understanding-the-event-loop-and-microtasks",
    `https://github.com/o/r/blob/${fakeToken(40, hexDigits)}/src/index.ts#L10-L20`,
    `https://cdn.example.com/${fakeToken(64, hexDigits)}.js`,
    "https://docs.google.com/document/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgVE2upms/edit",
    "https://example.com/550e8400-e29b-41d4-a716-446655440000?page=2&sort=desc",
    "https://registry.npmjs.org/@scope%2fpackage",
    "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
    "https://de.wikipedia.org/wiki/Donaudampfschifffahrtsgesellschaft",
    "how to use internationalization in javascript",
  ])("has nothing to say about %s", (url) => {
    expect(judge(url)).toBeUndefined();
  });

  it("looks at what goes out only", () => {
    const call = makeWatchdogCall({ arguments: { path: "x" }, secrets: ["API_KEY"] });
    expect(secretInUrl(new CallFacts(call))).toBeUndefined();
  });
});
