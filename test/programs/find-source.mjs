/**
 * Returns the source file of what a package of ours offers under this name, for example
 * `@haft/core/internal`; `undefined` for any other name.
 * @param {string} specifier
 * @returns {URL | undefined}
 */
export function findSource(specifier) {
  const [, name, internal, entry] =
    /^@haft\/([a-z]+)(\/internal)?(?:\/([a-z-]+))?$/u.exec(specifier) ?? [];
  if (name === undefined) return undefined;
  const half = internal === undefined ? "index.ts" : "internal.ts";
  const file = entry === undefined ? half : `${entry}/${half}`;
  return new URL(`../../packages/${name}/src/${file}`, import.meta.url);
}
