// @ts-check
import { element } from "./element.js";

/** @typedef {import("./api.js").Schema} Schema */

/**
 * One argument in the form.
 * @typedef {object} Field
 * @property {string} name
 * @property {HTMLElement} node
 * @property {() => unknown} read Undefined where nothing was entered. Throws what is not JSON.
 * @property {(value: unknown) => void} fill
 */

/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Control */
/** @typedef {Pick<Field, "read" | "fill"> & { control: Control }} Entry */

const longText =
  /(^|_)(content|text|body|prompt|code|script|patch|diff|command|cmd|old_str|new_str|old_string|new_string)$/i;

let made = 0;

/**
 * Makes the field for a property: label, control, and what the schema says about it.
 * @param {string} name
 * @param {Schema} schema
 * @param {boolean} required
 * @returns {Field}
 */
export function createField(name, schema, required) {
  const { control, read, fill } = createEntry(name, schema, required);
  control.id = `field-${++made}`;
  control.name = name;
  const optional = required ? [] : [element("span", { className: "hint" }, " optional")];
  const label = element("label", { htmlFor: control.id }, name, ...optional);
  const hint = element(
    "p",
    { className: "hint", id: `${control.id}-hint` },
    schema.description ?? "",
  );
  if (schema.description) control.setAttribute("aria-describedby", hint.id);
  const check = control.type === "checkbox";
  const parts = check ? [element("div", { className: "check" }, control, label)] : [label, control];
  const narrow = ["checkbox", "number", "select-one"].includes(control.type);
  const node = element("div", { className: narrow ? "field" : "field wide" }, ...parts, hint);
  return { name, node, read, fill };
}

/**
 * A control for any JSON value.
 * @returns {Entry & { control: HTMLTextAreaElement, refuse: (message: string) => Error }}
 */
export function createJsonEntry() {
  const control = element("textarea", { className: "code", rows: 6, spellcheck: false });
  control.addEventListener("input", () => control.setCustomValidity(""));
  /** @param {string} message */
  const refuse = (message) => {
    control.setCustomValidity(message);
    return new Error(message);
  };
  return {
    control,
    refuse,
    read: () => {
      if (control.value.trim() === "") return undefined;
      try {
        return JSON.parse(control.value);
      } catch (error) {
        throw refuse(`This is not JSON: ${/** @type {Error} */ (error).message}`);
      }
    },
    fill: (value) => {
      control.setCustomValidity("");
      control.value = value === undefined ? "" : JSON.stringify(value, null, 2);
    },
  };
}

/**
 * @param {string} name
 * @param {Schema} schema
 * @param {boolean} required
 * @returns {Entry}
 */
function createEntry(name, schema, required) {
  if (schema.enum !== undefined) return createChoice(schema.enum, required);
  const types = [schema.type ?? []].flat().filter((type) => type !== "null");
  switch (types.length === 1 ? types[0] : undefined) {
    case "string":
      return createText(name, schema, required);
    case "integer":
    case "number":
      return createNumber(types[0] === "integer", schema, required);
    case "boolean":
      return createCheck(schema, required);
    default: {
      const entry = createJsonEntry();
      entry.control.required = required;
      entry.control.placeholder = "JSON";
      return entry;
    }
  }
}

/**
 * @param {string} name
 * @param {Schema} schema
 * @param {boolean} required
 * @returns {Entry}
 */
function createText(name, schema, required) {
  const control = longText.test(name)
    ? element("textarea", { rows: 8, spellcheck: false, className: "code" })
    : element("input", { type: "text", autocomplete: "off", spellcheck: false });
  control.required = required && (schema.minLength ?? 0) > 0;
  control.placeholder = schema.default === undefined ? "" : String(schema.default);
  return {
    control,
    // Nothing entered is no text at all, except where there has to be one.
    read: () => (control.value === "" && !required ? undefined : control.value),
    fill: (value) => {
      control.value = typeof value === "string" ? value : "";
    },
  };
}

/**
 * @param {boolean} whole
 * @param {Schema} schema
 * @param {boolean} required
 * @returns {Entry}
 */
function createNumber(whole, schema, required) {
  const control = element("input", { type: "number", step: whole ? "1" : "any", required });
  if (schema.minimum !== undefined) control.min = String(schema.minimum);
  if (schema.maximum !== undefined) control.max = String(schema.maximum);
  control.placeholder = schema.default === undefined ? "" : String(schema.default);
  return {
    control,
    read: () => (control.value === "" ? undefined : control.valueAsNumber),
    fill: (value) => {
      control.value = typeof value === "number" ? String(value) : "";
    },
  };
}

/**
 * @param {Schema} schema
 * @param {boolean} required
 * @returns {Entry}
 */
function createCheck(schema, required) {
  const usual = schema.default === true;
  const control = element("input", { type: "checkbox", checked: usual });
  return {
    control,
    read: () => (control.checked || required || usual ? control.checked : undefined),
    fill: (value) => {
      control.checked = typeof value === "boolean" ? value : usual;
    },
  };
}

/**
 * @param {unknown[]} values
 * @param {boolean} required
 * @returns {Entry}
 */
function createChoice(values, required) {
  const options = values.map((value, index) =>
    element(
      "option",
      { value: String(index) },
      typeof value === "string" ? value : JSON.stringify(value),
    ),
  );
  const control = element(
    "select",
    { required },
    element("option", { value: "" }, "—"),
    ...options,
  );
  return {
    control,
    read: () => (control.value === "" ? undefined : values[Number(control.value)]),
    fill: (value) => {
      const index = values.indexOf(value);
      control.value = index < 0 ? "" : String(index);
    },
  };
}
