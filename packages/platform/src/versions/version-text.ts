import type { VersionNumber } from "./resolved-version.ts";

const exact = /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})$/;

/** `1.2.3` */
export function toText({ major, minor, patch }: VersionNumber): string {
  return `${major}.${minor}.${patch}`;
}

/** The number that a text such as `1.2.3` says, `undefined` if it says anything else. */
export function toNumber(text: string): VersionNumber | undefined {
  const [, major, minor, patch] = exact.exec(text) ?? [];
  if (major === undefined) return undefined;
  return { major: Number(major), minor: Number(minor), patch: Number(patch) };
}
