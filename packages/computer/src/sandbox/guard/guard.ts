import type { Stats } from "node:fs";
import { ToolError } from "@haft/contract";
import { isInside } from "@haft/contract/internal";
import type { DeniedFiles } from "@haft/core/internal";
import { traceLinks } from "../../disk/landing.ts";
import { deniedPath } from "../../paths/path-errors.ts";
import { lookAt } from "../../search/read-directory.ts";
import { type CanList, canListMyself } from "./can-list.ts";
import { findImmovable } from "./find-immovable.ts";
import { PointerFollower } from "./follow-pointers.ts";
import type { GuardedPath, GuardKind } from "./guarded-path.ts";
import { GuardedTree, type MayOpen } from "./guarded-tree.ts";
import { holdsSecrets } from "./judge-entries.ts";

/** What a command may touch; paths without links. */
export interface GuardedRoots {
  readonly readable: readonly string[];
  readonly writable: readonly string[];
}

/** How a command runs, as far as guards depend on it. */
export interface GuardedRun {
  readonly cwd?: string;
  /** What rules deny. Default: nothing. */
  readonly denied?: DeniedFiles | undefined;
  /** Directories whose changes go to a layer, so that they can be judged later. Default: none. */
  readonly layered?: readonly string[];
  /** Lists the sockets that the command may connect to. Called only if there are sockets. */
  listOwnSockets?(): Promise<readonly Pick<Stats, "dev" | "ino">[]>;
}

/** A path that a command must not see. */
export interface HiddenPath extends Pick<GuardedPath, "path" | "type"> {
  /** Whether a rule hides it: then nothing in it is shown, even if it is granted by itself. */
  readonly isDenied?: boolean;
}

/** What must be kept from a command in the directories that it may touch. */
export interface GuardedPaths {
  /** Files, sockets and whole directories that must not be read or connected to. */
  readonly hidden: readonly HiddenPath[];
  /** Directories and files that a rule closes to changes, outside of layers. */
  readonly unwritable: readonly string[];
  /** Files and directories that must not be changed. */
  readonly unchangeable: readonly string[];
  /** Directories that must not be moved; parents come first. */
  readonly immovable: readonly string[];
  /** Everything found in writable directories, to compare with afterwards. */
  readonly places: readonly GuardedPath[];
  /** What was found in read-only directories, and may lead to the others. */
  readonly others: readonly GuardedPath[];
}

/** Options of `Guard`. */
export interface GuardOptions {
  /** The home directory with the user's own git configuration. */
  readonly home?: string | undefined;
  /** Whether commands can list a directory. Default: whether this process can. */
  readonly canList?: CanList;
}

/** How paths are searched after a run. */
export interface FindOptions {
  /** As in the search before the run. */
  readonly denied?: DeniedFiles | undefined;
  /** See `GuardedTree`. Default: no directory is made listable. */
  readonly mayOpen?: MayOpen;
  /** Whether to follow a guarded path. Default: always. */
  mayFollow?(place: GuardedPath): boolean;
}

// Each one is a mount, and mounting gets slower the more there are.
const maxGuards = 1_000;
const maxRulesKept = 4;

/**
 * Finds what must be guarded, before and after each command.
 *
 * Every guard is a mount that bubblewrap makes at a path. A process that runs in the same directories
 * at that instant, and swaps one directory for another, can make guards below the top land elsewhere:
 * two cooperating commands could read a secret that way, or leave an empty file of a guarded name
 * somewhere else. Nothing outside can be seen or changed that way, because what is shown is held by
 * descriptors and not looked up by name. What another program creates between this search and the
 * launch has no guard either: a socket that a server opens in that instant can be reached.
 */
export class Guard {
  readonly #trees = new Map<string, Map<string, GuardedTree>>();
  readonly #pointers = new PointerFollower();
  readonly #home: string | undefined;
  readonly #canList: CanList;

  constructor({ home, canList = canListMyself }: GuardOptions = {}) {
    this.#home = home;
    this.#canList = canList;
  }

