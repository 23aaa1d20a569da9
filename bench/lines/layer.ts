import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskComputer } from "@haft/computer";
import type { RunScope } from "@haft/core";
import type { Finding, Line } from "../line.ts";
import { type Contender, timeInTurns } from "../measure.ts";
import { makeRunScope } from "../open-shell.ts";
import { plantProject } from "../plant-project.ts";

const write = (count: number): string =>
  `perl -e 'mkdir "out"; for my $d (0 .. ${count / 100 - 1}) { mkdir "out/$d"; for my $f (1 .. 100) { open my $o, ">", "out/$d/$f"; print $o "small file $f\\n" } }'`;

/** What it costs that a command runs on a layer, and what an undo of it costs. */
export const layer: Line = {
  name: "layer",
  run: async () => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), "haft-bench-")));
    try {
      return await measure(base);
    } finally {
      rmSync(base, { recursive: true, force: true });
    }
  },
};

async function measure(base: string): Promise<Finding[]> {
  const large = open(base, "large", 50_000);
  const small = open(base, "small", 20_000);
  const compare = async (
    host: Host,
    line: string,
    { command, rounds, before }: { command: string; rounds: number; before?: () => void },
  ): Promise<{ line: string; onLayer: number; without: number }> => {
    const ready = before === undefined ? {} : { before };
    const contenders: Contender[] = [
      { name: "on a layer", ...ready, run: () => host.onLayer(command) },
      { name: "without", ...ready, run: () => host.without(command) },
    ];
    const [onLayer, without] = await timeInTurns(contenders, rounds);
    return {
      line,
      onLayer: onLayer?.medianMs ?? Number.NaN,
      without: without?.medianMs ?? Number.NaN,
    };
  };
  const start = await compare(small, "a command on a layer", { command: "sh -c true", rounds: 40 });
  const reads = await compare(small, "a command on a layer reads 20,000 files", {
    command: "sh -c 'find . -type f -exec cat {} + > /dev/null'",
    rounds: 6,
  });
  const writes = await compare(small, "a command on a layer writes 20,000 files", {
    command: write(20_000),
    rounds: 3,
    before: () => rmSync(join(small.workspace, "out"), { recursive: true, force: true }),
  });
  const edits = await compare(large, "sed -i on a layer over 50,000 files", {
    command: 'sed -i "1s/.*/line $RANDOM$RANDOM/" dist/made-1.js',
    rounds: 20,
  });
  const [command, undo] = await timeInTurns(
    [
      { name: "the command", run: () => small.onLayer(touchMany) },
      { name: "its undo", before: () => small.onLayer(touchMany), run: () => small.undo() },
    ],
    5,
  );
  return [
    over(start, 4),
    over(edits, 10),
    ratio(reads, 1.5),
    ratio(writes, 2.2),
    ratio(
      {
        line: "undo of a command that changed 1,000 files",
        onLayer: undo?.medianMs ?? Number.NaN,
        without: command?.medianMs ?? Number.NaN,
      },
      1,
    ),
  ];
}

const touchMany = "sh -c 'mkdir -p many; for i in $(seq 1000); do echo line >> many/$i; done'";

interface Timed {
  readonly line: string;
  readonly onLayer: number;
  readonly without: number;
}

function toValues({ onLayer, without }: Timed): Finding["values"] {
  return [
    { name: "on a layer, or undo", value: onLayer },
    { name: "without, or command", value: without },
  ];
}

function over(timed: Timed, goal: number): Finding {
  const figure = timed.onLayer - timed.without;
  const meaning = "ms over the same without a layer";
  return { line: timed.line, values: toValues(timed), unit: "ms", figure, meaning, goal };
}

function ratio(timed: Timed, goal: number): Finding {
  const figure = timed.onLayer / timed.without;
  return { line: timed.line, values: toValues(timed), unit: "ms", figure, meaning: "÷", goal };
}

interface Host {
  readonly workspace: string;
  onLayer(command: string): Promise<void>;
  without(command: string): Promise<void>;
  /** Undoes the last command. */
  undo(): Promise<void>;
}

function open(base: string, name: string, files: number): Host {
  const [workspace, stateDirectory] = [join(base, name), join(base, `${name}-state`)];
  mkdirSync(workspace);
  plantProject(workspace, { files, bytesPerFile: 200 });
  const computer = createDiskComputer({ workspace, stateDirectory, sandbox: "required" });
  const session = computer.openSession("bench");
  let count = 0;
  const openScope = (): RunScope => makeRunScope(computer, session, `c${++count}`);
  return {
    workspace,
    onLayer: async (command) => {
      let isLayered = false;
      const commandEnded: RunScope["commandEnded"] = (changes) => {
        isLayered = changes !== undefined;
      };
      const shell = computer.openShell({ ...openScope(), commandEnded });
      const { exitCode } = await shell.execute({ command });
      if (exitCode !== 0 || !isLayered) throw new Error(`${command} ran on no layer.`);
    },
    without: async (command) => {
      const ignore = (): undefined => undefined;
      const started = await computer.startProgram({
        argv: ["bash", "-c", command],
        onOutput: ignore,
        onErrors: ignore,
      });
      started.keepAlive(true);
      const { exitCode } = await started.ended;
      if (exitCode !== 0) throw new Error(`${command} failed.`);
    },
    undo: async () => {
      const changes = await session.journal.latest();
      await computer
        .openFiles(openScope())
        .change(changes.map(({ id, path, before: to }) => ({ path, to, undoes: id })));
    },
  };
}
