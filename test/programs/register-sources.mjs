import { registerHooks } from "node:module";
import { findSource } from "./find-source.mjs";

// Lets a child process of a test run our sources, as the tests themselves do.
registerHooks({
  resolve: (specifier, context, next) => next(findSource(specifier)?.href ?? specifier, context),
});
