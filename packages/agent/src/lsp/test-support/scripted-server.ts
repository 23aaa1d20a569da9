import type { ProgramStart, StartedProgram } from "@haft/computer";
import { type BenchOptions, type LspBench, openLspBench } from "./lsp-bench.ts";

/** A bench with a server that does what a test says. */
export interface ScriptedBench extends LspBench {
  /** What was started, in this order. */
  readonly started: readonly { readonly start: ProgramStart; readonly program: StartedProgram }[];
}

/** How a scripted server behaves. */
export interface ScriptedOptions extends Partial<BenchOptions> {
  /**
   * The body of a function of `message`: what it returns is the answer. It can use `send`, `notify`,
   * `capabilities` and `heard`, which is all that was heard so far.
   */
  readonly script: string;
  /** The server's program: a name, or a path below the workspace. Default: `yaml-language-server`. */
  readonly program?: string;
  /** Runs before each start, with how many there were. */
  onStart?(count: number, bench: LspBench): void;
}

/** Makes a workspace with `a.yaml`, whose server is scripted. */
export function openScriptedBench(
  { script, program = "yaml-language-server", onStart, files = {}, ...options }: ScriptedOptions,
  whenDone?: (close: () => Promise<void>) => void,
): ScriptedBench {
  const started: { start: ProgramStart; program: StartedProgram }[] = [];
  const bench = openLspBench(
    {
      ...options,
      files: {
        "a.yaml": "first: 1\nsecond: 2\n",
        [program.includes("/") ? program : `node_modules/.bin/${program}`]: toProgram(script),
        ...files,
      },
    },
    whenDone,
  );
  const { startProgram } = bench.computer;
  bench.computer.startProgram = async (start) => {
    onStart?.(started.length, bench);
    const program = await startProgram(start);
    started.push({ start, program });
    return program;
  };
  return { ...bench, started };
}

function toProgram(script: string): string {
  return `#!${process.execPath}
const heard = [];
const capabilities = {
  hoverProvider: true, definitionProvider: true, documentSymbolProvider: true,
  workspaceSymbolProvider: true, textDocumentSync: 1,
};
const send = (message) => {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  process.stdout.write("Content-Length: " + Buffer.byteLength(body) + "\\r\\n\\r\\n" + body);
};
const notify = (method, params) => send({ method, params });
const answer = (message) => {
${script}
};
const take = (message) => {
  heard.push(message);
  const said = answer(message);
  if (message.method === "exit") process.exit(0);
  if (message.id === undefined || message.method === undefined || said === "never") return;
  if (said?.error) return send({ id: message.id, error: said.error });
  const usual = message.method === "initialize" ? { capabilities } : null;
  send({ id: message.id, result: said ?? usual });
};
let held = Buffer.alloc(0);
process.stdin.on("data", (bytes) => {
  held = Buffer.concat([held, bytes]);
  for (;;) {
    const end = held.indexOf("\\r\\n\\r\\n");
    const length = Number(/Content-Length: (\\d+)/.exec(held.toString("latin1"))?.[1]);
    if (end < 0 || held.length < end + 4 + length) return;
    const body = held.toString("utf8", end + 4, end + 4 + length);
    held = held.subarray(end + 4 + length);
    take(JSON.parse(body));
  }
});
`;
}
