import type { Stats } from "node:fs";
import { isInside, parentOf } from "../paths/path-parts.ts";
import { isSameDirectory, lookAt } from "./read-directory.ts";
import { isSettled } from "./settled.ts";

/** The directories on the way to a directory that somebody could swap for a link meanwhile. */
export class DirectoriesAbove {
  /** A change of any of them would show. */
  readonly areSettled: boolean;
  readonly #seen: readonly { readonly path: string; readonly stats: Stats | undefined }[];

  /** Looks at those below the root that the directory lies in. */
  constructor(directory: string, roots: readonly string[]) {
    const root = roots.find((one) => isInside(one, directory)) ?? "/";
    const paths: string[] = [];
    for (let path = directory; path !== root; ) {
      path = parentOf(path);
      if (path !== root) paths.push(path);
    }
    this.#seen = paths.map((path) => ({ path, stats: lookAt(path) }));
    this.areSettled = this.#seen.every(({ stats }) => stats !== undefined && isSettled(stats));
  }

  /** Whether they are all as they were. */
  areSame(): boolean {
    return this.#seen.every(
      ({ path, stats }) => stats !== undefined && isSameDirectory(stats, lookAt(path)),
    );
  }
}
