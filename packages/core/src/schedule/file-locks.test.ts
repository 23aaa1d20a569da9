import { describe, expect, it } from "vitest";
import { type FileLock, FileLocks, fileLocksOf } from "./file-locks.ts";

const never = new AbortController().signal;
const flush = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const reads = (path: string): FileLock => ({ key: path, mode: "read" });
const writes = (path: string): FileLock => ({ key: path, mode: "write" });

/** Asks for locks and tells whether they are held by now. */
function request(locks: FileLocks, wanted: readonly FileLock[], signal = never) {
  const held = locks.acquire(wanted, { signal });
  const request = {
    isHeld: held === undefined,
    error: undefined as unknown,
    release: () => locks.release(wanted),
  };
  held?.then(
    () => {
      request.isHeld = true;
    },
    (error) => {
      request.error = error;
    },
  );
  return request;
}

function newLocks(links: Readonly<Record<string, string>> = {}): FileLocks {
  return new FileLocks((path) => links[path] ?? path);
}

describe("FileLocks", () => {
  it("lets many read at once", () => {
    const locks = newLocks();
    expect(request(locks, [reads("/a")]).isHeld).toBe(true);
    expect(request(locks, [reads("/a")]).isHeld).toBe(true);
  });

  it("makes a writer wait for all readers, and readers for the writer", async () => {
    const locks = newLocks();
    const readers = [request(locks, [reads("/a")]), request(locks, [reads("/a")])];
    const writer = request(locks, [writes("/a")]);
    readers[0]?.release();
    await flush();
    expect(writer.isHeld).toBe(false);
    readers[1]?.release();
    await flush();
    expect(writer.isHeld).toBe(true);
    const reader = request(locks, [reads("/a")]);
    expect(reader.isHeld).toBe(false);
    writer.release();
    await flush();
    expect(reader.isHeld).toBe(true);
  });

  it("does not let readers who came later pass a writer who waits", async () => {
    const locks = newLocks();
    const reader = request(locks, [reads("/a")]);
    const writer = request(locks, [writes("/a")]);
    const late = request(locks, [reads("/a")]);
    expect(late.isHeld).toBe(false);
    reader.release();
    await flush();
    expect([writer.isHeld, late.isHeld]).toEqual([true, false]);
    writer.release();
    await flush();
    expect(late.isHeld).toBe(true);
  });

  it("does not delay requests for other files", async () => {
    const locks = newLocks();
    request(locks, [writes("/a")]);
    request(locks, [writes("/a")]);
    const other = request(locks, [writes("/b")]);
    await flush();
    expect(other.isHeld).toBe(true);
  });

  it("takes all files of a call or none", async () => {
    const locks = newLocks();
    const first = request(locks, [writes("/a")]);
    const both = request(locks, [writes("/b"), writes("/a")]);
    await flush();
    expect(both.isHeld).toBe(false);
    // What waits for its turn still keeps its place: this one came later.
    const late = request(locks, [writes("/b")]);
    await flush();
    expect(late.isHeld).toBe(false);
    first.release();
    await flush();
    expect([both.isHeld, late.isHeld]).toEqual([true, false]);
  });

  it.each([
    ["read and written", [reads("/a"), writes("/a")]],
    ["written and read", [writes("/a"), reads("/a")]],
    ["written twice", [writes("/a"), writes("/a")]],
  ])("keeps others away from a file that one call has %s", async (_, wanted) => {
    const locks = newLocks();
    const call = request(locks, wanted);
    const reader = request(locks, [reads("/a")]);
    const writer = request(locks, [writes("/a")]);
    await flush();
    expect([call.isHeld, reader.isHeld, writer.isHeld]).toEqual([true, false, false]);
    call.release();
    await flush();
    expect([reader.isHeld, writer.isHeld]).toEqual([true, false]);
    reader.release();
    await flush();
    expect(writer.isHeld).toBe(true);
  });

  it("releases a request that is aborted, and serves those behind it", async () => {
    const locks = newLocks();
    const reader = request(locks, [reads("/a")]);
    const controller = new AbortController();
    const writer = request(locks, [writes("/a")], controller.signal);
    const late = request(locks, [reads("/a")]);
    controller.abort("enough");
    await flush();
    expect(writer).toMatchObject({ isHeld: false, error: "enough" });
    expect(late.isHeld).toBe(true);
    reader.release();
    late.release();
    expect(request(locks, [writes("/a")]).isHeld).toBe(true);
  });

  it("does not take up a request that was aborted before", async () => {
    const locks = newLocks();
    const first = request(locks, [writes("/a")]);
    const second = request(locks, [writes("/a")], AbortSignal.abort("never"));
    await flush();
    expect(second).toMatchObject({ isHeld: false, error: "never" });
    first.release();
    expect(request(locks, [writes("/a")]).isHeld).toBe(true);
  });

  it("ignores an abort that comes when the files are held", async () => {
    const locks = newLocks();
    const first = request(locks, [writes("/a")]);
    const controller = new AbortController();
    const second = request(locks, [writes("/a")], controller.signal);
    first.release();
    controller.abort("late");
    await flush();
    expect(second).toMatchObject({ isHeld: true, error: undefined });
  });

  it("knows a reader by the file its name leads to", async () => {
    const locks = newLocks({ "/link": "/a" });
    const reader = request(locks, [reads("/link")]);
    const writer = request(locks, [writes("/a")]);
    expect(writer.isHeld).toBe(false);
    reader.release();
    await flush();
    expect(writer.isHeld).toBe(true);
    expect(request(locks, [reads("/link")]).isHeld).toBe(false);
  });

  it("looks up no names while everybody reads", () => {
    const locks = new FileLocks(() => {
      throw new Error("looked up");
    });
    expect(request(locks, [reads("/a")]).isHeld).toBe(true);
    expect(request(locks, [reads("/b")]).isHeld).toBe(true);
  });

  it("is shared by all computers that see the same files", () => {
    const identify = (path: string): string => path;
    const space = {};
    expect(fileLocksOf({ space, identify })).toBe(fileLocksOf({ space, identify }));
    expect(fileLocksOf({ space, identify })).not.toBe(fileLocksOf({ space: {}, identify }));
  });
});
