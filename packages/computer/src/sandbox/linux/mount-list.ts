/** The options of a sandbox that say what is where in it, with the descriptors that they need. */
export class MountList {
  readonly options: string[] = [];
  readonly places: string[] = [];
  readonly #firstDescriptor: number;

  /** The places get descriptors from this one on. */
  constructor(firstDescriptor: number) {
    this.#firstDescriptor = firstDescriptor;
  }

  add(...options: readonly string[]): void {
    this.options.push(...options);
  }

  /** Shows what is at a path of the user's at the same path, exactly that and no link's target. */
  show(path: string, mode: "read" | "write"): void {
    const descriptor = this.#firstDescriptor + this.places.push(path) - 1;
    this.add(mode === "read" ? "--ro-bind-fd" : "--bind-fd", `${descriptor}`, path);
  }

  /** Puts an empty directory in memory at a path. */
  addScratch(path: string, bytes: number, permissions = "0700"): void {
    this.add("--perms", permissions, "--size", `${bytes}`, "--tmpfs", path);
  }

  /** Puts a directory at a path into which nobody can look; only what is shown in it can be reached. */
  close(path: string, shown: readonly string[] = []): void {
    this.addScratch(path, 4096, shown.length === 0 ? "0000" : "0111");
    for (const inside of shown) this.show(inside, "write");
    this.add("--remount-ro", path);
  }
}
