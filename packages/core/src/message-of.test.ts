import { describe, expect, it } from "vitest";
import { messageOf } from "./message-of.ts";

describe("messageOf", () => {
  it.each<[string, unknown, string]>([
    ["an error", new Error("broken"), "broken"],
    ["a text", "broken", "broken"],
    ["nothing", undefined, "undefined"],
    ["a symbol", Symbol("broken"), "Symbol(broken)"],
    [
      "what has no words",
      Object.create(null),
      "something that can't be turned into text was thrown",
    ],
  ])("says what %s says", (_, thrown, message) => {
    expect(messageOf(thrown)).toBe(message);
  });

  it("survives an error that can't tell its message", () => {
    const error = new Error();
    Object.defineProperty(error, "message", {
      get: () => {
        throw new Error("again");
      },
    });
    expect(messageOf(error)).toContain("can't be turned into text");
  });
});
