import { Problem } from "../problem.ts";
import { toShownName } from "../shown-name.ts";

/**
 * Parses a requirements.txt that names every package with its exact version. Throws a `Problem` 400 for
 * anything else: references to other files or URLs, and options.
 */
export function readRequirements(bytes: Uint8Array): readonly string[] {
  const text = Buffer.from(bytes)
    .toString("utf8")
    .replaceAll(/\\\r?\n/gu, " ");
  return text
    .split("\n")
    .map((line) => line.replace(/(?:^|\s)#.*$/u, "").trim())
    .filter((line) => line !== "" && !ownPackage.test(line))
    .map(requirePinned);
}

// Every build provides it, so it is never installed from an index.
const ownPackage = /^amigo[-_]tool[-_]scaffold\b/iu;

const pinned =
  /^[A-Za-z0-9][\w.-]*(?:\[[\w.,\s-]+\])?\s*==\s*[\w.!+-]+(?:\s*;[^#@]*?)?(?:\s+--hash=sha256:[0-9a-f]{64})*$/u;

function requirePinned(line: string): string {
  if (pinned.test(line)) return line;
  throw new Problem(
    400,
    `requirements.txt has ${toShownName(line)}. Name one package with its exact version per line, such as requests==2.32.3, optionally followed by --hash=sha256:….`,
  );
}
