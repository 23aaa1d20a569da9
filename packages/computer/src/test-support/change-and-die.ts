// biome-ignore assist/source/organizeImports: it must come first, so that the others get what it wraps.
import { killAfter } from "./kill-at-step.ts";
import { createDiskComputer } from "../disk/disk-computer.ts";
import { crashScenarios } from "./crash-scenarios.ts";
import { openScope } from "./open-scope.ts";

// Makes the changes of a scenario, and is killed after so many steps unless it is done before.
const [, , workspace = "", stateDirectory = "", name = "", steps = "0"] = process.argv;
const computer = createDiskComputer({ workspace, stateDirectory });
const { journal } = computer.openSession("s");
const { files } = openScope(computer, undefined, { journal });
const scenario = crashScenarios[name];
if (scenario === undefined) throw new Error(`There is no scenario ${name}.`);
killAfter(Number(steps));
await scenario.change(files);
killAfter(Number.POSITIVE_INFINITY);
console.log(JSON.stringify("done"));
