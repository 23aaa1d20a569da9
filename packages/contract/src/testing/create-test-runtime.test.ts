import { describe, expect, it } from "vitest";
import type { FileSystem } from "../file-system.ts";
import type { Progress } from "../runtime.ts";
import { createTestRuntime } from "./create-test-runtime.ts";

describe("createTestRuntime", () => {
  it("keeps state for the session and hands out copies of it", async () => {
    const { state } = createTestRuntime().session;
    expect(await state.get("list")).toBeUndefined();
    const list = ["a"];
    await state.set("list", list);
    list.push("b");
    ((await state.get("list")) as string[]).push("c");
    expect(await state.get("list")).toEqual(["a"]);
    expect(await createTestRuntime().session.state.get("list")).toBeUndefined();
  });

  it("refuses questions", async () => {
    await expect(createTestRuntime().host.question([{ question: "Which?" }])).rejects.toMatchObject(
      {
        code: "headless",
        message:
          "This session is not interactive, so questions can't be answered. Continue with your best judgement.",
      },
    );
  });

  it("has a signal that is not aborted", () => {
    const runtime = createTestRuntime();
    expect(runtime.signal.aborted).toBe(false);
    expect(runtime.signal).not.toBe(createTestRuntime().signal);
  });

  it("says how to get files, whatever is asked of them", async () => {
    const { fs } = createTestRuntime();
    const error = {
      code: "unavailable",
      message: expect.stringContaining("@haft/computer/memory"),
    };
    expect(() => fs.resolve("a")).toThrow(expect.objectContaining(error));
    await expect(fs.stat("a")).rejects.toMatchObject(error);
    await expect(fs.read("a")).rejects.toMatchObject(error);
    await expect(fs.write("a", "")).rejects.toMatchObject(error);
    await expect(fs.list("a")).rejects.toMatchObject(error);
    await expect(fs.remove("a")).rejects.toMatchObject(error);
    await expect(fs.move("a", "b")).rejects.toMatchObject(error);
  });

  it("uses what it is given instead", () => {
    const fs = {} as FileSystem;
    const { signal } = new AbortController();
    const runtime = createTestRuntime({ callId: "seven", fs, signal });
    expect(runtime).toMatchObject({ callId: "seven" });
    expect(runtime.fs).toBe(fs);
    expect(runtime.signal).toBe(signal);
  });

  it("collects progress, and passes it on to a function it was given", () => {
    const seen: (Progress | undefined)[] = [];
    const runtime = createTestRuntime({ progress: (progress) => seen.push(progress) });
    runtime.progress();
    runtime.progress({ message: "half", done: 1, total: 2 });
    expect(runtime.reported).toEqual([{}, { message: "half", done: 1, total: 2 }]);
    expect(seen).toEqual(runtime.reported);
  });
});
