import type { DiskComputer, ProjectItem } from "@haft/computer";
import type { Io } from "../io.ts";
import { showItem } from "./show-item.ts";

/** Shows each item and asks whether to trust it. Returns those that were trusted. */
export async function reviewItems(
  items: readonly ProjectItem[],
  computer: DiskComputer,
  io: Io,
): Promise<readonly ProjectItem[]> {
  const trusted: ProjectItem[] = [];
  for (const item of items) {
    io.error(`\n${showItem(item, computer)}`);
    const answer = await ask(io);
    if (answer === "stop") break;
    if (answer === "yes") {
      computer.trust.trust(item);
      trusted.push(item);
    } else if (answer === "never") computer.trust.decline(item);
  }
  return trusted;
}

type Answer = "yes" | "not now" | "never" | "stop";

const answers: Readonly<Record<string, Answer>> = {
  y: "yes",
  yes: "yes",
  n: "not now",
  no: "not now",
  v: "never",
  never: "never",
  q: "stop",
  quit: "stop",
};

async function ask(io: Io): Promise<Answer> {
  for (;;) {
    const line = await io.readLine(
      "Trust it? y: yes, n: not now, v: never ask about this content, q: stop asking [y/n/v/q] ",
      io.signal,
    );
    if (line === undefined) return "stop";
    const word = line.trim().toLowerCase();
    if (Object.hasOwn(answers, word)) return answers[word] as Answer;
    io.error("Please answer y, n, v or q.\n");
  }
}
