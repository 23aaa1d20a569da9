// @ts-check
import { element, fill } from "./element.js";
import { createField, createJsonEntry } from "./field.js";

/** @typedef {import("./api.js").Tool} Tool */

/**
 * The arguments of one tool as they are being entered.
 * @typedef {object} ToolForm
 * @property {HTMLElement} node
 * @property {() => Record<string, unknown>} read Throws where something entered is not JSON; the
 * control then says so itself.
 */

/**
 * Makes the form for a tool's arguments out of its schema. It can be switched to plain JSON.
 * @param {Tool} tool
 * @returns {ToolForm}
 */
export function createToolForm({ name, input_schema: schema }) {
  const required = schema.required ?? [];
  const fields = Object.entries(schema.properties ?? {}).map(([property, propertySchema]) =>
    createField(property, propertySchema, required.includes(property)),
  );
  const fieldSet = element("div", { className: "fields" }, ...fields.map(({ node }) => node));
  if (fields.length === 0)
    fieldSet.append(element("p", { className: "empty" }, "It takes no arguments."));
  const json = createJsonEntry();
  json.control.id = `json-${name}`;
  json.control.rows = 12;
  const label = element("label", { htmlFor: json.control.id }, "Arguments as JSON");
  const jsonField = element("div", { className: "field wide" }, label, json.control);
  const jsonPart = element("div", { className: "fields" }, jsonField);
  const toggle = element("input", { type: "checkbox", role: "switch", id: `switch-${name}` });
  const problem = element("p", { className: "problem", role: "alert", hidden: true });
  const node = element(
    "div",
    {},
    element(
      "div",
      { className: "check switch" },
      toggle,
      element("label", { htmlFor: toggle.id }, "Edit as JSON"),
    ),
    problem,
    fieldSet,
  );

  const readFields = () => collect(fields);
  const readJson = () => requireObject(json);

  toggle.addEventListener("change", () => {
    try {
      if (toggle.checked) {
        json.fill(readFields());
        fieldSet.replaceWith(jsonPart);
      } else {
        const value = readJson();
        for (const field of fields) field.fill(value[field.name]);
        if (!isSame(readFields(), value)) throw new Error("The form has no place for all of this.");
        jsonPart.replaceWith(fieldSet);
      }
      problem.hidden = true;
    } catch (error) {
      toggle.checked = !toggle.checked;
      fill(problem, /** @type {Error} */ (error).message);
      problem.hidden = false;
    }
  });

  return { node, read: () => (toggle.checked ? readJson() : readFields()) };
}

/** @param {import("./field.js").Field[]} fields */
function collect(fields) {
  return Object.fromEntries(
    fields.map(({ name, read }) => [name, read()]).filter(([, value]) => value !== undefined),
  );
}

/**
 * @param {ReturnType<typeof createJsonEntry>} json
 * @returns {Record<string, unknown>}
 */
function requireObject(json) {
  const value = json.read() ?? {};
  if (typeof value === "object" && !Array.isArray(value)) {
    return /** @type {Record<string, unknown>} */ (value);
  }
  throw json.refuse("The arguments have to be one JSON object.");
}

/**
 * @param {Record<string, unknown>} one
 * @param {Record<string, unknown>} other
 */
function isSame(one, other) {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name]));
}
