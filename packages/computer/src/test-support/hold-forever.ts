import { createFileHolds } from "../locks/hold-files.ts";

// Holds files until it is killed.
const [, , directory = "", ...paths] = process.argv;
const { signal } = new AbortController();
await createFileHolds(directory)(paths, { signal });
process.stdout.write("held");
setInterval(() => {}, 60_000);
