/** A directory that a run may read, or also write. */
export interface ShownRoot {
  readonly path: string;
  readonly mode: "read" | "write";
}

/** Bubblewrap's mount options, with the descriptors that they need. */
export class MountOptions {
  readonly options: string[] = [];
  readonly places: (ShownRoot & { readonly descriptor: number })[] = [];
  readonly #firstDescriptor: number;

  /** Paths get descriptors from this number on. */
  constructor(firstDescriptor: number) {
    this.#firstDescriptor = firstDescriptor;
  }

  add(...options: readonly string[]): void {
    this.options.push(...options);
  }

  /** Shows one of the user's paths at the same path, exactly that and never a link's target. */
  show(path: string, mode: "read" | "write"): void {
    const descriptor = this.#firstDescriptor + this.places.length;
    this.places.push({ path, mode, descriptor });
    this.add(mode === "read" ? "--ro-bind-fd" : "--bind-fd", `${descriptor}`, path);
  }

  /** Mounts an empty directory in memory. */
  addScratch(path: string, bytes: number, permissions = "0700"): void {
    this.add("--perms", permissions, "--size", `${bytes}`, "--tmpfs", path);
  }

  /** Mounts a directory that can't be listed; only what is shown in it can be reached. */
  close(path: string, shown: readonly ShownRoot[] = []): void {
    this.addScratch(path, 4096, shown.length === 0 ? "0000" : "0111");
    for (const inside of shown) this.show(inside.path, inside.mode);
    this.add("--remount-ro", path);
  }
}
