import { describe, expect, it } from "vitest";
import { isServerName, toToolId } from "./tool-id.ts";

describe("toToolId", () => {
  it("makes names legal", () => {
    expect(toToolId("s", "list.files/all now")).toBe("mcp__s__list_files_all_now");
  });

  it("shortens long names so that they stay apart and the same", () => {
    const ids = [..."ab"].map((end) => toToolId("server", `${"x".repeat(100)}${end}`));
    expect(new Set(ids).size).toBe(2);
    expect(ids.map((id) => id.length)).toEqual([64, 64]);
    expect(toToolId("server", `${"x".repeat(100)}a`)).toBe(ids[0]);
  });
});

describe("isServerName", () => {
  it.each(["a", "A-b_c9", "x".repeat(31)])("takes %s", (name) => {
    expect(isServerName(name)).toBe(true);
  });

  it.each(["", "_a", "-a", "a__b", "a_", "a b", "a.b", "x".repeat(32), "ä"])(
    "refuses %j",
    (name) => {
      expect(isServerName(name)).toBe(false);
    },
  );
});
