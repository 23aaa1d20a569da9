import { homedir } from "node:os";
import { parentOf } from "../paths/path-parts.ts";
import { readDirectoryRules, ruleNames } from "./directory-rules.ts";
import { compileIgnoreRules } from "./ignore-rules.ts";
import { IgnoreScope } from "./ignore-scope.ts";
import { isInRepository } from "./is-in-repository.ts";
import { WatchedFile } from "./watched-file.ts";

/** The variables that locate the user's own rules. */
export type IgnoreEnvironment = Readonly<Record<"HOME" | "XDG_CONFIG_HOME", string | undefined>>;

/** Where a search starts, and in which workspace. */
export interface SearchStart {
  readonly directory: string;
  /** Whether this one is in a repository decides how git's ignore files apply in all of it. */
  readonly root: string;
}

/** The ignore rules that apply to a directory from above, cached until one of them changes. */
export class OuterRules {
  readonly #directory: string;
  readonly #environment: IgnoreEnvironment;
  readonly #start: SearchStart;
  #sources: readonly WatchedFile[] = [];
  #scope: IgnoreScope | undefined;

  constructor(directory: string, environment: IgnoreEnvironment, start: SearchStart) {
    this.#directory = directory;
    this.#environment = environment;
    this.#start = start;
  }

  /** The current rules; the same object if nothing changed. */
  get scope(): IgnoreScope {
    const honorsRepositories = isInRepository(this.#start.root);
    const known = this.#scope;
    if (known?.honorsRepositories === honorsRepositories && this.#areSourcesSame()) return known;
    this.#scope = this.#read(honorsRepositories);
    return this.#scope;
  }

  #areSourcesSame(): boolean {
    return this.#sources.every((source) => source.isUnchanged());
  }

  #read(honorsRepositories: boolean): IgnoreScope {
    const sources: WatchedFile[] = [];
    const global = readGlobalRules(this.#environment);
    sources.push(...global.sources);
    let scope = IgnoreScope.outermost(compileIgnoreRules(global.text ?? ""), {
      base: this.#start.directory,
      honorsRepositories,
    });
    for (const directory of ancestorsOf(this.#directory)) {
      const { rules, sources: ofDirectory } = readDirectoryRules(directory, ruleNames, scope);
      sources.push(...ofDirectory);
      scope = scope.enter(directory, rules);
    }
    this.#sources = sources;
    return scope;
  }
}

/** The variables of this process. */
export function readIgnoreEnvironment(): IgnoreEnvironment {
  const { HOME, XDG_CONFIG_HOME } = process.env;
  return { HOME, XDG_CONFIG_HOME };
}

function ancestorsOf(directory: string): string[] {
  const ancestors: string[] = [];
  for (let at = directory; at !== "/"; ) {
    at = parentOf(at);
    ancestors.unshift(at);
  }
  return ancestors;
}

/** The user's rules for every repository. */
function readGlobalRules(environment: IgnoreEnvironment): {
  readonly text: string | undefined;
  readonly sources: readonly WatchedFile[];
} {
  const home = environment.HOME ?? homedir();
  const configuration = environment.XDG_CONFIG_HOME || `${home}/.config`;
  const sources: WatchedFile[] = [];
  const read = (path: string): string | undefined => {
    const { file, text } = WatchedFile.read(path);
    sources.push(file);
    return text;
  };
  const configured =
    findExcludesFile(read(`${home}/.gitconfig`)) ??
    findExcludesFile(read(`${configuration}/git/config`));
  const text = read(configured?.replaceAll("~", home) ?? `${configuration}/git/ignore`);
  return { text, sources };
}

function findExcludesFile(configuration: string | undefined): string | undefined {
  return /^\s*excludesfile\s*=\s*"?\s*(\S+?)\s*"?\s*$/imu.exec(configuration ?? "")?.[1];
}
