import { describe, expect, it } from "vitest";
import { toGoOn } from "./to-go-on.ts";

describe("toGoOn", () => {
  it("repeats what the session needs, quoted for a shell", () => {
    const own = { model: undefined, baseUrl: undefined, directory: "/w" };
    const plain = { workspace: "/w", published: undefined, simulate: false };
    expect(toGoOn("mine", plain, own)).toBe("haft agent --session mine");
    const chosen = { model: "openai/x y", baseUrl: "http://h:1/v1", directory: "/w" };
    const full = { workspace: "it's", published: "graph.json", simulate: true };
    expect(toGoOn("mine", full, chosen)).toBe(
      "haft agent -C 'it'\\''s' --model 'openai/x y' --base-url http://h:1/v1 --published graph.json --simulate --session mine",
    );
  });
});
