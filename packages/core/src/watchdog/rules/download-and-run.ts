import { operandsOf, valuesOf } from "../reading/arguments-of.ts";
import type { CommandLine } from "../reading/command-line.ts";
import { interpreters } from "../reading/net-sender.ts";
import type { SeenCommand } from "../reading/seen-command.ts";
import type { WatchdogVerdict } from "../watchdog.ts";
import { ask, deny, strictest, type WatchdogRule } from "../watchdog-rule.ts";

/** Running what another machine sends, sight unseen. */
export const downloadAndRun: WatchdogRule = ({ lines }) => strictest(lines.map(judgeLine));

function judgeLine(line: CommandLine): WatchdogVerdict | undefined {
  const downloads = line.commands.filter(({ program }) => downloaders.has(program));
  if (downloads.length === 0) return undefined;
  const [download] = downloads;
  const runner = line.commands.find((command) => runsInput(command, line));
  if (runner !== undefined) {
    return deny(
      `This runs what ${download?.program} fetches, unseen: ${runner.program} takes its program from there. Save it to a file, read it, then run it.`,
    );
  }
  const saved = new Set(downloads.flatMap(savedFiles));
  const run = line.allCommands.find((command) => runsFile(command, saved));
  return run && ask(`it runs a file that ${download?.program} has just fetched, unseen`);
}

const downloaders = new Set(["curl", "wget", "fetch", "aria2c", "http", "https", "xh"]);
const shells = /^(?:ba|z|da|k|a|fi)?sh$/u;
const evaluators = new Set(["eval", "source", "."]);
const substitution = /(?:<\(|\$\(|`)[^)`]*\b(?:curl|wget|fetch|aria2c)\b/u;

function runsInput({ program, args, under }: SeenCommand, { text }: CommandLine): boolean {
  const isShell = shells.test(program);
  if (!isShell && !interpreters.test(program) && !evaluators.has(program)) return false;
  // A word that is not literal may be what was fetched.
  const isHanded = under.includes("xargs") || under.includes("parallel");
  if (args.includes(undefined) && (isHanded || substitution.test(text))) return true;
  if (evaluators.has(program) || !text.includes("|")) return false;
  if (isShell && args.some((arg) => /^-[a-z]*s[a-z]*$/u.test(arg ?? ""))) return true;
  const [script] = operandsOf(args);
  const hasCode = args.some((arg) =>
    /^-[a-zA-Z]*[cemEpr]$|^--(?:eval|print|version|help)$|^-[vV]$/u.test(arg ?? ""),
  );
  return (
    !hasCode &&
    (script === undefined ? !args.includes(undefined) : /^(?:-|\/dev\/stdin)$/u.test(script))
  );
}

function savedFiles({ args }: SeenCommand): string[] {
  const named = valuesOf(args, ["-o", "-O", "--output", "--output-document"]);
  const remote = operandsOf(args).map((arg) => /^\w+:\/\/[^?#]*\/([^/?#]+)/u.exec(arg ?? "")?.[1]);
  return [...named, ...remote].filter((file) => file !== undefined).map(plain);
}

function runsFile({ program, args }: SeenCommand, saved: ReadonlySet<string>): boolean {
  if (saved.has(program)) return true;
  if (!shells.test(program) && !interpreters.test(program) && !evaluators.has(program))
    return false;
  return operandsOf(args)
    .slice(0, 1)
    .some((arg) => arg !== undefined && saved.has(plain(arg)));
}

function plain(file: string): string {
  return file.slice(file.lastIndexOf("/") + 1);
}
