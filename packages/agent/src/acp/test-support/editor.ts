import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { type ClientApp, type ClientCapabilities, methods } from "@agentclientprotocol/sdk";

/** An editor that holds texts and runs commands, as a client's person would see it. */
export interface Editor {
  readonly capabilities: ClientCapabilities;
  /** What was typed and not saved, by path. */
  readonly unsaved: Map<string, string>;
  /** Every request it got: the method, and the path or command. */
  readonly log: string[];
  /** Why it writes nothing, if it does not. */
  refusal: string | undefined;
  /** What it does to a text when it saves it. */
  format: (text: string) => string;
  equip(app: ClientApp): void;
}

/** Opens an editor without a window. */
export function openEditor(): Editor {
  const unsaved = new Map<string, string>();
  const log: string[] = [];
  const terminals = new Map<string, OpenTerminal>();
  const terminal = (id: string): OpenTerminal => {
    const found = terminals.get(id);
    if (found === undefined) throw new Error(`There is no terminal ${id}.`);
    return found;
  };
  const editor: Editor = {
    capabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: true },
    unsaved,
    log,
    refusal: undefined,
    format: (text) => text,
    equip: (app) => {
      const { fs, terminal: terminalMethods } = methods.client;
      app
        .onRequest(fs.readTextFile, ({ params: { path } }) => {
          log.push(`read ${path}`);
          return { content: unsaved.get(path) ?? readFileSync(path, "utf8") };
        })
        .onRequest(fs.writeTextFile, ({ params: { path, content } }) => {
          log.push(`write ${path}`);
          if (editor.refusal !== undefined) throw new Error(editor.refusal);
          unsaved.delete(path);
          writeFileSync(path, editor.format(content));
        })
        .onRequest(terminalMethods.create, ({ params: { command, args = [], cwd } }) => {
          log.push(`run ${args.at(-1)}`);
          if (editor.refusal !== undefined) throw new Error(editor.refusal);
          const terminalId = `terminal-${terminals.size + 1}`;
          terminals.set(terminalId, startTerminal([command, ...args], cwd ?? "/"));
          return { terminalId };
        })
        .onRequest(terminalMethods.waitForExit, ({ params }) => terminal(params.terminalId).exit)
        .onRequest(terminalMethods.output, ({ params }) => {
          const { output } = terminal(params.terminalId);
          return { output: output(), truncated: false };
        })
        .onRequest(terminalMethods.kill, ({ params }) => {
          log.push("kill");
          terminal(params.terminalId).child.kill("SIGKILL");
        })
        .onRequest(terminalMethods.release, ({ params }) => {
          log.push("release");
          terminal(params.terminalId).child.kill("SIGKILL");
        });
    },
  };
  return editor;
}

interface OpenTerminal {
  readonly child: ChildProcess;
  output(): string;
  readonly exit: Promise<{ exitCode: number | null; signal: string | null }>;
}

function startTerminal(words: readonly string[], cwd: string): OpenTerminal {
  const [program = "", ...args] = words;
  // What it starts in the background must not hold the test up.
  const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const take = (bytes: Buffer): void => {
    output += bytes.toString("utf8");
  };
  child.stdout?.on("data", take);
  child.stderr?.on("data", take);
  const exit = new Promise<{ exitCode: number | null; signal: string | null }>((resolve) => {
    child.on("close", (exitCode, signal) => resolve({ exitCode, signal }));
  });
  return { child, output: () => output, exit };
}
