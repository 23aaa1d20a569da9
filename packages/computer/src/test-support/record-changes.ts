import { createDiskComputer } from "../disk/disk-computer.ts";
import { bytesOf } from "./open-scope.ts";

// Tells the journal of a hundred changes.
const [, , workspace = "", stateDirectory = "", name = ""] = process.argv;
const { journal } = createDiskComputer({ workspace, stateDirectory }).openSession("shared");
for (let round = 0; round < 100; round++) {
  await journal.record([
    {
      callId: `${name}${round}`,
      path: "/w/a.txt",
      before: { kind: "file", content: bytesOf(`before ${round % 5}`.repeat(1000)), mode: 0o644 },
      after: { kind: "file", content: bytesOf("after") },
    },
  ]);
}
console.log(JSON.stringify("done"));
