#!/usr/bin/env node
// Plain JavaScript on purpose: it must still speak clearly under a Node that is too old, or before
// the first build.
import { existsSync } from "node:fs";
import * as nodeModule from "node:module";

const oldest = 24;
const built = new URL("../dist/program/main.js", import.meta.url);

if (Number.parseInt(process.versions.node, 10) < oldest) {
  fail(
    `haft needs Node ${oldest} or newer; this is ${process.version}. From a clone, npx haft uses the right one.`,
  );
} else if (!existsSync(built)) {
  fail("haft is not built yet. Run: npm run setup");
} else {
  // Keeps compiled code between runs, which halves the start-up time of a one-shot command.
  nodeModule.enableCompileCache?.();
  const { runMain } = await import(built.href);
  await runMain();
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}
