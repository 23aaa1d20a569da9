// Searches a directory through an index, tells how, and comes to an end if nothing keeps it.
import { createSearchIndexes } from "../search/index-process/search-index.ts";

const [root = "", ending] = process.argv.slice(2);
const indexes = createSearchIndexes({ execArgv: process.execArgv });
await indexes.whenReady(root);
const query = { pattern: "needle", literal: true, caseSensitive: true, limit: 9, lineLength: 9 };
const found = await indexes.find({ ...query, path: root });
const measure = await indexes.measure(root);
const told = { lines: found?.matches.length, child: measure?.processId };
process.stdout.write(`${JSON.stringify(told)}\n`);
if (ending === "killed") process.kill(process.pid, "SIGKILL");
