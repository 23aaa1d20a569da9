import { describe, expect, it } from "vitest";
import { toPlainMessage } from "./plain-message.ts";

describe("toPlainMessage", () => {
  it("makes one line", () => {
    expect(toPlainMessage("\n  not\r\nthis\tway \n\n")).toBe("not this way");
  });

  it("takes out what steers a terminal or hides itself", () => {
    expect(toPlainMessage("\u001b[31mred\u0007 \u202egnorw\u200b \u{e0041}x\0")).toBe(
      "[31mred gnorw x",
    );
  });

  it("cuts what is endless, and no character in two", () => {
    expect(toPlainMessage("😀".repeat(5000))).toBe(`${"😀".repeat(2000)}…`);
  });
});
