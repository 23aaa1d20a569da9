import { createRequire } from "node:module";

// By the package's name, because this module may stand in the bundled program, at another depth.
const manifest = createRequire(import.meta.url)("@haft/cli/package.json") as { version: string };

/** The version of this package, from its manifest. */
export const version: string = manifest.version;
