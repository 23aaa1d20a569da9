import { foldPath } from "./fold-path.ts";
import { type Protection, protectedNames, settingsDirectories } from "./protected-names.ts";

/**
 * Returns whether changing a path could make something else run code or lift a limit: git's hooks and
 * configuration, shell start-up files, our own rules and settings, those of editors and other agents.
 */
export function isProtectedPath(path: string): boolean {
  return anyPattern.test(foldPath(path));
}

/** Returns why a path is protected; `undefined` if it is not. */
export function findProtection(path: string): Protection | undefined {
  const folded = foldPath(path);
  return patterns.find(([, pattern]) => pattern.test(folded))?.[0];
}

/**
 * Returns whether a directory of this name holds rules or settings. A link of such a name leads a
 * program to settings that lie elsewhere.
 */
export function isSettingsDirectory(name: string): boolean {
  return settingsDirectory.test(foldPath(name));
}

const protections: readonly Protection[] = ["git", "rules", "settings", "home"];

const patterns = protections.map(
  (protection) => [protection, new RegExp(protectedNames[protection].join("|"), "u")] as const,
);

const anyPattern = new RegExp(Object.values(protectedNames).flat().join("|"), "u");

const settingsDirectory = new RegExp(String.raw`^\.(?:${settingsDirectories})$`, "u");
