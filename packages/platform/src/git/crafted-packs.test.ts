import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { maxPushDataBytes } from "./push-memory.ts";
import { organization, otherOrganization } from "./test-support/git-server.ts";
import {
  noHash,
  type RawObject,
  sendPush,
  toCommit,
  toObject,
  toPack,
  toPushBody,
  toRepetition,
  toTree,
} from "./test-support/raw-push.ts";
import { useGitServer } from "./test-support/use-git-server.ts";

const blob = toObject("blob", "some text\n");
const tree = toTree([{ mode: "100644", name: "a", hash: blob.hash }]);
const commit = toCommit(tree);
const whole = [commit, tree, blob] as const;
const name = "refs/heads/x";

/** A pack whose entries are written by hand, with the checksum that belongs to it. */
function seal(count: number, ...entries: readonly Buffer[]): Buffer {
  const head = Buffer.from("PACK\0\0\0\x02\0\0\0\0");
  head.writeUInt32BE(count, 8);
  const body = Buffer.concat([head, ...entries]);
  return Buffer.concat([body, createHash("sha1").update(body).digest()]);
}

const entriesOf = (objects: readonly RawObject[]): Buffer => toPack(objects).subarray(12, -20);
const deltaTo = (base: string, content: Buffer): RawObject => ({
  ...{ type: "blob", hash: "", base, content },
});
const withDelta = (...bytes: number[]): Buffer =>
  toPack([...whole, deltaTo(blob.hash, Buffer.from(bytes))]);
const sealed = toPack(whole);
const flipped = (at: number): Buffer => {
  const copy = Buffer.from(sealed);
  copy[at] = (copy[at] ?? 0) ^ 0xff;
  return copy;
};

const packs: Readonly<Record<string, Buffer>> = {
  "a base that is not there": toPack([
    ...whole,
    deltaTo("1".repeat(40), Buffer.from([1, 1, 1, 0])),
  ]),
  "differences that are each other's base": toPack([
    ...whole,
    deltaTo("1".repeat(40), Buffer.from([10, 10, 0x90, 10])),
    deltaTo("2".repeat(40), Buffer.from([10, 10, 0x90, 10])),
  ]),
  "a difference from itself": seal(
    4,
    entriesOf(whole),
    Buffer.from([0x64, 0]),
    deflateSync("abcd"),
  ),
  "a difference from before the pack": seal(
    4,
    entriesOf(whole),
    Buffer.from([0x64, 0xff, 0xff, 0x7f]),
    deflateSync("abcd"),
  ),
  "a difference that copies past its base": withDelta(10, 100, 0x90, 100),
  "a difference of another length than it says": withDelta(10, 100, 0x90, 10),
  "a difference from a base of another length": withDelta(99, 10, 0x90, 10),
  "a difference with an unknown order": withDelta(10, 10, 0),
  "a difference that claims gigabytes": withDelta(10, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0x90, 10),
  "an object that claims a terabyte": seal(
    4,
    entriesOf(whole),
    Buffer.from([0xb0, 0x80, 0x80, 0x80, 0x80, 0x20]),
    deflateSync("x"),
  ),
  "an object longer than it says": seal(
    4,
    entriesOf(whole),
    Buffer.from([0x31]),
    deflateSync("long"),
  ),
  "a kind of object that there is not": seal(
    4,
    entriesOf(whole),
    Buffer.from([0x51]),
    deflateSync("x"),
  ),
  "no kind of object": seal(4, entriesOf(whole), Buffer.from([0x01]), deflateSync("x")),
  "an object that can't be unpacked": seal(
    4,
    entriesOf(whole),
    Buffer.from([0x34]),
    Buffer.from("abcdefgh"),
  ),
  "a wrong checksum": flipped(sealed.length - 1),
  "a flipped byte": flipped(30),
  "fewer objects than it says": seal(9, entriesOf(whole)),
  "more objects than it says": seal(2, entriesOf(whole)),
  "no objects": seal(0),
  "another version": flipped(7),
  "another beginning": flipped(0),
  "half of it": sealed.subarray(0, sealed.length / 2),
  nothing: Buffer.alloc(0),
  "the same commit for a hundred thousand parents": toPack([manyParents(100_000), ...whole]),
};

const line = (text: string | Buffer): Buffer => {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, "0")), bytes]);
};
const update = `${noHash} ${commit.hash} ${name}\0 report-status side-band-64k`;

const bodies: Readonly<Record<string, Buffer>> = {
  "no packet": Buffer.from("zzzz"),
  "a packet of an impossible length": Buffer.from("0001"),
  "a packet that is cut off": Buffer.from("ffff0000"),
  "a hash that is none": Buffer.concat([line(`xyz ${update}`), Buffer.from("0000"), sealed]),
  "no name": Buffer.concat([line(`${noHash} ${commit.hash}`), Buffer.from("0000"), sealed]),
  "another kind of hash": Buffer.concat([
    line(`${update} object-format=sha256`),
    Buffer.from("0000"),
    sealed,
  ]),
  "a certificate": Buffer.concat([
    line("push-cert\0 report-status\n"),
    line("x\n"),
    Buffer.from("0000"),
  ]),
  "a shallow line": Buffer.concat([
    line("shallow zzz\n"),
    line(update),
    Buffer.from("0000"),
    sealed,
  ]),
  "a name that is no text": Buffer.concat([
    line(
      Buffer.concat([
        Buffer.from(`${noHash} ${commit.hash} refs/heads/`),
        Buffer.from([0xff, 0xfe]),
        Buffer.from("\0 report-status side-band-64k"),
      ]),
    ),
    Buffer.from("0000"),
    sealed,
  ]),
  "the same reference twice": Buffer.concat([
    line(update),
    line(`${noHash} ${commit.hash} ${name}`),
    Buffer.from("0000"),
    sealed,
  ]),
  "two thousand references": Buffer.concat([
    line(update),
    ...Array.from({ length: 2_000 }, (_, index) =>
      line(`${noHash} ${commit.hash} ${name}${index}`),
    ),
    Buffer.from("0000"),
    sealed,
  ]),
};

