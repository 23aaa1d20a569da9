import { isRandom } from "./is-random.ts";

/** A secret that is known by what stands before it. */
export interface ContextSecret {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** How far a secret key stands behind its AWS key id at most. */
const maxAwsSecretDistance = 300;

/** Passwords inside URLs, `scheme://user:password@host`. */
export function findUrlPasswords(text: string, add: (secret: ContextSecret) => void): void {
  // An `@` is rarer than `://`, and quicker to search for.
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    if (at === 0 || !isUserInfo(text.charCodeAt(at - 1))) continue;
    const from = Math.max(0, at - maxUserInfoLength);
    const scheme = text.slice(from, at).lastIndexOf("://");
    if (scheme < 0) continue;
    userInfo.lastIndex = from + scheme + 3;
    const password = userInfo.exec(text)?.[1];
    if (password === undefined || !isPassword(password)) continue;
    const end = userInfo.lastIndex - 1;
    if (end < at) continue;
    add({ name: "url-password", start: end - password.length, end });
    at = end;
  }
}

/** Names and passwords that are sent as `Authorization: Basic`. */
export function findBasicCredentials(text: string, add: (secret: ContextSecret) => void): void {
  for (let at = text.indexOf("Basic "); at >= 0; at = text.indexOf("Basic ", at + 6)) {
    base64.lastIndex = at + 6;
    const found = base64.exec(text)?.[0];
    if (found === undefined || !isCredentials(found)) continue;
    add({ name: "basic-credentials", start: at + 6, end: base64.lastIndex });
  }
}

/** Values of variables that are called a key, token, secret or password and look drawn by chance. */
export function findAssignedSecrets(text: string, add: (secret: ContextSecret) => void): void {
  for (const mark of assignedMarks) {
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + mark.length)) {
      afterName.lastIndex = at + mark.length;
      const found = afterName.exec(text);
      if (found === null) continue;
      const value = found[1] as string;
      const start = afterName.lastIndex - value.length;
      if (!isRandom(value) || value.includes("://")) continue;
      if (!publicName.test(text.slice(Math.max(0, at - 40), at + mark.length))) {
        add({ name: "assigned-value", start, end: afterName.lastIndex });
      }
    }
  }
}

/** The token of an `Authorization: Bearer` whose value holds a place in a text. */
export function findBearerToken(text: string, place: number): ContextSecret | undefined {
  if (!text.slice(Math.max(0, place - maxBearerDistance - 10), place).includes("earer ")) {
    return undefined;
  }
  let start = place;
  while (start > 0 && place - start < maxBearerDistance && isBearerCharacter(text, start - 1))
    start--;
  if (!/bearer {1,3}$/iu.test(text.slice(Math.max(0, start - 9), start))) return undefined;
  bearer.lastIndex = start;
  const token = bearer.exec(text)?.[0];
  if (token === undefined || !isRandom(token)) return undefined;
  return { name: "bearer-token", start, end: bearer.lastIndex };
}

/** The secret keys that follow an AWS key id. */
export function findAwsSecrets(text: string, afterId: number): ContextSecret[] {
  const near = text.slice(afterId, afterId + maxAwsSecretDistance + 41);
  return Array.from(near.matchAll(awsSecret), ({ 0: secret, index }) => ({ secret, index }))
    .filter(({ secret, index }) => index <= maxAwsSecretDistance && isMixed(secret))
    .map(({ index }) => {
      const start = afterId + index;
      return { name: "aws-secret-key", start, end: start + 40 };
    });
}

const maxBearerDistance = 200;
const maxUserInfoLength = 400;
// The last `@` counts: people write passwords as they are.
const userInfo = /[^\s/?#:@"'`<>\\]{0,128}:([^\s/?#"'`<>\\]{3,256})@(?=[\w[.-])/uy;
const base64 = /[A-Za-z0-9+/]{8,512}={0,2}(?![A-Za-z0-9+/=])/uy;
const bearer = /[A-Za-z0-9._~+/-]{20,4000}={0,2}/uy;
const awsSecret = /(?<![A-Za-z0-9/+=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/gu;

// Capitals only: what programs call `token` or `key` is mostly harmless, and must stay readable.
const assignedMarks = ["SECRET", "TOKEN", "PASSW", "_KEY", "APIKEY"];
const afterName =
  /[A-Z0-9_]{0,40}["']?[ \t]{0,3}[=:][ \t]{0,3}["'`]?([A-Za-z0-9+/_.~-]{20,1000}={0,2})/uy;
const publicName = /PUBLIC|CACHE|PRIMARY|FOREIGN/u;

function isUserInfo(code: number): boolean {
  return code > 32 && code !== 34 && code !== 39 && code !== 47 && code !== 64;
}

function isMixed(secret: string): boolean {
  return /[A-Z]/u.test(secret) && /[a-z]/u.test(secret) && /\d/u.test(secret);
}

function isBearerCharacter(text: string, at: number): boolean {
  return /[A-Za-z0-9._~+/-]/u.test(text.charAt(at));
}

function isCredentials(encoded: string): boolean {
  try {
    const [, name, password] =
      /^([\x20-\x7e]{0,200}?):([\x20-\x7e]{0,200})$/u.exec(atob(encoded)) ?? [];
    return name !== undefined && password !== undefined && isPassword(password);
  } catch {
    return false;
  }
}

// What everybody writes in an example hides nothing, and neither does the name of a variable.
function isPassword(password: string): boolean {
  return password.length > 2 && !examples.test(password) && !template.test(password);
}

const examples =
  /^(?:pass(?:word|wd)?|pwd|secret|token|user(?:name)?|root|admin|test|postgres|example|changeme|guest|foo|bar|x+|\*+|\.+)$/iu;
const template = /^[$<{%:]|\$\{|\{\{|\$\(|\[secret:/u;
