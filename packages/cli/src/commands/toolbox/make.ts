import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chooseToolboxDirectory } from "@haft/connect/internal/toolbox";
import { toVisibleLine } from "@haft/core/internal";
import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { openComputer } from "../../open-workspace.ts";
import type { CommonOptions } from "../../options/common-options.ts";
import { printJson } from "../../terminal/print-result.ts";
import { UsageError } from "../../usage-error.ts";
import { locateWorkspace } from "./locate-toolbox.ts";
import { languages, scriptTemplate } from "./script-template.ts";

/** `haft toolbox make`: writes a script to start from. */
export async function makeScript(
  { positionals: [name = ""], options: given }: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
  if (!/^[a-zA-Z0-9_-]{1,60}$/u.test(name)) {
    throw new UsageError(
      `${JSON.stringify(name)} is not a valid tool name: use up to 60 letters, digits, _ and -.`,
    );
  }
  const language = readLanguage(given.language);
  const computer = openComputer(options, io);
  const location = { ...locateWorkspace(computer, io), isForUser: given.user === true };
  const directory = chooseToolboxDirectory(io.environment, location);
  const path = join(directory, `${name}${languages[language].ending}`);
  const content = scriptTemplate({ name, language, isText: given.text === true });
  try {
    mkdirSync(directory, { recursive: true });
    writeFileSync(path, content, { flag: "wx", mode: 0o755 });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === "EEXIST" ? "already exists; choose another name" : `failed: ${message}`;
    throw new UsageError(`${path} ${why}.`);
  }
  // Haft wrote the content itself, on request.
  computer.trust.trust({ kind: "toolbox script", path, content: Buffer.from(content) });
  if (options.json) printJson({ name: `tb__${name}`, script: path }, io);
  else
    io.out(
      `${toVisibleLine(`Created ${path}. Try it with: haft toolbox test ${name} who=world`)}\n`,
    );
  return 0;
}

function readLanguage(given: unknown): keyof typeof languages {
  return (given ?? "bash") as keyof typeof languages;
}