describe.runIf(process.platform === "linux")("a crafted push", () => {
  const use = useGitServer({ maxPushBytes: 8_000_000 });

  it.each(Object.entries(packs))("whose pack has %s is refused", async (what, pack) => {
    const tip = what.includes("parents") ? manyParents(100_000).hash : commit.hash;
    const { status, text } = await send(toPushBody({ name, after: tip }, pack));
    expect([status, /ng refs\/heads\/x|unpack /u.test(text)]).toEqual([200, true]);
    await expectNothing();
  });

  it.each(Object.entries(bodies))("that has %s is refused", async (_what, body) => {
    const { status, text } = await send(body);
    expect([status, text]).toEqual([expect.toBeOneOf([200, 400]), expect.any(String)]);
    await expectNothing();
  });

  it("of a chain of two thousand tags does no harm", async () => {
    const tags: RawObject[] = [commit];
    for (let at = 0; at < 2_000; at += 1) {
      const { type, hash } = tags.at(-1) ?? commit;
      const content = `object ${hash}\ntype ${type}\ntag v${at}\ntagger Ada <a@b.c> 1 +0000\n\nx\n`;
      tags.push(toObject("tag", content));
    }
    const pack = toPack([...tags, tree, blob]);
    const after = tags.at(-1)?.hash ?? "";
    const { status } = await send(toPushBody({ name: "refs/tags/deep", after }, pack));
    expect(status).toBe(200);
    expect(use().server.failures).toEqual([]);
  });

  async function send(body: Buffer): ReturnType<typeof sendPush> {
    return sendPush(use().server.remote, body);
  }

  async function expectNothing(): Promise<void> {
    const { server, repositories } = use();
    const path = join(repositories, `${organization}.git`);
    const { items } = await server.repositories.listBranches(organization, { limit: 10 });
    expect(items).toEqual([]);
    expect((await readdir(join(path, "objects"))).toSorted()).toEqual(["info", "pack"]);
    expect(await readdir(join(path, "objects", "pack"))).toEqual([]);
    expect(server.failures).toEqual([]);
  }
});

describe.runIf(process.platform === "linux")("pushes that unfold in memory", () => {
  const maxPushBytes = 100 * 1024 * 1024;
  const use = useGitServer({ maxPushBytes });

  it("are worked on two at a time, within a limit, and don't keep others waiting", async () => {
    const { server, directory } = use();
    const zeros = toObject("blob", Buffer.alloc(0xff_ffff));
    const bombs = [6, 6, 20, 31].map((times) => toRepetition(zeros, times));
    const body = toPushBody({ name, after: commit.hash }, toPack([...whole, zeros, ...bombs]));
    let isDone = false;
    const watching = (async () => {
      let [peak, most] = [0, 0];
      while (!isDone) {
        const sizes = readUnpackers(directory);
        peak = Math.max(peak, ...sizes);
        most = Math.max(most, sizes.length);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return { peak, most };
    })();
    const attacks = Array.from({ length: 4 }, () => sendPush(server.remote, body));
    const ordinary = sendPush(
      server.remoteOf(otherOrganization),
      toPushBody({ name, after: commit.hash }, toPack(whole)),
    );
    expect((await ordinary).text).toContain("ok refs/heads/x");
    for (const { status, text } of await Promise.all(attacks)) {
      expect([status, /ng refs\/heads\/x/u.test(text)]).toEqual([200, true]);
    }
    isDone = true;
    const { peak, most } = await watching;
    expect(most).toBeLessThanOrEqual(2);
    expect(peak).toBeLessThan(maxPushDataBytes(maxPushBytes));
    expect(server.failures).toEqual([]);
  });
});

/** The resident bytes of each git of ours that unpacks a push. */
function readUnpackers(directory: string): readonly number[] {
  return readdirSync("/proc").flatMap((id) => {
    try {
      if (!/^\d+$/u.test(id)) return [];
      if (!readFileSync(`/proc/${id}/cmdline`, "latin1").includes("index-pack\0")) return [];
      if (!readFileSync(`/proc/${id}/environ`, "latin1").includes(directory)) return [];
      const status = readFileSync(`/proc/${id}/status`, "utf8");
      return [Number(/VmHWM:\s+(\d+)/u.exec(status)?.[1] ?? 0) * 1024];
    } catch {
      return [];
    }
  });
}

function manyParents(count: number): RawObject {
  const parents = `parent ${commit.hash}\n`.repeat(count);
  const author = `${parents}author Ada <ada@example.com> 1700000000 +0000`;
  return toCommit(tree, { author });
}
