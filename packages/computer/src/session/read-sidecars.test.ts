import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openSidecar } from "./read-sidecars.ts";

it.each(["", "one\n"])("sends what a growing output had when it was opened: %j", async (before) => {
  const directory = mkdtempSync(join(tmpdir(), "haft-sidecars-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  mkdirSync(join(directory, "sidecars"));
  const path = join(directory, "sidecars", "call.txt");
  writeFileSync(path, before);
  const opened = await openSidecar(directory, "call.txt");
  appendFileSync(path, "more");
  expect(opened?.bytes).toBe(before.length);
  expect((await opened?.content.toArray())?.join("")).toBe(before);
  symlinkSync(path, join(directory, "sidecars", "link.txt"));
  expect(await openSidecar(directory, "link.txt")).toBeUndefined();
});
