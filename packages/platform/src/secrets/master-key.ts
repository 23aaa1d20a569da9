import { createHash, randomBytes } from "node:crypto";

const keyBytes = 32;

/** A key that seals the secrets in the store. */
export interface MasterKey {
  /** Identifies the key and reveals nothing about it. */
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** Generates a key. */
export function newMasterKey(): MasterKey {
  return toMasterKey(randomBytes(keyBytes));
}

/** Parses 32 bytes in base64 or hexadecimal. Returns `undefined` for anything else. */
export function fromKeyText(text: string): MasterKey | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return toMasterKey(Buffer.from(text, "hex"));
  if (!/^[\w+/-]{43}=?$/.test(text)) return undefined;
  const bytes = Buffer.from(text, "base64");
  return bytes.length === keyBytes ? toMasterKey(bytes) : undefined;
}

/** Returns a key in base64. */
export function toKeyText(key: MasterKey): string {
  return Buffer.from(key.bytes).toString("base64");
}

function toMasterKey(bytes: Uint8Array): MasterKey {
  const digest = createHash("sha256").update("haft master key\0").update(bytes).digest("hex");
  return { id: digest.slice(0, 16), bytes };
}
