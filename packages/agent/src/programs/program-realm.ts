import type { AnswerMessage, RunMessage } from "./program-messages.ts";

/** What the program's own world can use of this one. */
export interface Outside {
  /** Sends a message as JSON. */
  send(json: string): void;
  print(text: string): void;
  startTimer(run: () => void, delay: number): number;
  stopTimer(id: number): void;
  /** Ends the program. Nothing that it does from then on has an effect. */
  exit(): void;
  run: RunMessage;
}

/** What this world can use of the program's. */
export interface Inside {
  /** Takes the answer to a call. */
  answer(json: string): void;
  /** Describes a thrown value. */
  describe(thrown: unknown): object;
  /** Converts the returned value to JSON. */
  toJson(value: unknown): string | undefined;
  pending(): number;
}

interface Question {
  readonly kind: string;
  readonly id: number;
  readonly [field: string]: unknown;
}

/**
 * Gives a program its globals. Its source is sent to the process and evaluated in the program's context, so
 * that all objects a program sees are of its own realm. It can use nothing from outside its body.
 */
export function furnishRealm(outside: Outside): Inside {
  const { send, print, run } = outside;
  const pending = new Map<
    number,
    { resolve(value: unknown): void; reject(error: unknown): void }
  >();
  let made = 0;

  class ToolError extends Error {
    readonly code: string;
    constructor(code: string, message: string) {
      super(message);
      this.name = "ToolError";
      this.code = code;
    }
  }

  // What JSON does not express is the same everywhere: in arguments, results, output and `JSON.stringify`.
  const express = <T>(type: { prototype: T }, toJSON: (this: T) => unknown): void => {
    Object.defineProperty(type.prototype, "toJSON", {
      value: toJSON,
      writable: true,
      configurable: true,
    });
  };
  express<bigint>(BigInt as never, function () {
    return `${this}n`;
  });
  express(Map, function () {
    return Object.fromEntries(this);
  });
  express(Set, function () {
    return [...this];
  });
  express(Error, function () {
    return `${this.name}: ${this.message}`;
  });

  const ask = (message: Question, caller: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      send(JSON.stringify(message));
      // Where the call is made, for the error that it may end with. A deeper stack takes longer to find.
      const place = { stack: "" };
      const { stackTraceLimit } = Error;
      Error.stackTraceLimit = 2;
      Error.captureStackTrace(place, caller as () => void);
      Error.stackTraceLimit = stackTraceLimit;
      pending.set(message.id, {
        resolve,
        reject: (error) => {
          if (error instanceof Error) {
            const frames = place.stack.slice(place.stack.indexOf("\n"));
            error.stack = `${error.name}: ${error.message}${frames}`;
          }
          reject(error);
        },
      });
    });
  const nextId = (): number => {
    made += 1;
    return made;
  };

  const toolNamed = (name: string) => {
    const call = (args: unknown = {}): Promise<unknown> =>
      ask({ kind: "call", id: nextId(), name, arguments: args }, call);
    return call;
  };

  const known: Record<string, unknown> = Object.create(null);
  for (const name of run.names) known[name] = toolNamed(name);
  const search = (query: unknown): Promise<unknown> =>
    ask({ kind: "search", id: nextId(), query: String(query) }, search);
  const describe = (name: unknown): Promise<unknown> =>
    ask({ kind: "describe", id: nextId(), name: String(name) }, describe);
  Object.defineProperties(known, { $search: { value: search }, $describe: { value: describe } });
  const tools = new Proxy(known, {
    // `then` would make the object look like a promise.
    get: (target, name) =>
      typeof name === "symbol" || name === "then" || name in target
        ? target[name as string]
        : toolNamed(name),
  });

  const format = (value: unknown): string => {
    if (typeof value === "string") return value;
    if (value instanceof Error) return `${value.name}: ${value.message}`;
    if (typeof value === "object" && value !== null) {
      try {
        return JSON.stringify(value) ?? String(value);
      } catch {
        return "[an object that JSON can't express]";
      }
    }
    return String(value);
  };
  const log = (...values: unknown[]): void => print(`${values.map(format).join(" ")}\n`);

  const stored = new Map(Object.entries(run.stored));
  const measure = (): number =>
    [...stored].reduce((sum, [key, json]) => sum + key.length + json.length, 0);
  const store = (key: unknown, value: unknown): void => {
    const name = String(key);
    const json = JSON.stringify(value);
    const before = stored.get(name);
    if (json === undefined) stored.delete(name);
    else stored.set(name, json);
    if (measure() > run.maxStored) {
      if (before === undefined) stored.delete(name);
      else stored.set(name, before);
      throw new RangeError(
        `store: all stored values together may have ${run.maxStored} characters. Store less, or remove one with store(key, undefined).`,
      );
    }
    send(JSON.stringify({ kind: "store", key: name, json }));
  };
  const load = (key: unknown): unknown => {
    const json = stored.get(String(key));
    return json === undefined ? undefined : JSON.parse(json);
  };

  const timers = {
    setTimeout: (run: () => void, delay?: unknown) => outside.startTimer(run, Number(delay) || 0),
    clearTimeout: outside.stopTimer,
  };
  const readImage = (value: unknown): { mediaType: string; data: string } => {
    const { image_url, type, data, mimeType, media_type } = Object(value) as Record<
      string,
      unknown
    >;
    if (type === "image" && typeof data === "string") {
      return { mediaType: String(mimeType ?? media_type), data };
    }
    const url = typeof value === "string" ? value : image_url;
    const found = /^data:(image\/[\w.+-]+);base64,([\w+/=-]+)$/u.exec(String(url));
    if (found === null) {
      throw new TypeError(
        "image: give a data: URL of an image in base64, an object with such an image_url, or an image block of a result.",
      );
    }
    return { mediaType: found[1] as string, data: found[2] as string };
  };
  const image = (value: unknown, detail?: unknown): void => {
    const own = (Object(value) as { detail?: unknown }).detail;
    const { mediaType, data } = readImage(value);
    send(JSON.stringify({ kind: "image", mediaType, data, detail: detail ?? own ?? undefined }));
  };
  const programGlobals = {
    print: log,
    console: { log, info: log, warn: log, error: log, debug: log },
    ToolError,
  };
  const cellGlobals = {
    // A copy, because objects from outside are of another realm.
    ALL_TOOLS: JSON.parse(JSON.stringify(run.cell?.tools ?? [])),
    text: (value: unknown) => send(JSON.stringify({ kind: "text", text: format(value) })),
    image,
    notify: (value: unknown) => send(JSON.stringify({ kind: "notify", text: format(value) })),
    yield_control: () => send(JSON.stringify({ kind: "yield" })),
    exit: () => {
      outside.exit();
      throw new Error("The program has ended.");
    },
  };
  Object.assign(
    globalThis,
    { tools, store, load, ...timers },
    run.cell === undefined ? programGlobals : cellGlobals,
  );
  // V8 gives every context a console.
  if (run.cell !== undefined) Reflect.deleteProperty(globalThis, "console");
  // Memory that no heap limit counts, and code that no time limit could be told of.
  for (const name of ["SharedArrayBuffer", "Atomics", "WebAssembly"]) {
    Reflect.deleteProperty(globalThis, name);
  }

  return {
    answer: (json) => {
      const answer = JSON.parse(json) as AnswerMessage;
      const call = pending.get(answer.id);
      pending.delete(answer.id);
      if ("error" in answer) {
        const { code, message } = answer.error;
        call?.reject(run.cell === undefined ? new ToolError(code, message) : message);
      } else call?.resolve(answer.value);
    },
    describe: (thrown) => {
      const { name, message, stack, code: own } = Object(thrown) as Partial<ToolError>;
      // Errors of Node are of another realm.
      const isError = typeof name === "string" && typeof message === "string";
      if (own === "ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING") {
        return { message: "Modules can't be imported in a program. Use tools instead." };
      }
      const line = /program\.ts:(\d+)/u.exec(String(stack))?.[1];
      const code = thrown instanceof ToolError ? thrown.code : undefined;
      return {
        message: isError ? `${name}: ${message}` : format(thrown),
        ...(line !== undefined && { line: Number(line) }),
        ...(code !== undefined && { code }),
      };
    },
    toJson: (value) => JSON.stringify(value),
    pending: () => pending.size,
  };
}
