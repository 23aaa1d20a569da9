import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { Problem } from "../problem.ts";
import type { MasterKey } from "./master-key.ts";
import type { MasterKeys } from "./master-keys.ts";
import type { SecretBox } from "./secret-box.ts";

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;
const sealedForm = /^v1\.([0-9a-f]{16})\.([\w-]+)$/;

/** Creates a secret box that seals with AES-256-GCM: `v1.{key id}.{nonce, ciphertext and tag}`. */
export function createSecretBox(keys: MasterKeys): SecretBox {
  return {
    keyIds: () => keys.ids(),
    seal: (text, context) => sealWith(keys.current(), text, context),
    open: (sealed, context) => {
      const id = findKeyId(sealed);
      if (id === undefined) throw unreadable(context, "is malformed");
      const key = keys.find(id);
      if (key === undefined) {
        throw new Problem(
          500,
          `${nameOf(context)} was sealed with the master key ${id}, which this server does not have. Its operator has to put that key back into ${keys.name}. Without the key the value is lost and has to be set again.`,
        );
      }
      return openWith(key, sealed, context);
    },
  };
}

/** Seals text with the given key. */
export function sealWith(key: MasterKey, text: string, context: readonly string[]): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key.bytes, nonce, { authTagLength: tagBytes });
  cipher.setAAD(toAssociatedData(key.id, context));
  const bytes = [nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()];
  return `v1.${key.id}.${Buffer.concat(bytes).toString("base64url")}`;
}

/** Returns the id of the key that sealed a value, or `undefined` if it is not sealed. */
export function findKeyId(sealed: string): string | undefined {
  return sealedForm.exec(sealed)?.[1];
}

function openWith(key: MasterKey, sealed: string, context: readonly string[]): string {
  const text = sealed.slice(sealed.lastIndexOf(".") + 1);
  const bytes = Buffer.from(text, "base64url");
  // Several base64 texts decode to the same bytes. Only the one that was written is accepted.
  const isWhole = bytes.length >= nonceBytes + tagBytes && bytes.toString("base64url") === text;
  if (!isWhole) throw unreadable(context, "was cut off");
  const nonce = bytes.subarray(0, nonceBytes);
  const end = bytes.length - tagBytes;
  try {
    const decipher = createDecipheriv(algorithm, key.bytes, nonce, { authTagLength: tagBytes });
    decipher.setAAD(toAssociatedData(key.id, context));
    decipher.setAuthTag(bytes.subarray(end));
    const parts = [decipher.update(bytes.subarray(nonceBytes, end)), decipher.final()];
    return Buffer.concat(parts).toString("utf8");
  } catch {
    throw unreadable(context, "was changed, or was sealed for another row");
  }
}

// As JSON, so that no two contexts have the same bytes.
function toAssociatedData(keyId: string, context: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify(["haft v1", keyId, ...context]), "utf8");
}

// Shown to any caller: names are not secret.
function unreadable(context: readonly string[], why: string): Problem {
  return new Problem(500, `${nameOf(context)} ${why}. Set it again.`);
}

function nameOf([kind = "value", ...rest]: readonly string[]): string {
  return `The sealed ${kind} ${JSON.stringify(rest.at(-1) ?? "")}`;
}
