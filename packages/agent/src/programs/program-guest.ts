// The script of a process that runs one program of `run_code`. It is passed to Node as text and runs in
// a blank sandbox, so it imports nothing but Node's own modules. The sandbox is the boundary, and the
// host believes nothing that comes from here. The context keeps Node's functions out of a program's
// way, so that a mistake is named instead of half working.
import { writeSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { type Context, constants, createContext, Script } from "node:vm";
import type { RealmMessage, RunMessage } from "./program-messages.ts";
import type { furnishRealm, Inside } from "./program-realm.ts";

const prefix = "(async () => {";
const fileName = "program.ts";
const descriptor = 1;
const timers = new Map<number, NodeJS.Timeout>();
let lastTimer = 0;
let waiting: string[] = [];
let printed = "";
let isFlushing = false;
let isEnded = false;
let isSettled = false;
let inside: Inside | undefined;

function send(json: string): void {
  if (isEnded) return;
  takePrinted();
  waiting.push(json);
  flushLater();
}

function print(text: string): void {
  if (isEnded) return;
  printed += text;
  // A loop that prints must not fill this process before anybody sees it.
  if (printed.length > maxHeld) flush();
  else flushLater();
}

const maxHeld = 64 * 1024;

function takePrinted(): void {
  if (printed === "") return;
  waiting.push(JSON.stringify({ kind: "print", text: printed }));
  printed = "";
}

// Calls that are made together go out together.
function flushLater(): void {
  if (isFlushing) return;
  isFlushing = true;
  queueMicrotask(flush);
}

function flush(): void {
  isFlushing = false;
  takePrinted();
  const messages = waiting;
  waiting = [];
  if (messages.length > 0) {
    writeAll(Buffer.from(`${messages.join("\n")}\n`));
  }
}

const sleeper = new Int32Array(new SharedArrayBuffer(4));

function writeAll(bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(descriptor, bytes, written);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      Atomics.wait(sleeper, 0, 0, 1);
    }
  }
}

function prepare({ realm }: RealmMessage): (run: RunMessage) => void {
  const context = createContext(constants.DONT_CONTEXTIFY, {
    codeGeneration: { strings: false, wasm: false },
  });
  const furnish = new Script(`(${realm})`).runInContext(context) as typeof furnishRealm;
  // Loads what the first program needs.
  stripTypeScriptTypes("let ready: number");
  return (run) => {
    inside = furnish({ send, print, startTimer, stopTimer, exit: () => end({ kind: "end" }), run });
    start(run, context);
  };
}

function start(run: RunMessage, context: Context): void {
  let program: Promise<unknown>;
  try {
    const code = stripTypeScriptTypes(`${prefix}${run.code}\n})()`);
    program = new Script(code, { filename: fileName }).runInContext(context) as Promise<unknown>;
  } catch (error) {
    fail(describeSyntax(error));
    return;
  }
  program.then(
    // A rejection that the program does not await is reported first.
    (value) => {
      isSettled = true;
      setImmediate(() => succeed(value));
    },
    (thrown: unknown) => fail(inside?.describe(thrown)),
  );
  checkLater();
}

function succeed(value: unknown): void {
  let json: string | undefined;
  try {
    json = inside?.toJson(value);
  } catch (error) {
    fail({ message: `The returned value can't be written as JSON: ${(error as Error).message}` });
    return;
  }
  end({ kind: "end", ...(json !== undefined && { json }) });
}

function fail(description: object = {}): void {
  end({ kind: "fail", ...description });
}

function end(message: object): void {
  if (isEnded) return;
  send(JSON.stringify(message));
  flush();
  isEnded = true;
}

function describeSyntax(error: unknown): object {
  const { message, stack } = error as Error;
  const text = String(stack);
  const line = /^[^\n]*:(\d+)\n/u.exec(text)?.[1];
  return { message: `SyntaxError: ${message}`, line: Number(line ?? 0) };
}

function startTimer(run: () => void, delay: number): number {
  lastTimer += 1;
  const id = lastTimer;
  const fire = (): void => {
    timers.delete(id);
    checkLater();
    run();
  };
  timers.set(id, setTimeout(fire, delay));
  return id;
}

function stopTimer(id: number): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  checkLater();
}

// A program that waits for nothing never ends.
function checkLater(): void {
  setImmediate(() => {
    if (isEnded || isSettled || timers.size > 0 || (inside?.pending() ?? 1) > 0) return;
    fail({ message: "The program waits for a promise that nothing can settle any more." });
  });
}

for (const event of ["uncaughtException", "unhandledRejection"]) {
  process.on(event, (thrown: unknown) => {
    fail(inside?.describe(thrown) ?? { message: String(thrown) });
  });
}

let begin: ((run: RunMessage) => void) | undefined;
let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (text: string) => {
  const lines = (rest + text).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) {
    if (inside !== undefined) inside.answer(line);
    else if (begin !== undefined) begin(JSON.parse(line) as RunMessage);
    else {
      begin = prepare(JSON.parse(line) as RealmMessage);
      writeAll(Buffer.from('{"kind":"ready"}\n'));
    }
  }
  if (inside !== undefined) checkLater();
});
process.stdin.on("end", () => process.exit());
