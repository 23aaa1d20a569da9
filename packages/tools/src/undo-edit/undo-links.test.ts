import {
  chmodSync,
  existsSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, it } from "vitest";
import { computers, type Files } from "../test-support/computers.ts";
import { openSession, type TestSession } from "../test-support/open-session.ts";

function open(files: Files): TestSession & { at: (name: string) => string } {
  const computer = computers[1]?.[1](files);
  if (computer === undefined) throw new Error("There is no disk.");
  return { ...openSession(computer), at: (name) => `${computer.roots[0]}/${name}` };
}

describe("undo_edit on what only a disk has", () => {
  it("undoes a change that was made through a link, by either name", async () => {
    const { run, at } = open({ real: "0\n" });
    symlinkSync("real", at("link"));
    for (const path of ["link", "real"]) {
      await run("write", { path: "link", content: "1" });
      await run("undo_edit", { path });
      expect(readFileSync(at("real"), "utf8")).toBe("0\n");
      expect(readlinkSync(at("link"))).toBe("real");
    }
  });

  it("brings a deleted link back as the link it was", async () => {
    const { run, at } = open({ real: "text" });
    symlinkSync("real", at("link"));
    await run("delete_file", { path: "link" });
    await run("undo_edit", {});
    expect(readlinkSync(at("link"))).toBe("real");
    expect(readFileSync(at("real"), "utf8")).toBe("text");
  });

  it("moves a link back, unless a file has taken its place", async () => {
    const { run, call, at } = open({ real: "text" });
    symlinkSync("real", at("link"));
    await run("move_file", { from: "link", to: "moved" });
    expect(lstatSync(at("moved")).isSymbolicLink()).toBe(true);
    rmSync(at("moved"));
    writeFileSync(at("moved"), "mine");
    expect(await call("undo_edit", {})).toMatchObject({ metadata: { error_code: "conflict" } });
    expect(readFileSync(at("moved"), "utf8")).toBe("mine");
    rmSync(at("moved"));
    symlinkSync("real", at("moved"));
    await run("undo_edit", {});
    expect(readlinkSync(at("link"))).toBe("real");
    expect(existsSync(at("moved"))).toBe(false);
  });

  it("keeps the mode a file has by now, and brings back that of a deleted one", async () => {
    const { run, at } = open({ a: "0\n", b: "0\n" });
    await run("write", { path: "a", content: "1" });
    chmodSync(at("a"), 0o755);
    await run("undo_edit", {});
    expect(statSync(at("a")).mode & 0o777).toBe(0o755);
    chmodSync(at("b"), 0o700);
    await run("delete_file", { path: "b" });
    await run("undo_edit", {});
    expect(statSync(at("b")).mode & 0o777).toBe(0o700);
  });
});
