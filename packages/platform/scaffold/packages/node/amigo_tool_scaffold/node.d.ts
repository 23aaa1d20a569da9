// What tools use of Node beside the web's own interfaces (`lib: ["esnext", "dom"]` has those). A
// project that needs all of it adds `@types/node` to its devDependencies; then that is used instead.

declare class Buffer extends Uint8Array<ArrayBuffer> {
  static from(data: string, encoding?: BufferEncoding): Buffer;
  static from(data: ArrayBufferLike | ArrayLike<number> | Iterable<number>): Buffer;
  static alloc(size: number, fill?: string | number): Buffer;
  static concat(list: readonly Uint8Array[], totalLength?: number): Buffer;
  static byteLength(data: string | ArrayBufferView, encoding?: BufferEncoding): number;
  static isBuffer(value: unknown): value is Buffer;
  static compare(one: Uint8Array, other: Uint8Array): -1 | 0 | 1;
  toString(encoding?: BufferEncoding, start?: number, end?: number): string;
  equals(other: Uint8Array): boolean;
  subarray(start?: number, end?: number): Buffer;
  toJSON(): { type: "Buffer"; data: number[] };
}

type BufferEncoding =
  | "utf8"
  | "utf-8"
  | "hex"
  | "base64"
  | "base64url"
  | "ascii"
  | "latin1"
  | "binary"
  | "utf16le";

declare function setImmediate(callback: (...args: never[]) => void): object;
declare function clearImmediate(immediate: object): void;

declare const process: NodeProcess;

interface NodeProcess {
  readonly env: Record<string, string | undefined>;
  readonly argv: string[];
  readonly version: string;
  readonly platform: string;
  readonly pid: number;
  exitCode: number | string | undefined;
  exit(code?: number): never;
  kill(pid: number, signal?: string | number): true;
  cwd(): string;
  uptime(): number;
  hrtime: { (): [number, number]; bigint(): bigint };
  memoryUsage(): { rss: number; heapTotal: number; heapUsed: number; external: number };
  nextTick(callback: (...args: never[]) => void): void;
  readonly stdout: { write(text: string | Uint8Array): boolean };
  readonly stderr: { write(text: string | Uint8Array): boolean };
}

declare module "node:process" {
  // biome-ignore lint/style/noDefaultExport: it is what Node has
  export default process;
  export const env: NodeProcess["env"];
}

declare module "node:buffer" {
  class NodeBuffer extends Buffer {}

  export { NodeBuffer as Buffer };
}

declare module "node:test" {
  type Body = (context: TestContext) => unknown;
  interface TestOptions {
    readonly only?: boolean;
    readonly skip?: boolean | string;
    readonly todo?: boolean | string;
    readonly timeout?: number;
    readonly concurrency?: number | boolean;
    readonly signal?: AbortSignal;
  }
  interface TestContext {
    readonly name: string;
    readonly signal: AbortSignal;
    readonly mock: MockTracker;
    test: TestFunction;
    before(body: () => unknown): void;
    after(body: () => unknown): void;
    beforeEach(body: () => unknown): void;
    afterEach(body: () => unknown): void;
    diagnostic(message: string): void;
    skip(message?: string): void;
    todo(message?: string): void;
    plan(count: number): void;
  }
  interface TestFunction {
    (name: string, body?: Body): Promise<void>;
    (name: string, options: TestOptions, body?: Body): Promise<void>;
    (body: Body): Promise<void>;
    only: TestFunction;
    skip: TestFunction;
    todo: TestFunction;
  }
  // biome-ignore lint/suspicious/noExplicitAny: whatever function it is that is watched
  type AnyFunction = (...args: any[]) => any;
  interface MockedFunction<F extends AnyFunction> {
    (...args: Parameters<F>): ReturnType<F>;
    readonly mock: {
      readonly calls: readonly {
        readonly arguments: Parameters<F>;
        readonly result?: ReturnType<F>;
        readonly error?: unknown;
      }[];
      callCount(): number;
      mockImplementation(implementation: F): void;
      mockImplementationOnce(implementation: F): void;
      resetCalls(): void;
      restore(): void;
    };
  }
  interface MockTracker {
    fn<F extends AnyFunction = AnyFunction>(original?: F, implementation?: F): MockedFunction<F>;
    method<T extends object, K extends keyof T>(
      target: T,
      name: K,
      implementation?: T[K] & AnyFunction,
    ): MockedFunction<T[K] & AnyFunction>;
    readonly timers: {
      enable(options?: { apis?: readonly string[]; now?: number | Date }): void;
      tick(milliseconds?: number): void;
      reset(): void;
    };
    restoreAll(): void;
    reset(): void;
  }
  export const test: TestFunction;
  export const it: TestFunction;
  export const describe: TestFunction;
  export const suite: TestFunction;
  export const mock: MockTracker;
  export function before(body: () => unknown): void;
  export function after(body: () => unknown): void;
  export function beforeEach(body: () => unknown): void;
  export function afterEach(body: () => unknown): void;
  export type { MockTracker, TestContext };
  // biome-ignore lint/style/noDefaultExport: it is what Node has
  export default test;
}

