import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";

/** An object of a pack that was made by hand, so that it may be anything. */
export interface RawObject {
  readonly type: "commit" | "tree" | "blob" | "tag";
  readonly content: Buffer;
  readonly hash: string;
  /** Of an object that is stored as a difference: from what. Then `content` is the difference. */
  readonly base?: string;
}

/** One entry of a tree that was made by hand. */
export interface RawEntry {
  readonly mode: string;
  readonly name: string | Buffer;
  readonly hash: string;
}

export const noHash: string = "0".repeat(40);
const differenceNumber = 7;
const typeNumbers = { commit: 1, tree: 2, blob: 3, tag: 4 } as const;

/** Makes an object of any content. */
export function toObject(type: RawObject["type"], content: string | Buffer): RawObject {
  const bytes = Buffer.from(content);
  const header = `${type} ${bytes.length}\0`;
  const hash = createHash("sha1").update(header).update(bytes).digest("hex");
  return { type, content: bytes, hash };
}

/** Makes a difference that repeats 16 MB of its base so many times. */
export function toRepetition(base: RawObject, times: number): RawObject {
  const content = Buffer.concat([
    toVariableLength(base.content.length),
    toVariableLength(times * 0xff_ffff),
    ...Array.from({ length: times }, () => Buffer.from([0xf0, 0xff, 0xff, 0xff])),
  ]);
  return { type: "blob", content, hash: "", base: base.hash };
}

/** Makes a tree with the entries in the order in which they are given. */
export function toTree(entries: readonly RawEntry[]): RawObject {
  return toObject(
    "tree",
    Buffer.concat(
      entries.flatMap(({ mode, name, hash }) => [
        Buffer.from(`${mode} `),
        Buffer.from(name),
        Buffer.from([0]),
        Buffer.from(hash, "hex"),
      ]),
    ),
  );
}

/** Makes a commit of a tree; other headers replace the usual ones. */
export function toCommit(
  tree: RawObject,
  headers: {
    readonly author?: string;
    readonly committer?: string;
    readonly message?: string;
  } = {},
): RawObject {
  const {
    author = "author Ada <ada@example.com> 1700000000 +0000",
    committer = "committer Ada <ada@example.com> 1700000000 +0000",
    message = "\nA commit\n",
  } = headers;
  return toObject("commit", `tree ${tree.hash}\n${author}\n${committer}\n${message}`);
}

/** Writes objects as a pack. */
export function toPack(objects: readonly RawObject[], claimed: number = objects.length): Buffer {
  const head = Buffer.alloc(12);
  head.write("PACK");
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(claimed, 8);
  const body = Buffer.concat([
    head,
    ...objects.flatMap(({ type, content, base }) => [
      toEntryHead(base === undefined ? typeNumbers[type] : differenceNumber, content.length),
      Buffer.from(base ?? "", "hex"),
      deflateSync(content),
    ]),
  ]);
  return Buffer.concat([body, createHash("sha1").update(body).digest()]);
}

/** The body of a push of one reference. */
export function toPushBody(
  update: { readonly name: string; readonly after: string; readonly before?: string },
  pack: Buffer,
): Buffer {
  const { name, after, before = noHash } = update;
  const line = `${before} ${after} ${name}\0 report-status side-band-64k agent=test\n`;
  const length = (Buffer.byteLength(line) + 4).toString(16).padStart(4, "0");
  return Buffer.concat([Buffer.from(`${length}${line}0000`), pack]);
}

/** Sends a push; gives what the server said, with git's packet lengths still in it. */
export async function sendPush(
  remote: string,
  body: Buffer,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const { username, password, origin, pathname } = new URL(remote);
  const response = await fetch(`${origin}${pathname}/git-receive-pack`, {
    method: "POST",
    body: new Uint8Array(body),
    headers: {
      authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`,
      "content-type": "application/x-git-receive-pack-request",
      // The server may just be closing a connection that an earlier push left open.
      connection: "close",
      ...headers,
    },
  });
  return { status: response.status, text: await response.text() };
}

function toVariableLength(number: number): Buffer {
  const bytes: number[] = [];
  for (let rest = number; ; rest = Math.floor(rest / 128)) {
    bytes.push((rest % 128) | (rest >= 128 ? 0x80 : 0));
    if (rest < 128) return Buffer.from(bytes);
  }
}

function toEntryHead(type: number, size: number): Buffer {
  const bytes: number[] = [];
  let rest = Math.floor(size / 16);
  bytes.push((type << 4) | (size % 16) | (rest > 0 ? 0x80 : 0));
  while (rest > 0) {
    const low = rest % 128;
    rest = Math.floor(rest / 128);
    bytes.push(low | (rest > 0 ? 0x80 : 0));
  }
  return Buffer.from(bytes);
}
