const hidden = "•••";

/**
 * The variables in the user's profile by name. Only `get` returns sensitive values: they are hidden
 * when this object is printed or converted to JSON.
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

// Used by `console.log`.
Object.defineProperty(UserVariables.prototype, Symbol.for("nodejs.util.inspect.custom"), {
  value(this: UserVariables): string {
    return this.toString();
  },
});
