import type { SecretFilter, SidecarWriter } from "@haft/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OutputTaker } from "./command-output.ts";

const keep = { head: 1024, tail: 1024 };
const open: SecretFilter = { write: (part) => part, end: () => "" };

describe("OutputTaker", () => {
  it("puts characters together that come in parts", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom("a", "é", "€", "😀") }),
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }),
        async (text, sizes) => {
          const taker = new OutputTaker({ keep, filter: open, openSidecar: noSidecar });
          for (const part of cut(Buffer.from(text), sizes)) await taker.take(part);
          expect((await taker.end()).output.head).toBe(text);
        },
      ),
    );
  });

  it("shows what is not UTF-8 as such", async () => {
    const taker = new OutputTaker({ keep, filter: open, openSidecar: noSidecar });
    await taker.take(Buffer.from([0x61, 0xff, 0x62, 0xe2, 0x82]));
    expect((await taker.end()).output.head).toBe("a\ufffdb\ufffd");
  });

  it("keeps what was there before in the sidecar too, all of it filtered", async () => {
    const { sidecar, content } = memorySidecar();
    const filter = { write: (part: string) => part.replaceAll("x", "_"), end: () => "end" };
    const small = { head: 4, tail: 4 };
    const taker = new OutputTaker({ keep: small, filter, openSidecar: () => sidecar });
    for (const text of ["axb", "cxd", "exf", "gxh"]) await taker.take(Buffer.from(text));
    const { output } = await taker.end();
    expect(content()).toBe("a_bc_de_fg_hend");
    expect(output).toEqual({ head: "a_bc", tail: "hend", omittedBytes: 7, totalBytes: 15 });
  });

  it("does not cut a character that the filter hands over in halves", async () => {
    const [first, second] = ["😀".slice(0, 1), "😀".slice(1)];
    const parts = ["a", first, second, "b"];
    const filter = { write: () => parts.shift() ?? "", end: () => "" };
    const taker = new OutputTaker({ keep, filter, openSidecar: noSidecar });
    for (let part = 0; part < 4; part++) await taker.take(Buffer.from("-"));
    expect((await taker.end()).output.head).toBe("a😀b");
  });

  it("keeps so much and no more, and continues counting", async () => {
    const { sidecar, content } = memorySidecar();
    const places = { keep: { head: 1, tail: 1 }, filter: open, openSidecar: () => sidecar };
    const taker = new OutputTaker({ ...places, maxSidecarBytes: 10 });
    for (let part = 0; part < 5; part++) await taker.take(Buffer.from("abcd"));
    const { output, notes } = await taker.end();
    expect(content()).toBe("abcdabcdab");
    expect(output).toEqual({ head: "a", tail: "d", omittedBytes: 18, totalBytes: 20 });
    expect(notes).toEqual([expect.stringContaining("first 10 bytes")]);
  });

  it("does not mind a sidecar that can't be written, and says so", async () => {
    const sidecar: SidecarWriter = {
      write: () => Promise.reject(new Error("The disk is full.")),
      end: () => Promise.reject(new Error("Not to be called.")),
      discard: async () => {},
    };
    const places = { keep: { head: 4, tail: 4 }, filter: open, openSidecar: () => sidecar };
    const taker = new OutputTaker(places);
    for (let part = 0; part < 5; part++) await taker.take(Buffer.alloc(300_000, "x"));
    const { output, notes } = await taker.end();
    expect(output).toMatchObject({ head: "xxxx", tail: "xxxx", totalBytes: 1_500_000 });
    expect(notes).toEqual([expect.stringContaining("The disk is full.")]);
  });

  it("waits for a disk that is slower than the output", async () => {
    const written: (() => void)[] = [];
    const sidecar: SidecarWriter = {
      write: () => new Promise((resolve) => written.push(resolve)),
      end: async () => "",
      discard: async () => {},
    };
    const places = { keep: { head: 4, tail: 4 }, filter: open, openSidecar: () => sidecar };
    const taker = new OutputTaker(places);
    const chunk = Buffer.alloc(300_000, "x");
    expect(taker.take(chunk)).toBeUndefined();
    const waiting = taker.take(chunk);
    expect(waiting).toBeInstanceOf(Promise);
    written.shift()?.();
    await waiting;
    expect(written).toHaveLength(1);
  });

  it("knows the line that is not at its end yet", async () => {
    const taker = new OutputTaker({ keep, filter: open, openSidecar: noSidecar });
    for (const text of ["one\ntw", "o", "\nthree\r", "Pass", "word: "]) {
      await taker.take(Buffer.from(text));
    }
    expect(taker.lastLine).toBe("Password: ");
  });
});

function noSidecar(): SidecarWriter {
  throw new Error("There is nothing to keep.");
}

function memorySidecar(): { readonly sidecar: SidecarWriter; content(): string } {
  const parts: (Uint8Array | string)[] = [];
  const sidecar: SidecarWriter = {
    write: async (part) => void parts.push(part),
    end: async () => "",
    discard: async () => {},
  };
  return { sidecar, content: () => parts.map((part) => Buffer.from(part).toString()).join("") };
}

function* cut(bytes: Buffer, sizes: readonly number[]): Iterable<Buffer> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}
