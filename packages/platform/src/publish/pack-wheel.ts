import { createHash } from "node:crypto";
import { zipSync } from "fflate";
import type { Files } from "./scaffold-files.ts";

/** The name and version of a wheel. */
export interface WheelName {
  readonly name: string;
  readonly version: string;
}

// The earliest date that a zip archive can store.
const longAgo = "1980-01-01T00:00:00";

/** Packs files into a Python wheel. The same files always make the same bytes. */
export function packWheel(files: Files, { name, version }: WheelName): Uint8Array {
  const about = `${name}-${version}.dist-info`;
  const all = new Map(files);
  all.set(
    `${about}/METADATA`,
    toBytes(`Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\nRequires-Python: >=3.9\n`),
  );
  all.set(
    `${about}/WHEEL`,
    toBytes("Wheel-Version: 1.0\nGenerator: haft\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
  );
  const record = `${about}/RECORD`;
  const lines = [...all].map(([path, bytes]) => `${path},sha256=${digest(bytes)},${bytes.length}`);
  all.set(record, toBytes(`${[...lines, `${record},,`].join("\n")}\n`));
  const entries = [...all].map(([path, bytes]) => [path, [bytes, { mtime: longAgo }]] as const);
  return zipSync(Object.fromEntries(entries) as Parameters<typeof zipSync>[0], { level: 6 });
}

function toBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function digest(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64url");
}
