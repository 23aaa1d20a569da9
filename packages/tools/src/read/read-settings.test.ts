import { describe, expect, it } from "vitest";
import { computers, openRuntime } from "../test-support/computers.ts";
import { read } from "./read.ts";
import type { ReadArguments } from "./read-arguments.ts";

describe.each(computers)("read %s, as a dialect has it", (_, make) => {
  const call = (
    text: string,
    settings: Record<string, number>,
    range: Omit<ReadArguments, "path"> = {},
  ) => read.execute({ path: "a", ...range }, openRuntime(make({ a: text }), read, { settings }));
  const lines = (count: number): string => "line\n".repeat(count);

  it("shows as many lines as the dialect has it", async () => {
    const settings = { default_lines: 500, most_lines: 2_000 };
    expect((await call(lines(900), settings)).end_line).toBe(500);
    expect((await call(lines(900), settings, { limit: 700 })).end_line).toBe(700);
    expect((await call(lines(9_000), settings, { limit: 5_000 })).end_line).toBe(2_000);
  });

  it("refuses larger files without a range, and larger windows with one", async () => {
    const settings = { file_bytes: 1_000 };
    expect((await call(lines(200), settings)).total_lines).toBe(200);
    await expect(call(lines(201), settings)).rejects.toMatchObject({
      code: "too-large",
      message: expect.stringContaining("has 1005 bytes, and at most 1000"),
    });
    await expect(call(lines(99_000), settings)).rejects.toMatchObject({ code: "too-large" });
    expect((await call(lines(201), settings, { offset: 1, limit: 200 })).end_line).toBe(200);
    const wide = `${"é".repeat(200)}\n`.repeat(9);
    expect((await call(wide, settings, { offset: 3, limit: 2 })).end_line).toBe(4);
    await expect(call(wide, settings, { offset: 3, limit: 3 })).rejects.toMatchObject({
      code: "too-large",
      message: expect.stringContaining("Ask for fewer lines"),
    });
    await expect(call(wide, settings, { byte_limit: 1_200 })).rejects.toMatchObject({
      code: "too-large",
    });
  });

  it("clips lines after so many bytes, never inside a character", async () => {
    const settings = { line_bytes: 10 };
    const text = "0123456789\n0123456789x\nééééééé\n01234567\u20ac\n012345678😀\r\nx";
    expect((await call(text, settings)).content).toBe(
      "1: 0123456789\n2: 0123456789\n3: ééééé\n4: 01234567\n5: 012345678\n6: x",
    );
    expect((await call("é".repeat(9), settings, { offset: 1 })).content).toBe("1: ééééé");
    expect((await call("x".repeat(700_000), settings)).content).toBe("1: xxxxxxxxxx");
  });

  it("leaves space at the end of lines", async () => {
    expect((await call("a  \n\t\nb", {})).content).toBe("1: a  \n2: \t\n3: b");
  });
});