  /** Returns what must be kept from a command that may touch these directories. */
  async inspect(roots: GuardedRoots, run: GuardedRun = {}): Promise<GuardedPaths> {
    const { readable, writable } = roots;
    const { denied, layered = [], listOwnSockets, cwd } = run;
    const only = readable.filter((path) => !isInsideAny(writable, path));
    const others = await this.#walk(only, { denied });
    const places = await this.findBelow(writable, { denied }, others);
    requireListable(places, writable);
    const all = [...places, ...others];
    const hasSockets = all.some(({ kind }) => kind === "socket");
    const own = hasSockets ? ((await listOwnSockets?.()) ?? []).map(summarizeSocket) : [];
    const isOwn = ({ kind, path }: GuardedPath): boolean =>
      kind === "socket" && own.includes(summarizeSocket(lookAt(path)));
    const found = findHidden(own.length === 0 ? all : all.filter((place) => !isOwn(place)), [
      ...readable,
      ...writable,
    ]);
    const closed = found
      .filter(({ isDenied, type }) => isDenied && type === "directory")
      .map(({ path }) => path);
    if (cwd !== undefined && isInsideAny(closed, cwd)) throw deniedPath(cwd, "read");
    const isSeen = ({ path }: Pick<GuardedPath, "path">): boolean =>
      !closed.some((each) => each !== path && isInside(each, path));
    const seen = closed.length === 0 ? places : places.filter(isSeen);
    // On a layer, changes are judged when it is applied. A directory of the workspace can't be moved
    // there, only copied by a program that can read it.
    const held = seen.filter((place) => !isOfRule(place) || !isInsideAny(layered, place.path));
    const unwritable = held
      .filter(({ kind, type }) => kind === "unwritable" && type !== "link")
      .map(({ path }) => path);
    const isChangeable = (path: string): boolean => !isInsideAny(unwritable, path);
    const guarded: GuardedPaths = {
      hidden: closed.length === 0 ? found : found.filter(isSeen),
      unwritable,
      unchangeable: seen.filter(isUnchangeable).map(({ path }) => path),
      immovable: findImmovable(held, writable, denied).filter(isChangeable),
      places,
      others,
    };
    const { hidden, unchangeable, immovable } = guarded;
    if (hidden.length + unwritable.length + unchangeable.length + immovable.length > maxGuards) {
      throw tooMany(guarded, roots);
    }
    return guarded;
  }

