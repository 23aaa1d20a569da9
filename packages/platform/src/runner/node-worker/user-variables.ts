const hidden = "•••";

/**
 * What the user's profile says, by name. Its values come out by `get` only: printed or made into
 * JSON by the way, those that are sensitive do not show.
 */
export class UserVariables {
  readonly #plain: Readonly<Record<string, string>>;
  readonly #sensitive: Readonly<Record<string, string>>;

  constructor(
    plain: Readonly<Record<string, string>> = {},
    sensitive: Readonly<Record<string, string>> = {},
  ) {
    this.#plain = plain;
    this.#sensitive = sensitive;
  }

  get(name: string): string | undefined {
    if (Object.hasOwn(this.#sensitive, name)) return this.#sensitive[name];
    return Object.hasOwn(this.#plain, name) ? this.#plain[name] : undefined;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  keys(): string[] {
    return [...new Set([...Object.keys(this.#plain), ...Object.keys(this.#sensitive)])];
  }

  toJSON(): Record<string, string> {
    const names = Object.keys(this.#sensitive);
    return { ...this.#plain, ...Object.fromEntries(names.map((name) => [name, hidden])) };
  }

  toString(): string {
    return `UserVariables ${JSON.stringify(this.toJSON())}`;
  }
}

// What `console.log` and the like show.
Object.defineProperty(UserVariables.prototype, Symbol.for("nodejs.util.inspect.custom"), {
  value(this: UserVariables): string {
    return this.toString();
  },
});
