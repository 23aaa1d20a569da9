import { createHash, randomBytes } from "node:crypto";

const keyBytes = 32;

/** A key that seals everything else. */
export interface MasterKey {
  /** Tells keys apart, and nothing about the key. */
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** Makes a new key. */
export function newMasterKey(): MasterKey {
  return toMasterKey(randomBytes(keyBytes));
}

/** Reads 32 bytes in base64 or hexadecimal; `undefined` if it is neither. */
export function fromKeyText(text: string): MasterKey | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return toMasterKey(Buffer.from(text, "hex"));
  if (!/^[\w+/-]{43}=?$/.test(text)) return undefined;
  const bytes = Buffer.from(text, "base64");
  return bytes.length === keyBytes ? toMasterKey(bytes) : undefined;
}

/** Writes a key as base64. */
export function toKeyText(key: MasterKey): string {
  return Buffer.from(key.bytes).toString("base64");
}

function toMasterKey(bytes: Uint8Array): MasterKey {
  const digest = createHash("sha256").update("haft master key\0").update(bytes).digest("hex");
  return { id: digest.slice(0, 16), bytes };
}