  /** All guarded paths below directories, and those there that they and others lead to, each once. */
  async findBelow(
    roots: readonly string[],
    { mayOpen, mayFollow = () => true, denied }: FindOptions = {},
    others: readonly GuardedPath[] = [],
  ): Promise<readonly GuardedPath[]> {
    const places = await this.#walk(roots, { mayOpen, denied });
    const followed = await this.#pointers.follow([...places, ...others], {
      writable: roots,
      home: this.#home,
      // A command can't change what lies elsewhere.
      mayFollow: (place) => !isInsideAny(roots, place.path) || mayFollow(place),
      findBelow: (path, as) => this.#treeOf(path, { as, denied }).find(mayOpen),
    });
    return chooseOnePerPath([...places, ...followed]);
  }

  async #walk(
    roots: readonly string[],
    { mayOpen, denied }: { readonly mayOpen?: MayOpen | undefined } & Pick<FindOptions, "denied">,
  ): Promise<readonly GuardedPath[]> {
    const outermost = roots.filter(
      (root, index) =>
        roots.indexOf(root) === index &&
        !roots.some((other) => other !== root && isInside(other, root)),
    );
    const found = await Promise.all(
      outermost.map((root) => this.#treeOf(root, { denied }).find(mayOpen)),
    );
    return found.flat();
  }

  #treeOf(
    root: string,
    { as = root, denied }: { readonly as?: string } & Pick<FindOptions, "denied">,
  ): GuardedTree {
    const trees = this.#treesFor(denied?.key ?? "");
    const key = `${root}\0${as}`;
    const known = trees.get(key) ?? new GuardedTree(root, { as, canList: this.#canList, denied });
    trees.set(key, known);
    return known;
  }

  /** What is known of directories depends on the rules. The rules used last are kept. */
  #treesFor(rules: string): Map<string, GuardedTree> {
    const trees = this.#trees.get(rules) ?? new Map<string, GuardedTree>();
    this.#trees.delete(rules);
    this.#trees.set(rules, trees);
    const [oldest] = this.#trees.keys();
    if (this.#trees.size > maxRulesKept && oldest !== undefined) this.#trees.delete(oldest);
    return trees;
  }
}

/** Of several guards for a path the strictest, and those of rules. */
function chooseOnePerPath(places: readonly GuardedPath[]): readonly GuardedPath[] {
  const chosen = new Map<string, GuardedPath>();
  for (const place of places) {
    const key = isOfRule(place) ? `${place.kind} ${place.path}` : place.path;
    const other = chosen.get(key);
    if (other === undefined || strictness[place.kind] > strictness[other.kind]) {
      chosen.set(key, place);
    }
  }
  return [...chosen.values()];
}

const strictness: Readonly<Record<GuardKind, number>> = {
  watched: 0,
  fixed: 1,
  protected: 2,
  socket: 3,
  secret: 4,
  closed: 5,
  unwritable: 6,
  unreadable: 6,
};

function isOfRule({ kind }: GuardedPath): boolean {
  return kind === "unreadable" || kind === "unwritable";
}

function isUnchangeable({ kind, type }: GuardedPath): boolean {
  return kind === "protected" && type !== "link";
}

// The kernel reports only the lower half of an inode number.
function summarizeSocket(stats: Pick<Stats, "dev" | "ino"> | undefined): string {
  return `${stats?.dev}:${(stats?.ino ?? 0) % 2 ** 32}`;
}

function findHidden(
  places: readonly GuardedPath[],
  roots: readonly string[],
): readonly HiddenPath[] {
  const hidden = new Map<string, HiddenPath>();
  for (const place of places) {
    const { kind, path, type } = place;
    if (!hidingKinds.has(kind)) continue;
    const isDenied = kind === "unreadable" || hidden.get(path)?.isDenied;
    const found = type === "link" ? followLink(place, roots) : { path, type };
    if (found !== undefined) hidden.set(found.path, isDenied ? { ...found, isDenied } : found);
  }
  return [...hidden.values()];
}

const hidingKinds: ReadonlySet<GuardKind> = new Set(["secret", "socket", "closed", "unreadable"]);

// A link can't be covered; but its target is as secret as the link's name says.
function followLink(
  { path, as, kind }: GuardedPath,
  roots: readonly string[],
): HiddenPath | undefined {
  const { landing } = traceLinks(path);
  const stats = isInsideAny(roots, landing) ? lookAt(landing) : undefined;
  if (stats?.isFile()) return { path: landing, type: "file" };
  // The workspace itself is not hidden, even if a link leads to it.
  const isHidden = (kind === "unreadable" || holdsSecrets(as)) && !roots.includes(landing);
  return isHidden && stats?.isDirectory() ? { path: landing, type: "directory" } : undefined;
}

function isInsideAny(directories: readonly string[], path: string): boolean {
  return directories.some((directory) => isInside(directory, path));
}

function requireListable(places: readonly GuardedPath[], roots: readonly string[]): void {
  const closed = places.find(({ kind, path }) => kind === "closed" && roots.includes(path));
  if (closed === undefined) return;
  throw new ToolError(
    "unavailable",
    `Commands can't run in ${closed.path}: the directory can't be listed. Run \`chmod u+rwx\` on it.`,
    { absolutePath: closed.path },
  );
}

function tooMany({ hidden }: GuardedPaths, { readable, writable }: GuardedRoots): ToolError {
  const example = hidden[0] === undefined ? "" : `, such as ${hidden[0].path}`;
  return new ToolError(
    "too-large",
    `Commands can't run in ${[...writable, ...readable].join(", ")}: more than ${maxGuards} files there have names of secrets, are sockets, can't be listed, are protected or are denied by rules${example}. Remove those that are not needed, or work in a subdirectory.`,
  );
}
