import type { CommandReading, ReadCommand } from "../commands/command-reading.ts";
import { createSecrets } from "../secrets/secrets.ts";
import type { WatchdogCall } from "../watchdog/watchdog.ts";
import { makeCommand } from "./plain-commands.ts";

/** A call as a watchdog sees it, of a tool that reads unless the changes say otherwise. */
export function makeWatchdogCall(changes: Partial<WatchdogCall> = {}): WatchdogCall {
  return {
    session: "s",
    callId: "c",
    tool: "read",
    kind: "read",
    startedAt: 0,
    arguments: {},
    manifest: {},
    roots: ["/w"],
    home: "/home/me",
    subjects: [],
    command: undefined,
    secrets: [],
    earlier: [],
    identity: "this",
    isSecret: (path) => /\/\.env$|\.pem$|\/\.ssh\/|\/\.aws\//u.test(path),
    ...changes,
  };
}

/**
 * A call that runs a command. What it would do is read as simply as can be: words with or without
 * quotes, `;`, `&&`, `|`, `> FILE` and `$(command)`; a word with `$` or `*` is not literal.
 */
export function makeCommandCall(line: string, changes: Partial<WatchdogCall> = {}): WatchdogCall {
  const reading = readSimply(line);
  return makeWatchdogCall({
    tool: "bash",
    kind: "execute",
    arguments: { command: line },
    subjects: [{ type: "command", key: line, mode: "write", tree: false, cwd: "/w", reading }],
    command: reading,
    secrets: createSecrets({}).namesIn(line),
    ...changes,
  });
}

function readSimply(line: string): CommandReading {
  const writes: { path: string }[] = [];
  const commands: ReadCommand[] = [];
  let words: string[] = [];
  const end = (): void => {
    if (words.length > 0) commands.push(makeCommand(words, "/w"));
    words = [];
  };
  const tokens = Array.from(line.matchAll(token), (match) => match);
  for (const [index, [, quoted, inner, sign, word]] of tokens.entries()) {
    const text = quoted ?? word ?? "";
    const before = tokens[index - 1]?.[3];
    if (inner !== undefined) commands.push(...readSimply(inner).commands);
    if (sign === "<" || sign === ">") continue;
    if (sign !== undefined) end();
    else if (before === ">") writes.push({ path: text.startsWith("/") ? text : `/w/${text}` });
    else if (before !== "<") words.push(/[$*]/u.test(text) || inner !== undefined ? "$" : text);
    const code = /\$\((.*)\)/u.exec(quoted ?? "")?.[1];
    if (code !== undefined) commands.push(...readSimply(code).commands);
  }
  end();
  return { doubts: [], commands, writes, looseWords: [], readsOnly: false };
}

const token =
  /["']((?<=").*?(?=")|(?<=').*?(?='))["']|[$<]\(([^)]*)\)|(;|&&|\||>|<)|([^\s;|&<>"'$]+|\$\w+)/gu;
