import { nearestNames } from "@haft/core/internal";
import { type Command, isCommandGroup, type OptionTable, optionsOf } from "./command.ts";
import { commands } from "./declarations/index.ts";

/** Says why an option is refused: where it belongs, or which one was probably meant. */
export async function explainOption(
  rawName: string,
  at: { readonly name: string; readonly path: string; readonly accepted: OptionTable },
): Promise<string> {
  const owners = await findOwners(rawName);
  const siblings = owners.filter((path) => path.split(" ", 1)[0] === at.name);
  const shown = siblings.length > 0 ? siblings : owners;
  if (shown.length > 0) {
    return `${rawName} belongs to ${list(shown)}, not to \`haft ${at.path}\`.`;
  }
  const [near] = nearestNames(rawName.replace(/^-+/u, ""), Object.keys(at.accepted), 1);
  const hint = near === undefined ? "" : ` Did you mean --${near}?`;
  return `\`haft ${at.path}\` has no option ${rawName}.${hint}`;
}

const maxShown = 3;

function list(paths: readonly string[]): string {
  const names = paths.slice(0, maxShown).map((path) => `\`haft ${path}\``);
  const rest = paths.length - names.length;
  if (rest > 0) return `${names.join(", ")} and ${rest} more`;
  return names.length === 1
    ? (names[0] as string)
    : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

async function findOwners(rawName: string): Promise<string[]> {
  const loaded = await Promise.all(
    Object.entries(commands).map(async ([name, { load }]) => ownersIn(name, await load())),
  );
  return loaded.flat();

  function ownersIn(name: string, command: Command): string[] {
    const actions = isCommandGroup(command)
      ? Object.entries(command.subcommands).map(
          ([sub, action]) => [`${name} ${sub}`, action] as const,
        )
      : [[name, command] as const];
    return actions.flatMap(([path, action]) => (hasOption(optionsOf(action)) ? [path] : []));
  }

  function hasOption(options: OptionTable): boolean {
    if (rawName.startsWith("--")) return Object.hasOwn(options, rawName.slice(2));
    return Object.values(options).some(({ short }) => short === rawName.slice(1));
  }
}
