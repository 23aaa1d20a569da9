import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { findConfigHome } from "../instructions/find-config-home.ts";
import type { Skill } from "./skills.ts";

/** Where skills are looked for. */
export interface SkillSearch {
  readonly workspace: string;
  readonly home: string;
  /** The process's own unless said. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

/** A directory whose folders may be skills. */
export interface SkillPlace {
  readonly path: string;
  readonly origin: Skill["origin"];
  /** The directory that it belongs to. */
  readonly base: string;
}

const folders = [".agents/skills", ".claude/skills"];

/** The directories to look through, whether they exist or not: those whose skills win come first. */
export function findSkillPlaces({
  workspace,
  home,
  environment = process.env,
}: SkillSearch): readonly SkillPlace[] {
  const project = climb(resolve(workspace), resolve(home)).flatMap((base) =>
    folders.map((folder) => ({ path: join(base, folder), origin: "project" as const, base })),
  );
  const config = findConfigHome(environment, home);
  const own = [...folders.map((folder) => join(home, folder)), join(config, "haft/skills")];
  return [...project, ...own.map((path) => ({ path, origin: "user" as const, base: home }))];
}

// Up to the repository's root; without a repository up to the home directory, or to the very top.
function climb(workspace: string, home: string): readonly string[] {
  const directories: string[] = [];
  for (let at = workspace; ; at = dirname(at)) {
    directories.push(at);
    const above = dirname(at);
    const isTop = above === at || at === home || above === home;
    if (isTop || existsSync(join(at, ".git"))) return directories;
  }
}
