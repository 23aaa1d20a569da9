import { describe, expect, it } from "vitest";
import { shortenText } from "./shorten-text.ts";

describe("shortenText", () => {
  it("leaves alone what is short enough, or no text", () => {
    expect(shortenText("x".repeat(262_144))).toBeUndefined();
    expect(shortenText({ data: "x".repeat(300_000) })).toBeUndefined();
  });

  it("keeps head and tail without cutting a character in two", () => {
    const text = `a${"😀".repeat(200_000)}b`;
    const short = shortenText(text) ?? "";
    expect(short.isWellFormed()).toBe(true);
    expect(short).toMatch(/^a😀+\n\[… 137860 characters left out here; .* …\]\n😀+b$/u);
  });
});
