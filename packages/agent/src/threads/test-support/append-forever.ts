import { writeSync } from "node:fs";
import { openThreads } from "../open-threads.ts";

// Says more and more in a thread, and tells of each entry when it is said to be kept.
const [path = "", id = ""] = process.argv.slice(2);
const threads = await openThreads(path);
const thread = threads.open({ id, name: "loop", workspace: "/w" });
for (;;) {
  const { at } = thread.append({
    kind: "notice",
    text: `number ${thread.facts.name} `.repeat(200),
  });
  writeSync(1, `${at}\n`);
}
