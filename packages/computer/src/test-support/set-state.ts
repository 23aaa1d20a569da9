import { createDiskComputer } from "../disk/disk-computer.ts";

// Sets one value again and again, each time whole.
const [, , workspace = "", stateDirectory = "", letter = ""] = process.argv;
const { state } = createDiskComputer({ workspace, stateDirectory }).openSession("shared");
for (let round = 0; round < 100; round++) await state.set("key", letter.repeat(20_000));
console.log(JSON.stringify("done"));
