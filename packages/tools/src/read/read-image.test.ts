import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { computers, openRuntime } from "../test-support/computers.ts";
import { findImageSize } from "./image-size.ts";
import { findImageType } from "./image-type.ts";
import { read } from "./read.ts";
import { toBase64 } from "./read-image.ts";

const ascii = (text: string): number[] => Array.from(text, (letter) => letter.charCodeAt(0));
const zeros = (count: number): number[] => new Array<number>(count).fill(0);

const png = Uint8Array.from([
  0x89,
  ...ascii("PNG\r\n\x1a\n"),
  ...[0, 0, 0, 13],
  ...ascii("IHDR"),
  ...[0, 0, 2, 0x80, 0, 0, 1, 0xe0, 8, 6, 0, 0, 0],
]);
const gif = Uint8Array.from([...ascii("GIF89a"), 0x20, 0x01, 0x10, 0, 0, 0, 0]);
const jpeg = Uint8Array.from([
  ...[0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2],
  ...[0xff, 0xff, 0xc4, 0, 3, 9],
  ...[0xff, 0xc2, 0, 11, 8, 0, 30, 0, 40, 1],
]);
const riff = (chunk: string, rest: number[]): Uint8Array =>
  Uint8Array.from([...ascii("RIFF"), 30, 0, 0, 0, ...ascii("WEBP"), ...ascii(chunk), ...rest]);
const lossy = riff("VP8 ", [...zeros(4), ...zeros(3), 0x9d, 0x01, 0x2a, 0x50, 0, 0x3c, 0]);
const lossless = riff("VP8L", [...zeros(4), 0x2f, 0x4f, 0xc0, 0x0e, 0]);
const extended = riff("VP8X", [...zeros(8), 0x4f, 0, 0, 0x3b, 0, 0]);

describe.each(computers)("read %s", (_, make) => {
  it.each<[string, Uint8Array, readonly [number, number]]>([
    ["png", png, [640, 480]],
    ["gif", gif, [288, 16]],
    ["jpeg", jpeg, [40, 30]],
    ["webp", lossy, [80, 60]],
    ["webp", lossless, [80, 60]],
    ["webp", extended, [80, 60]],
  ])("shows an image of type %s, whatever its name", async (type, bytes, [width, height]) => {
    const computer = make({ "notes.txt": bytes });
    const data = await read.execute({ path: "notes.txt" }, openRuntime(computer, read));
    expect(data).toEqual({
      path: `${computer.roots[0]}/notes.txt`,
      type: "image",
      content: `A ${type.toUpperCase()} image, ${width} × ${height} pixels, ${bytes.length} bytes.`,
      media_type: `image/${type}`,
      data: btoa(String.fromCharCode(...bytes)),
      size: bytes.length,
      width,
      height,
    });
  });

  it("treats a file by what is in it, not by its name", async () => {
    const files = {
      "a.png": "no image\n",
      "b.gif": "GIF89a is a format\n",
      "c.jpg": Uint8Array.of(0, 1),
    };
    const runtime = openRuntime(make(files), read);
    expect((await read.execute({ path: "a.png" }, runtime)).content).toBe("1: no image");
    expect((await read.execute({ path: "b.gif" }, runtime)).content).toBe("1: GIF89a is a format");
    await expect(read.execute({ path: "c.jpg" }, runtime)).rejects.toMatchObject({
      code: "binary",
    });
  });

  it("shows images up to 5 MB and says what to do with larger ones", async () => {
    const large = new Uint8Array(5 * 1024 * 1024);
    large.set(png);
    const tooLarge = new Uint8Array(large.length + 1);
    tooLarge.set(png);
    const runtime = openRuntime(make({ large, tooLarge }), read);
    const data = await read.execute({ path: "large" }, runtime);
    expect(data.data?.length).toBe(Math.ceil(large.length / 3) * 4);
    await expect(read.execute({ path: "tooLarge" }, runtime)).rejects.toMatchObject({
      code: "too-large",
      message: expect.stringContaining("Make a smaller copy"),
    });
  });
});

describe("findImageSize", () => {
  it("never fails, however broken an image is", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(png, gif, jpeg, lossy, lossless, extended),
        fc.nat(60),
        fc.array(fc.tuple(fc.nat(60), fc.nat(255)), { maxLength: 4 }),
        (image, length, faults) => {
          const broken = image.slice(0, length);
          for (const [at, byte] of faults) if (at > 3 && at < broken.length) broken[at] = byte;
          const type = findImageType(broken);
          if (type === undefined) return;
          const size = findImageSize(broken, type);
          if (size !== undefined) expect(size.width * size.height).toBeGreaterThan(0);
        },
      ),
    );
  });
});

describe("toBase64", () => {
  it("says what can be read back", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40_000 }), fc.nat(255), (length, seed) => {
        const bytes = Uint8Array.from({ length }, (_, at) => (at * 31 + seed) % 256);
        expect(Buffer.from(toBase64(bytes), "base64").equals(bytes)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });
});
