import { describe, expect, it } from "vitest";
import { toStandardInput } from "./to-standard-input.ts";

describe("toStandardInput", () => {
  it("is JSON for scripts that describe themselves in JSON", () => {
    expect(toStandardInput({ a: [1, "ü\n"] }, "json")).toBe('{"a":[1,"ü\\n"]}');
  });

  it("is lines for the others, with what is nested laid flat", () => {
    const args = { a: "x", b: [1, { c: true }], d: { e: { f: 2.5 } }, g: null, h: [], i: "" };
    expect(toStandardInput(args, "text")).toBe("a: x\nb_0: 1\nb_1_c: true\nd_e_f: 2.5\ni: \n");
  });

  it("prevents a value from imitating another argument", () => {
    expect(toStandardInput({ a: "x\nforce: true\r\ny" }, "text")).toBe("a: x\\nforce: true\\ny\n");
    expect(toStandardInput({ a: { "x\ny": 1 } }, "text")).toBe("a_x\\ny: 1\n");
  });
});
