import type { Readable, Writable } from "node:stream";
import { isPlainObject } from "@haft/contract/internal";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";

/** Longer lines are refused. No ordinary call comes near this. */
const maxLineBytes = 10 * 1024 * 1024;

const newline = 0x0a;

/**
 * Sends and receives JSON-RPC messages, one per line. A line that is too long or not a message is
 * answered with an error; the connection goes on. It ends when either stream ends.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport["onmessage"];
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
  readonly #resolveClosed: () => void;
  readonly #input: Readable;
  readonly #output: Writable;
  #parts: Buffer[] = [];
  #bytes = 0;
  #closed = false;
  #isListening = false;
  /** Messages that arrived before `start`. */
  #held: JSONRPCMessage[] | undefined = [];
  readonly #first: PromiseWithResolvers<JSONRPCMessage> = Promise.withResolvers();
  #outgoing = "";
  #written: PromiseWithResolvers<void> | undefined;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    this.#resolveClosed = resolve;
  }

  /** Waits for the first message, which is delivered again after `start`. `undefined` if there is none. */
  peek(): Promise<JSONRPCMessage | undefined> {
    this.#listen();
    return Promise.race([this.#first.promise, this.closed.then(() => undefined)]);
  }

  async start(): Promise<void> {
    this.#listen();
    const held = this.#held ?? [];
    this.#held = undefined;
    queueMicrotask(() => {
      for (const message of held) this.onmessage?.(message);
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return Promise.reject(new Error("The client has disconnected."));
    return this.#write(message);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#flush();
    this.#closed = true;
    this.#input.off("data", this.#read);
    this.#input.off("end", this.#end);
    this.#input.off("close", this.#end);
    this.#input.pause();
    this.#resolveClosed();
    this.onclose?.();
  }

  // Messages of one turn of the event loop are written together: a write costs more than a call.
  #write(message: object): Promise<void> {
    this.#outgoing += `${JSON.stringify(message)}\n`;
    if (this.#written === undefined) {
      this.#written = Promise.withResolvers();
      process.nextTick(this.#flush);
    }
    return this.#written.promise;
  }

  #flush = (): void => {
    const written = this.#written;
    if (written === undefined) return;
    const text = this.#outgoing;
    this.#outgoing = "";
    this.#written = undefined;
    if (this.#output.write(text)) {
      written.resolve();
      return;
    }
    this.#output.once("drain", written.resolve);
    this.#output.once("close", written.resolve);
  };

  #listen(): void {
    if (this.#isListening) return;
    this.#isListening = true;
    this.#input.on("data", this.#read);
    this.#input.on("end", this.#end);
    this.#input.on("close", this.#end);
    this.#input.on("error", this.#fail);
    // Never removed: the last write may fail after the transport is closed.
    this.#output.on("error", this.#fail);
    if (this.#input.readableEnded || this.#input.destroyed) setImmediate(this.#end);
  }

  #end = (): void => {
    void this.close();
  };

  #fail = (error: Error): void => {
    this.onerror?.(error);
    this.#end();
  };

  #read = (chunk: Buffer): void => {
    let from = 0;
    for (;;) {
      const at = chunk.indexOf(newline, from);
      if (at < 0) break;
      this.#keep(chunk.subarray(from, at));
      from = at + 1;
      this.#take();
      if (this.#closed) return;
    }
    this.#keep(chunk.subarray(from));
  };

  #keep(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > maxLineBytes) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  #take(): void {
    const [first] = this.#parts;
    const isLong = this.#bytes > maxLineBytes;
    const line =
      this.#parts.length === 1 ? first?.toString() : Buffer.concat(this.#parts).toString();
    this.#parts = [];
    this.#bytes = 0;
    if (isLong) this.#refuse(null, `The message is longer than ${maxLineBytes} bytes.`);
    else if (line !== undefined && line.trim() !== "") this.#receive(line);
  }

  #receive(line: string): void {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      this.#refuse(null, "The line is not valid JSON.", parseError);
      return;
    }
    if (!isMessage(message)) this.#refuse(idOf(message), "This is not a JSON-RPC message.");
    else if (this.#held === undefined) this.onmessage?.(message);
    else {
      this.#held.push(message);
      this.#first.resolve(message);
    }
  }

  #refuse(id: string | number | null, message: string, code = invalidRequest): void {
    this.onerror?.(new Error(message));
    void this.#write({ jsonrpc: "2.0", id, error: { code, message } });
  }
}

const parseError = -32700;
const invalidRequest = -32600;

function isMessage(message: unknown): message is JSONRPCMessage {
  if (!isPlainObject(message) || message.jsonrpc !== "2.0") return false;
  const { id, method, params, result, error } = message;
  if (id !== undefined && idOf(message) === null) return false;
  if (method !== undefined) {
    return typeof method === "string" && (params === undefined || isPlainObject(params));
  }
  return isPlainObject(error) || (id !== undefined && isPlainObject(result));
}

function idOf(message: unknown): string | number | null {
  const id = isPlainObject(message) ? message.id : undefined;
  return typeof id === "string" || Number.isInteger(id) ? (id as string | number) : null;
}
