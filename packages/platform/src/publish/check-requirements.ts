import { Problem } from "../problem.ts";

/**
 * Reads a requirements.txt that names every package with its version. Throws a `Problem` 400 for
 * anything else: other files, other places, options.
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

// It comes with every build, so that nobody has to get it from anywhere.
const ownPackage = /^amigo[-_]tool[-_]scaffold\b/iu;

const pinned =
  /^[A-Za-z0-9][\w.-]*(?:\[[\w.,\s-]+\])?\s*==\s*[\w.!+-]+(?:\s*;[^#@]*?)?(?:\s+--hash=sha256:[0-9a-f]{64})*$/u;

function requirePinned(line: string): string {
  if (pinned.test(line)) return line;
  throw new Problem(
    400,
    `requirements.txt has ${JSON.stringify(line.slice(0, 200))}. Each line has to name one package with its version, such as requests==2.32.3; --hash=sha256:… may follow.`,
  );
}
