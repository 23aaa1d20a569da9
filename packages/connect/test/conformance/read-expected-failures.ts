import { readFileSync } from "node:fs";
import type { Suite } from "./run-suite.ts";

/** Which scenarios of a suite are known to fail. Each line of the file must say why. */
export function readExpectedFailures(suite: Suite, side: "server" | "client"): readonly string[] {
  const name = suite.slice(suite.indexOf("/") + 1);
  const file = new URL(`expected-failures/${name}.yaml`, import.meta.url);
  const names: string[] = [];
  let current = "";
  for (const line of readFileSync(file, "utf8").split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const heading = /^(\w+):$/.exec(line)?.[1];
    const entry = /^ {2}- (\S+) # \S/.exec(line)?.[1];
    if (heading) current = heading;
    else if (entry === undefined) throw new TypeError(`Without a reason: ${line}`);
    else if (current === side) names.push(entry);
  }
  return names;
}
