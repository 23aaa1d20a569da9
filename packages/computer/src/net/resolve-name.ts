import { lookup } from "node:dns/promises";

/** Finds all addresses of a name, in the order to try them. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

/** Asks the system's resolver, like every other program on the machine. */
export const resolveName: ResolveName = async (name) => {
  await turn();
  try {
    const found = await lookup(name, { all: true, order: "verbatim" });
    return found.map(({ address }) => address);
  } finally {
    running--;
    waiting.shift()?.();
  }
};

// Each lookup occupies one of libuv's four threads, which also read files. A name server that does
// not answer must not block all of them.
const maxConcurrent = 3;
const waiting: (() => void)[] = [];
let running = 0;

async function turn(): Promise<void> {
  while (running >= maxConcurrent) await new Promise<void>((resolve) => waiting.push(resolve));
  running++;
}
