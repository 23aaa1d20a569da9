/** A git configuration without settings that could run programs or lead elsewhere. */
export interface CleanedConfig {
  readonly content: string;
  /** The names of the settings that were removed. */
  readonly removed: readonly string[];
}

/**
 * Removes all settings from a configuration that are not known to be harmless. `mayWorkIn` decides
 * about the work tree that the repository names.
 */
export function cleanGitConfig(
  content: string,
  mayWorkIn: (directory: string) => boolean,
): CleanedConfig {
  return filterGitConfig(content, (name, value) => {
    if (name === "core.worktree") return /^[\w./ -]+$/u.test(value) && mayWorkIn(value);
    return isHarmlessSetting(name);
  });
}

/** Returns whether a setting, by section and name, neither runs programs nor leads git elsewhere. */
export function isHarmlessSetting(name: string): boolean {
  return harmless.test(name);
}

/** Removes all settings from a configuration except the wanted ones, by section and name. */
export function filterGitConfig(
  content: string,
  isWanted: (name: string, value: string) => boolean,
): CleanedConfig {
  const kept: string[] = [];
  const removed: string[] = [];
  let section = "";
  let isContinuing = false;
  for (const line of content.split("\n")) {
    const wasContinuing = isContinuing;
    isContinuing = endsOpen(line);
    // The rest of a setting that could not be parsed.
    if (wasContinuing) continue;
    const header = sectionHeader.exec(line);
    if (header !== null) section = (header[1] ?? "").toLowerCase();
    const setting = line.slice(header?.[0].length ?? 0).trim();
    if (setting === "" || /^[#;]/u.test(setting)) {
      isContinuing = false;
      kept.push(line);
      continue;
    }
    const name = `${section}.${(settingName.exec(setting)?.[0] ?? "").toLowerCase()}`;
    if (!isContinuing && isWanted(name, setting.slice(setting.indexOf("=") + 1).trim())) {
      kept.push(line);
      continue;
    }
    removed.push(name);
    if (header !== null) kept.push(header[0]);
  }
  return { content: kept.join("\n"), removed };
}

// A backslash at the end of a line continues it.
function endsOpen(line: string): boolean {
  return (/\\*$/u.exec(line.replace(/\r$/u, ""))?.[0].length ?? 0) % 2 === 1;
}

const sectionHeader = /^\s*\[\s*([\w.-]+)\s*(?:"(?:[^"\\]|\\.)*")?\s*\]/u;
// Only what git itself accepts as a setting.
const settingName = /^[a-z][a-z\d-]*(?=\s*(?:=|$))/iu;

const harmless = new RegExp(
  `^(?:${[
    String.raw`core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase)`,
    String.raw`core\.(?:precomposeunicode|symlinks|autocrlf|eol|safecrlf|sharedrepository)`,
    String.raw`core\.(?:compression|bigfilethreshold|quotepath|abbrev|sparsecheckout|sparsecheckoutcone)`,
    String.raw`remote\.(?:url|fetch|pushurl|tagopt|prune|mirror|promisor|partialclonefilter)`,
    String.raw`branch\.(?!mergeoptions$)[a-z\d-]+`,
    String.raw`user\.[a-z\d-]+`,
    String.raw`init\.defaultbranch`,
    String.raw`extensions\.[a-z\d-]+`,
    String.raw`submodule\.(?:url|active|branch|path|ignore|fetchrecursesubmodules)`,
    String.raw`lfs\.(?:repositoryformatversion|access)`,
    String.raw`push\.(?:default|autosetupremote|followtags)`,
    String.raw`pull\.(?:rebase|ff)`,
    String.raw`fetch\.(?:prune|prunetags)|merge\.ff|rerere\.enabled|color\.[a-z\d-]+|advice\.[a-z\d-]+`,
    String.raw`gc\.(?:auto|autodetach)|maintenance\.(?:auto|strategy)|index\.version|feature\.[a-z\d-]+`,
  ].join("|")})$`,
  "u",
);
