import { createDiskComputer } from "../disk/disk-computer.ts";
import { bytesOf } from "./open-scope.ts";

// Tells the journal of a hundred changes.
const [, , workspace = "", stateDirectory = "", name = ""] = process.argv;
const { journal } = createDiskComputer({ workspace, stateDirectory }).openSession("shared");
for (let round = 0; round < 100; round++) {
  const before = bytesOf(`before ${round % 5}`);
  const after = bytesOf("after");
  journal.record({ callId: `${name}${round}`, path: "/w/a.txt", before, after, modeBefore: 0o644 });
}
console.log(JSON.stringify("done"));
