import { writeFileSync } from "node:fs";
import { writeCallsReference } from "./calls-reference.ts";
import { countOutcomes } from "./run-corpus.ts";
import { countPeers } from "./run-peers.ts";

const page = new URL("../../docs/reference/calls.md", import.meta.url);
writeFileSync(page, writeCallsReference(await countOutcomes(), await countPeers()));
