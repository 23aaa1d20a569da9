import { closeSync, ftruncateSync, openSync, symlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { computers, openRuntime } from "../test-support/computers.ts";
import { read } from "./read.ts";

const [, make] = computers.find(([name]) => name === "on disk") ?? [];

describe("read of huge files on disk", () => {
  const start = () => {
    if (make === undefined) throw new Error("There is no disk.");
    const computer = make({ small: "x\n" });
    const root = computer.roots[0] as string;
    const grow = (name: string, { head, size }: { head: string; size: number }): void => {
      const file = openSync(join(root, name), "w");
      writeSync(file, head);
      ftruncateSync(file, size);
      closeSync(file);
    };
    return { root, grow, runtime: openRuntime(computer, read) };
  };
  const gigabyte = 1024 ** 3;

  it("refuses 20 GB of nothing as binary, by lines and by bytes", async () => {
    const { grow, runtime } = start();
    grow("sparse", { head: "", size: 20 * gigabyte });
    const refusal = { code: "binary" };
    await expect(read.execute({ path: "sparse" }, runtime)).rejects.toMatchObject(refusal);
    await expect(read.execute({ path: "sparse", offset: 10 ** 9 }, runtime)).rejects.toMatchObject(
      refusal,
    );
    await expect(
      read.execute({ path: "sparse", byte_offset: 19 * gigabyte }, runtime),
    ).rejects.toMatchObject(refusal);
  });

  it("shows the text before 20 GB of nothing", async () => {
    const { grow, runtime } = start();
    grow("sparse", { head: "line\n".repeat(100_000), size: 20 * gigabyte });
    const data = await read.execute({ path: "sparse", offset: 99_999, limit: 2 }, runtime);
    expect(data).toMatchObject({ content: "99999: line\n100000: line", next_offset: 100_001 });
    const rest = await read.execute({ path: "sparse", offset: 100_000, limit: 9 }, runtime);
    expect(rest.content).toContain("more characters]");
    await expect(read.execute({ path: "sparse", offset: 10 ** 9 }, runtime)).rejects.toMatchObject({
      code: "binary",
    });
  });

  it("opens no device", async () => {
    const { root, runtime } = start();
    symlinkSync("/dev/zero", join(root, "zero"));
    for (const path of ["/dev/zero", "zero"]) {
      await expect(read.execute({ path }, runtime)).rejects.toMatchObject({ code: "out-of-scope" });
    }
  });
});
