import { createContext, runInContext } from "node:vm";
import type { RunMessage } from "../program-messages.ts";
import type { BlankProcess, ProcessListener, ProgramPool } from "../program-pool.ts";
import { furnishRealm, type Inside } from "../program-realm.ts";

/**
 * A pool whose programs run in this process, with the globals and messages of the real one. It confines nothing:
 * it is for tests of many programs, where starting a process for each would take most of the time.
 */
export const realmPool: ProgramPool = {
  checker: {
    warm: async () => {},
    check: async () => ({ diagnostics: [] }),
    close: async () => {},
  },
  findFailure: async () => undefined,
  warm: async () => {},
  take: async () => openRealm(),
  close: async () => {},
};

function openRealm(): BlankProcess {
  let listener: ProcessListener | undefined;
  let inside: Inside | undefined;
  const send = (json: string): void => queueMicrotask(() => listener?.onOutput(`${json}\n`));
  const start = (run: RunMessage): void => {
    const context = createContext();
    const furnish = runInContext(`(${furnishRealm})`, context) as typeof furnishRealm;
    inside = furnish({
      send,
      print: (text) => send(JSON.stringify({ kind: "print", text })),
      startTimer: () => 0,
      stopTimer: () => {},
      exit: () => send(JSON.stringify({ kind: "end" })),
      run,
    });
    const program = runInContext(`(async () => {${run.code}\n})()`, context) as Promise<unknown>;
    program.then(
      (value) => send(JSON.stringify({ kind: "end", json: inside?.toJson(value) })),
      (thrown: unknown) => send(JSON.stringify({ kind: "fail", ...inside?.describe(thrown) })),
    );
  };
  return {
    listen: (given) => {
      listener = given;
    },
    write: async (lines) => {
      if (inside === undefined) start(JSON.parse(lines) as RunMessage);
      else for (const line of lines.split("\n")) inside.answer(line);
    },
    stop: async () => {},
  };
}
