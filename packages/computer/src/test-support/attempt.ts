import { createDiskComputer } from "../disk/disk-computer.ts";
import { openScope } from "./open-scope.ts";

// Tries one operation, perhaps as another user than the test, and prints how it ended.
const [, , root = "", verb = "", path = "", ...more] = process.argv;
const computer = createDiskComputer({ workspace: root, stateDirectory: `${root}/../state` });
const { files } = openScope(computer);
const attempts: Readonly<Record<string, () => Promise<unknown>>> = {
  write: () => files.write(path, "new"),
  read: () => files.read(path),
  remove: () => files.remove(path),
  change: () =>
    files.change(
      [path, ...more].map((each) => ({
        path: each,
        to: { kind: "file", content: new Uint8Array() },
      })),
    ),
};
const outcome = await attempts[verb]?.().then(
  () => ({ code: "done" }),
  (error: { code: string; message: string }) => ({ code: error.code, message: error.message }),
);
console.log(JSON.stringify(outcome));
