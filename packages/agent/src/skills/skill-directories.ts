import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { ProjectTrust } from "@haft/computer";
import { findConfigHome } from "../instructions/find-config-home.ts";
import type { Skill } from "./skills.ts";

/** Where to look for skills. */
export interface SkillSearch {
  readonly workspace: string;
  readonly home: string;
  /** Default: the environment of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Which of the project's files a person has trusted. Default: none. */
  readonly trust?: ProjectTrust | undefined;
  /** Whose skills to look for. Default: the project's and the user's. */
  readonly origin?: "project";
}

/** A directory whose folders may be skills. */
export interface SkillDirectory {
  readonly path: string;
  readonly origin: Skill["origin"];
  /** The directory that it belongs to. */
  readonly base: string;
}

const folders = [".agents/skills", ".claude/skills"];

/** Returns the directories to search, whether they exist or not. Skills of earlier ones take precedence. */
export function listSkillDirectories({
  workspace,
  home,
  environment = process.env,
  origin,
}: SkillSearch): readonly SkillDirectory[] {
  const project = climb(resolve(workspace), resolve(home)).flatMap((base) =>
    folders.map((folder) => ({ path: join(base, folder), origin: "project" as const, base })),
  );
  if (origin === "project") return project;
  const config = findConfigHome(environment, home);
  const own = [...folders.map((folder) => join(home, folder)), join(config, "haft/skills")];
  return [...project, ...own.map((path) => ({ path, origin: "user" as const, base: home }))];
}

// Up to the repository's root; without a repository up to the home directory, or the file system's root.
function climb(workspace: string, home: string): readonly string[] {
  const directories: string[] = [];
  for (let at = workspace; ; at = dirname(at)) {
    directories.push(at);
    const above = dirname(at);
    const isTop = above === at || at === home || above === home;
    if (isTop || existsSync(join(at, ".git"))) return directories;
  }
}
