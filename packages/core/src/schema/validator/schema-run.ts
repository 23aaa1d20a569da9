import type { JsonSchema } from "@haft/contract";

/** One way in which a value violates its schema. */
export interface SchemaViolation {
  readonly keyword: string;
  /** Where in the value: property names and indices. */
  readonly path: readonly (string | number)[];
  /** Goes on after the field: "must be integer". */
  readonly message: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The part of the schema that complains. */
  readonly schema: JsonSchema;
}

/** A value took more steps to check than its size allows. */
export class SchemaEffortError extends Error {
  override readonly name = "SchemaEffortError";
}

/** One check of one value: what it may still cost, and what was found so far. */
export class SchemaRun {
  /** Steps that are left. */
  left: number;
  /** What is wrong; `undefined` while only the answer counts, which then comes with the first fault. */
  violations: SchemaViolation[] | undefined;
  path: (string | number)[] = [];
  /** The name or index of the part that is looked at next. */
  key: string | number = "";
  /** What of the value at hand was looked at; kept only for `unevaluatedProperties` and its kin. */
  scope: EvaluatedScope | undefined;

  #named: object | undefined;
  #names: readonly string[] = [];

  constructor(steps: number, violations?: SchemaViolation[]) {
    this.left = steps;
    this.violations = violations;
  }

  /** Makes the run as good as a new one that notes no violations: to make one takes longer. */
  reset(steps: number): this {
    this.left = steps;
    this.violations = undefined;
    this.scope = undefined;
    this.#named = undefined;
    if (this.path.length > 0) this.path = [];
    return this;
  }

  /** Counts steps. Throws a `SchemaEffortError` that names the place when there are none left. */
  spend(steps: number, pointer: string): void {
    this.left -= steps;
    if (this.left >= 0) return;
    throw new SchemaEffortError(
      `checking the value against ${pointer} takes more steps than a value of its size may take`,
    );
  }

  /** The names of an object. Listing those of a large one takes long, and the same one often comes again. */
  namesOf(value: object, pointer: string): readonly string[] {
    if (value === this.#named) {
      this.spend(this.#names.length, pointer);
      return this.#names;
    }
    const names = Object.keys(value);
    this.#named = value;
    this.#names = names;
    this.spend(names.length > fewNames ? names.length * stepsPerName : names.length, pointer);
    return names;
  }

  /** Notes a violation. Returns `false`, which is what a check that fails returns. */
  fail(
    { schema, keyword }: Pick<SchemaViolation, "schema" | "keyword">,
    message: string,
    params: SchemaViolation["params"] = {},
  ): false {
    if (this.violations !== undefined && this.violations.length < maxViolations) {
      this.violations.push({ keyword, path: this.path.slice(), message, params, schema });
    }
    return false;
  }
}

const maxViolations = 100;
const fewNames = 100;
const stepsPerName = 16;

/** The properties and items of one value that some part of a schema has looked at. */
export class EvaluatedScope {
  hasAllProperties = false;
  hasAllItems = false;
  /** How many items from the first on. */
  firstItems = 0;
  readonly properties: Set<string> = new Set();
  readonly items: Set<number> = new Set();

  add(other: EvaluatedScope): void {
    this.hasAllProperties ||= other.hasAllProperties;
    this.hasAllItems ||= other.hasAllItems;
    this.firstItems = Math.max(this.firstItems, other.firstItems);
    for (const name of other.properties) this.properties.add(name);
    for (const index of other.items) this.items.add(index);
  }
}
