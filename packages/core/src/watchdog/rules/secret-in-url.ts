import type { JsonValue } from "@haft/contract";
import { isRandom } from "../../secrets/is-random.ts";
import { ask, deny, type WatchdogRule } from "../watchdog-rule.ts";

/** Detects a URL or a query that carries a secret or opaque encoded data. */
export const secretInUrl: WatchdogRule = ({ call }) => {
  if (call.kind !== "fetch") return undefined;
  const { secrets } = call;
  if (secrets.length > 0) {
    return deny(
      `This call of ${call.tool} would send a secret (${secrets.join(", ")}) to another machine. Leave it out.`,
    );
  }
  const blob = textsIn(call.arguments).flatMap(splitAddress).find(isBlob);
  if (blob === undefined) return undefined;
  return ask(`it sends something encoded to another machine: ${blob.slice(0, 24)}…`);
};

function textsIn(data: JsonValue): string[] {
  if (typeof data === "string") return [data];
  return typeof data === "object" && data !== null ? Object.values(data).flatMap(textsIn) : [];
}

// In a query slashes and dots belong to what is sent.
function splitAddress(text: string): string[] {
  const [before = "", ...queries] = text.split(/[?#]/u);
  const parts = [...before.split(/[\s/.:,;@=]+/u), ...queries.join("&").split(/[\s&=]+/u)];
  return parts.map(decodePercent);
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// Hashes, identifiers and version numbers are random too, but short; signatures are binary.
function isBlob(part: string): boolean {
  if (part.length < 24) return false;
  if (/^[0-9a-f]+$/iu.test(part)) return part.length > 128 || isText(fromHex(part));
  if (!/^[\w+/=-]+$/u.test(part)) return false;
  return (part.length >= 100 && isRandom(part)) || isText(fromBase64(part));
}

// What decodes to words was encoded by somebody.
function isText(decoded: string | undefined): boolean {
  return (
    decoded !== undefined &&
    decoded.length >= 16 &&
    /^[\x20-\x7e\s]+$/u.test(decoded) &&
    /[ :=@.\n]/u.test(decoded)
  );
}

function fromBase64(part: string): string | undefined {
  try {
    return atob(part.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return undefined;
  }
}

function fromHex(part: string): string | undefined {
  if (part.length % 2 !== 0) return undefined;
  const codes = part.match(/../gu)?.map((pair) => Number.parseInt(pair, 16)) ?? [];
  return String.fromCharCode(...codes.slice(0, 200));
}
