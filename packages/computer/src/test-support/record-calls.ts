import { openSqliteRecorder } from "../recorder/sqlite-recorder.ts";

// Records two hundred calls, a few in each turn, and prints what went wrong.
const [, , path = "", session = ""] = process.argv;
const errors: string[] = [];
const recorder = await openSqliteRecorder(path, {
  onError: (error) => void errors.push(error.message),
});
for (let index = 0; index < 200; index++) {
  recorder.record({
    session,
    callId: String(index),
    name: "read",
    tool: "read",
    arguments: {},
    dialect: "portable",
    startedAt: Date.now(),
    state: "done",
    result: { type: "output", data: index, metadata: { duration_ms: 1 } },
  });
  if (index % 5 === 0) await new Promise((resolve) => setImmediate(resolve));
}
await recorder.close();
console.log(JSON.stringify(errors));
