import type { CheckWay } from "../found-check.ts";
import type { Project } from "../project.ts";
import { type Convention, conventions } from "./conventions.ts";

/** A way to check a project of some language. */
export interface ConventionalWay extends CheckWay {
  readonly language: string;
}

/** Finds all conventions that a project follows. */
export async function findConventions(project: Project): Promise<ConventionalWay[]> {
  const found = await Promise.all(conventions.map((each) => follow(each, project)));
  return found.filter((way) => way !== undefined);
}

async function follow(
  convention: Convention,
  project: Project,
): Promise<ConventionalWay | undefined> {
  const { language, kind, files, command, says, beside, needs } = convention;
  if (beside !== undefined && !beside.some((name) => project.names.has(name))) return undefined;
  for (const saidBy of findNames(files, project.names)) {
    if (says !== undefined && !says.test(await project.read(saidBy))) continue;
    const [program = "", ...args] = command.split(" ");
    const way = { language, kind, saidBy, program, args: args.join(" ") };
    return needs === undefined ? way : { ...way, needs };
  }
  return undefined;
}

function findNames(files: Convention["files"], names: ReadonlySet<string>): string[] {
  return files.flatMap((file) => {
    if (typeof file === "string") return names.has(file) ? [file] : [];
    return [...names].filter((name) => file.test(name));
  });
}
