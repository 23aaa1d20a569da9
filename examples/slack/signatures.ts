import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

const toleranceSeconds = 300;

/** Checks a webhook of Haft as Standard Webhooks says. Returns its ID; `undefined` if it is forged or old. */
export function verifyWebhook(
  secret: string,
  headers: IncomingHttpHeaders,
  body: Buffer,
): string | undefined {
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) =>
    String(headers[`webhook-${name}`] ?? ""),
  ) as [string, string, string];
  const key = Buffer.from(secret.replace(/^whsec_/u, ""), "base64");
  const content = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
  const right = `v1,${createHmac("sha256", key).update(content).digest("base64")}`;
  // While a secret is rotated there are two.
  const isSigned = signatures.split(" ").some((signature) => isEqual(signature, right));
  return isSigned && isRecent(timestamp) ? id : undefined;
}

/** Checks a request of Slack and reads its form. `undefined` if it is forged or old. */
export function readSlackForm(
  signingSecret: string,
  headers: IncomingHttpHeaders,
  body: Buffer,
): URLSearchParams | undefined {
  const timestamp = String(headers["x-slack-request-timestamp"] ?? "");
  const content = Buffer.concat([Buffer.from(`v0:${timestamp}:`), body]);
  const right = `v0=${createHmac("sha256", signingSecret).update(content).digest("hex")}`;
  const isSigned = isEqual(String(headers["x-slack-signature"] ?? ""), right);
  return isSigned && isRecent(timestamp) ? new URLSearchParams(body.toString()) : undefined;
}

/** Signs the ID of an item for the value of a button. */
export function signItem(secret: string, id: string): string {
  return `${id}.${createHmac("sha256", secret).update(`item:${id}`).digest("base64url")}`;
}

/** Returns the ID in the value of a button; `undefined` if it is forged. */
export function verifyItem(secret: string, value: string): string | undefined {
  const [id = ""] = value.split(".", 1);
  return isEqual(value, signItem(secret, id)) ? id : undefined;
}

/** What was seen in the last minutes. */
export interface SeenSet {
  has(name: string): boolean;
  /** Returns whether it is new. */
  add(name: string): boolean;
}

/** Creates an empty set. What is older than a signature may be is forgotten. */
export function createSeenSet(): SeenSet {
  const seen = new Map<string, number>();
  return {
    has: (name) => seen.has(name),
    add: (name) => {
      const now = Date.now();
      for (const [old, at] of seen) {
        if (at + 2 * toleranceSeconds * 1_000 > now) break;
        seen.delete(old);
      }
      if (seen.has(name)) return false;
      seen.set(name, now);
      return true;
    },
  };
}

function isRecent(timestamp: string): boolean {
  const age = Math.abs(Date.now() / 1_000 - Number(timestamp));
  return /^\d+$/u.test(timestamp) && age <= toleranceSeconds;
}

function isEqual(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
