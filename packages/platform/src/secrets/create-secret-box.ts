import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { MasterKey } from "./master-key.ts";
import type { MasterKeys } from "./master-keys.ts";
import type { SecretBox } from "./secret-box.ts";

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;
const sealedForm = /^v1\.([0-9a-f]{16})\.([\w-]+)$/;

/** Seals with AES-256-GCM: `v1.{key id}.{nonce, ciphertext and tag}`. */
export function createSecretBox(keys: MasterKeys): SecretBox {
  return {
    seal: (text, context) => sealWith(keys.current(), text, context),
    open: (sealed, context) => {
      const id = findKeyId(sealed);
      if (id === undefined) throw new Error("A sealed value is malformed. Set it anew.");
      const key = keys.find(id);
      if (key === undefined) {
        throw new Error(
          `A value was sealed with the master key ${id}, which is not in ${keys.origin}. Put that key back there; without it the value is lost and must be set anew.`,
        );
      }
      return openWith(key, sealed, context);
    },
  };
}

/** Seals with a certain key. */
export function sealWith(key: MasterKey, text: string, context: readonly string[]): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key.bytes, nonce, { authTagLength: tagBytes });
  cipher.setAAD(toAssociatedData(key.id, context));
  const bytes = [nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()];
  return `v1.${key.id}.${Buffer.concat(bytes).toString("base64url")}`;
}

/** The key that a value was sealed with; `undefined` if it is not sealed. */
export function findKeyId(sealed: string): string | undefined {
  return sealedForm.exec(sealed)?.[1];
}

function openWith(key: MasterKey, sealed: string, context: readonly string[]): string {
  const text = sealed.slice(sealed.lastIndexOf(".") + 1);
  const bytes = Buffer.from(text, "base64url");
  // Several texts can stand for the same bytes; only the one that was written is accepted.
  const isWhole = bytes.length >= nonceBytes + tagBytes && bytes.toString("base64url") === text;
  if (!isWhole) throw refusal();
  const nonce = bytes.subarray(0, nonceBytes);
  const end = bytes.length - tagBytes;
  try {
    const decipher = createDecipheriv(algorithm, key.bytes, nonce, { authTagLength: tagBytes });
    decipher.setAAD(toAssociatedData(key.id, context));
    decipher.setAuthTag(bytes.subarray(end));
    const parts = [decipher.update(bytes.subarray(nonceBytes, end)), decipher.final()];
    return Buffer.concat(parts).toString("utf8");
  } catch {
    throw refusal();
  }
}

// As JSON, so that no two contexts look alike.
function toAssociatedData(keyId: string, context: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify(["haft v1", keyId, ...context]), "utf8");
}

function refusal(): Error {
  return new Error("A sealed value was changed, or was sealed for another place. Set it anew.");
}
