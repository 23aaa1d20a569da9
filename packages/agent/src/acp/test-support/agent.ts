import { Readable, Writable } from "node:stream";
import type { DelegatedParts } from "../delegation/delegate-computer.ts";
import { serveAcp } from "../serve-acp.ts";
import { createDiskBackend } from "./disk-backend.ts";

// An agent for real clients: what `haft acp` serves, on a scripted model.
const [state = "", modelUrl = "", delegate] = process.argv.slice(2);

const warn = (message: string): void => {
  process.stderr.write(`${message}\n`);
};

await serveAcp(
  await createDiskBackend({ state, modelUrl }),
  {
    input: Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
    output: Writable.toWeb(process.stdout),
  },
  { version: "1.2.3", delegate: delegate as DelegatedParts, warn },
);
