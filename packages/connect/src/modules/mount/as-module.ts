import { AsyncLocalStorage } from "node:async_hooks";
import { Console } from "node:console";

const inModule = new AsyncLocalStorage<true>();

/**
 * Runs a module's code and redirects its console output, now and later, to standard error. Standard
 * output may carry a protocol or a result that a program parses.
 */
export function asModule<Value>(work: () => Value): Value {
  redirectConsole();
  return inModule.run(true, work);
}

const printing = ["log", "info", "debug", "dir", "table"] as const;

let isRedirected = false;

function redirectConsole(): void {
  if (isRedirected) return;
  isRedirected = true;
  const shared = globalThis.console;
  const aside = new Console(process.stderr, process.stderr);
  for (const name of printing) {
    const usual = shared[name].bind(shared) as Print;
    const other = aside[name].bind(aside) as Print;
    shared[name] = (...values: unknown[]): void => (inModule.getStore() ? other : usual)(...values);
  }
}

type Print = (...values: unknown[]) => void;
