/** Throws unless a name can name a session on every file system. */
export function requireSessionName(name: string): void {
  if (/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/u.test(name)) return;
  throw new TypeError(
    `${JSON.stringify(name)} is not a valid session name. Use 1 to 64 letters, digits, dots, underscores and hyphens; don't start with a dot.`,
  );
}
