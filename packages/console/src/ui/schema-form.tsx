import { useId, useState } from "preact/hooks";
import { show, showLine } from "./show.ts";

/** The parts of a JSON Schema that a form shows. */
export interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
  readonly items?: FieldSchema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly format?: string;
}

interface FieldProps {
  readonly name: string;
  readonly schema: FieldSchema;
  readonly value: unknown;
  readonly isRequired: boolean;
  /** `undefined` for no value. */
  onChange(value: unknown): void;
}

const longText = /(?:^|_)(?:content|text|body|prompt|code|script|patch|diff|command|message)$/iu;

/** The field for a value that a schema describes, with fields for what is in it. */
export function SchemaForm(props: FieldProps) {
  const { name, schema, value, onChange } = props;
  const types = [schema.type ?? []].flat().filter((type) => type !== "null");
  const type = types.length === 1 ? types[0] : undefined;
  if (schema.enum !== undefined) return <ChoiceField {...props} choices={schema.enum} />;
  if (type === "boolean") return <CheckField {...props} />;
  if (type === "string") return <TextField {...props} />;
  if (type === "integer" || type === "number") {
    return <NumberField {...props} isWhole={type === "integer"} />;
  }
  if (type === "object" && schema.properties !== undefined) {
    const members = isObject(value) ? value : {};
    return (
      <fieldset class="members">
        <legend>{showLine(name, 60)}</legend>
        {schema.description !== undefined && <p class="hint">{show(schema.description)}</p>}
        <SchemaFields schema={schema} value={members} onChange={(next) => onChange(next)} />
      </fieldset>
    );
  }
  return <JsonField {...props} />;
}

/** The fields for the properties of an object. */
export function SchemaFields({
  schema,
  value,
  onChange,
}: {
  schema: FieldSchema;
  value: Readonly<Record<string, unknown>>;
  onChange(value: Record<string, unknown>): void;
}) {
  const entries = Object.entries(schema.properties ?? {});
  if (entries.length === 0) return <p class="quiet">It takes no arguments.</p>;
  return (
    <>
      {entries.map(([name, property]) => (
        <SchemaForm
          key={name}
          name={name}
          schema={property}
          value={Object.hasOwn(value, name) ? value[name] : undefined}
          isRequired={schema.required?.includes(name) ?? false}
          onChange={(next) => {
            const { [name]: _, ...rest } = value;
            onChange(next === undefined ? rest : { ...rest, [name]: next });
          }}
        />
      ))}
    </>
  );
}

function Field({
  name,
  schema,
  isRequired,
  children,
  id,
}: Pick<FieldProps, "name" | "schema" | "isRequired"> & {
  id: string;
  children: preact.ComponentChildren;
}) {
  return (
    <div class="field">
      <label for={id}>
        {showLine(schema.title ?? name, 60)}
        {!isRequired && <span class="hint"> optional</span>}
      </label>
      {children}
      {schema.description !== undefined && <p class="hint">{show(schema.description)}</p>}
    </div>
  );
}

function TextField(props: FieldProps) {
  const { name, schema, value, isRequired, onChange } = props;
  const id = useId();
  const shared = {
    id,
    value: typeof value === "string" ? value : "",
    placeholder: schema.default === undefined ? "" : String(schema.default),
    spellcheck: false,
    onInput: (event: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) => {
      const text = event.currentTarget.value;
      onChange(text === "" && !isRequired ? undefined : text);
    },
  };
  return (
    <Field {...props} id={id}>
      {longText.test(name) || (schema.maxLength ?? 0) > 500 ? (
        <textarea rows={6} {...shared} />
      ) : (
        <input type="text" autocomplete="off" {...shared} />
      )}
    </Field>
  );
}

function NumberField(props: FieldProps & { isWhole: boolean }) {
  const { schema, value, onChange, isWhole } = props;
  const id = useId();
  return (
    <Field {...props} id={id}>
      <input
        id={id}
        type="number"
        step={isWhole ? 1 : "any"}
        min={schema.minimum}
        max={schema.maximum}
        value={typeof value === "number" ? value : ""}
        placeholder={schema.default === undefined ? "" : String(schema.default)}
        onInput={(event) => {
          const { value: text, valueAsNumber } = event.currentTarget;
          onChange(text === "" || Number.isNaN(valueAsNumber) ? undefined : valueAsNumber);
        }}
      />
    </Field>
  );
}

function CheckField(props: FieldProps) {
  const { name, schema, value, onChange } = props;
  return (
    <div class="field">
      <label class="check">
        <input
          type="checkbox"
          checked={(value ?? schema.default) === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        {showLine(schema.title ?? name, 60)}
      </label>
      {schema.description !== undefined && <p class="hint">{show(schema.description)}</p>}
    </div>
  );
}

function ChoiceField(props: FieldProps & { choices: readonly unknown[] }) {
  const { value, isRequired, onChange, choices } = props;
  const id = useId();
  const at = choices.findIndex((choice) => JSON.stringify(choice) === JSON.stringify(value));
  return (
    <Field {...props} id={id}>
      <select
        id={id}
        value={String(at)}
        onChange={(event) => onChange(choices[Number(event.currentTarget.value)])}
      >
        <option value="-1">{isRequired ? "Choose…" : ""}</option>
        {choices.map((choice, index) => (
          <option key={String(index)} value={String(index)}>
            {showLine(typeof choice === "string" ? choice : JSON.stringify(choice), 100)}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** Any JSON. What is no JSON yet is kept here and not passed on. */
function JsonField(props: FieldProps) {
  const { value, onChange } = props;
  const id = useId();
  const [draft, setDraft] = useState<string>();
  const [problem, setProblem] = useState<string>();
  return (
    <Field {...props} id={id}>
      <textarea
        id={id}
        class="code"
        rows={4}
        spellcheck={false}
        placeholder="JSON"
        value={draft ?? (value === undefined ? "" : JSON.stringify(value, null, 2))}
        onInput={(event) => {
          const text = event.currentTarget.value;
          setDraft(text);
          try {
            onChange(text.trim() === "" ? undefined : JSON.parse(text));
            setProblem(undefined);
          } catch (error) {
            setProblem(`This is not JSON: ${(error as Error).message}`);
          }
        }}
        onBlur={() => problem === undefined && setDraft(undefined)}
      />
      {problem !== undefined && <p class="problem">{show(problem)}</p>}
    </Field>
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
