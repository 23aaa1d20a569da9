import { describe, expect, it } from "vitest";
import type { Io } from "../io.ts";
import { createStyle } from "./style.ts";

function red(errorIsTerminal: boolean, environment: Io["environment"] = {}): string {
  return createStyle({ errorIsTerminal, environment } as Io).red("x");
}

describe("createStyle", () => {
  it("colours what a terminal shows, unless it wants no colours", () => {
    expect(red(true)).toBe("\u001b[31mx\u001b[39m");
    expect(red(false)).toBe("x");
    expect(red(true, { NO_COLOR: "1" })).toBe("x");
    expect(red(true, { NO_COLOR: "" })).not.toBe("x");
    expect(red(true, { TERM: "dumb" })).toBe("x");
  });
});