declare module "node:assert/strict" {
  type Expected = RegExp | ErrorConstructor | object | ((error: Error) => boolean);
  function assert(value: unknown, message?: string | Error): asserts value;
  // biome-ignore lint/style/noNamespace: a function with functions can't be told otherwise
  namespace assert {
    function ok(value: unknown, message?: string | Error): asserts value;
    function equal<T>(actual: unknown, expected: T, message?: string | Error): asserts actual is T;
    function notEqual(actual: unknown, expected: unknown, message?: string | Error): void;
    function strictEqual<T>(
      actual: unknown,
      expected: T,
      message?: string | Error,
    ): asserts actual is T;
    function notStrictEqual(actual: unknown, expected: unknown, message?: string | Error): void;
    function deepEqual<T>(
      actual: unknown,
      expected: T,
      message?: string | Error,
    ): asserts actual is T;
    function notDeepEqual(actual: unknown, expected: unknown, message?: string | Error): void;
    function deepStrictEqual<T>(
      actual: unknown,
      expected: T,
      message?: string | Error,
    ): asserts actual is T;
    function partialDeepStrictEqual(actual: unknown, expected: unknown, message?: string): void;
    function match(value: string, pattern: RegExp, message?: string | Error): void;
    function doesNotMatch(value: string, pattern: RegExp, message?: string | Error): void;
    function throws(run: () => unknown, expected?: Expected, message?: string): void;
    function doesNotThrow(run: () => unknown, message?: string): void;
    function rejects(
      run: Promise<unknown> | (() => Promise<unknown>),
      expected?: Expected,
      message?: string,
    ): Promise<void>;
    function doesNotReject(
      run: Promise<unknown> | (() => Promise<unknown>),
      message?: string,
    ): Promise<void>;
    function fail(message?: string | Error): never;
    function ifError(value: unknown): void;
    class AssertionError extends Error {
      actual: unknown;
      expected: unknown;
    }
  }
  export = assert;
}

declare module "node:assert" {
  import assert = require("node:assert/strict");
  export = assert;
}

declare module "node:crypto" {
  type Data = string | ArrayBufferView;
  interface Hash {
    update(data: Data, encoding?: BufferEncoding): Hash;
    digest(): Buffer;
    digest(encoding: BufferEncoding): string;
  }
  export function createHash(algorithm: string): Hash;
  export function createHmac(algorithm: string, key: Data): Hash;
  export function randomUUID(): ReturnType<Crypto["randomUUID"]>;
  export function randomBytes(size: number): Buffer;
  export function randomInt(max: number): number;
  export function randomInt(min: number, max: number): number;
  export function timingSafeEqual(one: ArrayBufferView, other: ArrayBufferView): boolean;
  export const webcrypto: Crypto;
  export const subtle: SubtleCrypto;
}

declare module "node:timers/promises" {
  export function setTimeout<T = void>(
    milliseconds?: number,
    value?: T,
    options?: { readonly signal?: AbortSignal; readonly ref?: boolean },
  ): Promise<T>;
  export function setImmediate<T = void>(value?: T): Promise<T>;
}

declare module "node:util" {
  export function inspect(value: unknown, options?: object): string;
  export function format(...values: unknown[]): string;
  export function isDeepStrictEqual(one: unknown, other: unknown): boolean;
  export function stripVTControlCharacters(text: string): string;
  export const TextEncoder: typeof globalThis.TextEncoder;
  export const TextDecoder: typeof globalThis.TextDecoder;
}

declare module "node:url" {
  export const URL: typeof globalThis.URL;
  export const URLSearchParams: typeof globalThis.URLSearchParams;
  export function fileURLToPath(url: string | URL): string;
  export function pathToFileURL(path: string): URL;
}

declare module "node:path" {
  interface Path {
    readonly sep: string;
    join(...parts: string[]): string;
    resolve(...parts: string[]): string;
    normalize(path: string): string;
    relative(from: string, to: string): string;
    dirname(path: string): string;
    basename(path: string, suffix?: string): string;
    extname(path: string): string;
    isAbsolute(path: string): boolean;
    readonly posix: Path;
  }
  const path: Path;
  // biome-ignore lint/style/noDefaultExport: it is what Node has
  export default path;
  export const sep: Path["sep"];
  export const join: Path["join"];
  export const resolve: Path["resolve"];
  export const normalize: Path["normalize"];
  export const relative: Path["relative"];
  export const dirname: Path["dirname"];
  export const basename: Path["basename"];
  export const extname: Path["extname"];
  export const isAbsolute: Path["isAbsolute"];
  export const posix: Path;
}

declare module "node:fs" {
  type Place = string | URL;
  export function existsSync(path: Place): boolean;
  export function readFileSync(path: Place): Buffer;
  export function readFileSync(path: Place, encoding: BufferEncoding): string;
  export function writeFileSync(path: Place, data: string | ArrayBufferView): void;
  export function mkdirSync(path: Place, options?: { recursive?: boolean }): string | undefined;
  export function mkdtempSync(prefix: string): string;
  export function readdirSync(path: Place): string[];
  export function rmSync(path: Place, options?: { recursive?: boolean; force?: boolean }): void;
}

declare module "node:fs/promises" {
  type Place = string | URL;
  export function readFile(path: Place): Promise<Buffer>;
  export function readFile(path: Place, encoding: BufferEncoding): Promise<string>;
  export function writeFile(path: Place, data: string | ArrayBufferView): Promise<void>;
  export function mkdir(
    path: Place,
    options?: { recursive?: boolean },
  ): Promise<string | undefined>;
  export function mkdtemp(prefix: string): Promise<string>;
  export function readdir(path: Place): Promise<string[]>;
  export function rm(
    path: Place,
    options?: { recursive?: boolean; force?: boolean },
  ): Promise<void>;
}

declare module "node:os" {
  export function tmpdir(): string;
  export const EOL: string;
}

// The rest of Node's modules, without types.
declare module "node:*";
