import { describe, expect, it } from "vitest";
import { toGoOn } from "./to-go-on.ts";

describe("toGoOn", () => {
  it("repeats what the session needs, quoted for a shell", () => {
    const own = { model: undefined, baseUrl: undefined, directory: "/w" };
    expect(toGoOn("mine", { workspace: "/w" }, own)).toBe("haft agent --session mine");
    const chosen = { model: "openai/x y", baseUrl: "http://h:1/v1", directory: "/w" };
    expect(toGoOn("mine", { workspace: "it's" }, chosen)).toBe(
      "haft agent -C 'it'\\''s' --model 'openai/x y' --base-url http://h:1/v1 --session mine",
    );
  });
});
