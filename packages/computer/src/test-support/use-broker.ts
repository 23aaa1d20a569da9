import { type Broker, createBroker } from "../broker/broker.ts";
import { CollectText } from "./collect-text.ts";
import { plainPlan } from "./plain-plan.ts";

// Runs something through a broker, tells of it, and comes to an end if nothing keeps it.
const [sleep = "", ending] = process.argv.slice(2);
const broker = createBroker({ prefix: [] });
const output = new CollectText();
const launch = (command: string): ReturnType<Broker["launch"]> =>
  broker.launch(plainPlan(command), { output: output.take });
await (await launch('echo $PPID; dirname "$(readlink /proc/self/fd/2)"')).ended;
const [pid, directory] = output.text.split("\n");
if (ending === "killed") {
  await (await launch(`setsid sleep ${sleep} & sleep ${sleep}`)).started;
}
process.stdout.write(JSON.stringify({ broker: Number(pid), directory }), () => {
  if (ending === "killed") process.kill(process.pid, "SIGKILL");
});
