import { flushCompileCache } from "node:module";
import { createDiskComputer } from "../disk/disk-computer.ts";
import { openScope } from "./open-scope.ts";

// Replaces a file again and again, each time with one letter repeated, until it is killed. Says when it has
// replaced the file so many times.
const [, , root = "", length = "0", times = "1"] = process.argv;
const computer = createDiskComputer({ workspace: root, stateDirectory: `${root}/../state` });
const { files } = openScope(computer);
for (let round = 1; ; round++) {
  const letter = String.fromCharCode(97 + (round % 26));
  await files.write("file.txt", letter.repeat(Number(length)));
  if (round !== Number(times)) continue;
  // What is killed does not get to save what it compiled.
  flushCompileCache();
  process.stdout.write("ready\n");
}
