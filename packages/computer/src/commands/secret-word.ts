import { resolvePath } from "../paths/resolve-path.ts";
import { isSecretPath } from "../paths/secret-path.ts";
import type { Directory } from "./directory.ts";

/** Whether a word names a secret file, as a whole or in part: `--file=.env`. */
export function isSecretWord(word: string, directory: Directory): boolean {
  const mayBe = candidate.test(word) || (directory !== undefined && hidden.test(directory));
  if (!mayBe) return false;
  if (kernel.test(word)) return true;
  if (names(word, directory)) return true;
  if (word.startsWith("-") && names(word.slice(2), directory)) return true;
  const pieces = word.split(divider);
  return pieces.length > 1 && pieces.some((piece) => names(piece, directory));
}

// Every secret name contains one of these. Most words don't, and are settled here.
const candidate = /[._/]|credentials|[^\x20-\x7e]/iu;

// Processes show their variables and memory there, and devices their content.
const kernel =
  /\/proc\/+(?:self|thread-self|\d)|\/dev\/+(?:k?mem|[sv]d[a-z]|nvme|disk|mapper|dm-)/u;

// In a directory of secrets, any name is one.
const hidden = /\/\.|^\/etc/u;

const divider = /[\s=:@,;|&<>()'"{}[\]!?*$`\\^]+/u;

function names(path: string, directory: Directory): boolean {
  if (path === "" || path.includes("\0")) return false;
  const whole = path.startsWith("/") ? path : `${directory ?? ""}/${path}`;
  if (!unusual.test(whole)) return isSecretPath(whole);
  const resolved = resolvePath(whole, { base: "/", home: undefined });
  // A directory of secrets is one itself.
  return isSecretPath(resolved) || isSecretPath(`${resolved}/x`);
}

const unusual = /\/[./]/u;
