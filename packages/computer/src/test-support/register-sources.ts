import { registerHooks } from "node:module";

// Lets a child process of a test run our sources, as the tests themselves do.
registerHooks({
  resolve: (specifier, context, next) => {
    const [, name, entry] = /^@haft\/([a-z]+)(?:\/([a-z-]+))?$/u.exec(specifier) ?? [];
    if (name === undefined) return next(specifier, context);
    const file = entry === undefined ? "index.ts" : `${entry}/index.ts`;
    return next(new URL(`../../../${name}/src/${file}`, import.meta.url).href, context);
  },
});
