// @ts-check
import { toVisibleParts } from "./visible-text.js";

/**
 * Makes an element. Text becomes text, never markup, with deceptive characters made visible; names
 * with a hyphen are attributes, all others properties.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown>} [properties]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-")) made.setAttribute(name, String(value));
    else Reflect.set(made, name, value);
  }
  fill(made, ...children);
  return made;
}

/**
 * Replaces what is in an element.
 * @param {Element} parent
 * @param {...(Node | string)} children
 */
export function fill(parent, ...children) {
  parent.replaceChildren(
    ...children.flatMap((child) => (typeof child === "string" ? visibleNodes(child) : [child])),
  );
}

/**
 * The element of the page with this id.
 * @template {HTMLElement} [Kind=HTMLElement]
 * @param {string} id
 * @param {new () => Kind} [kind]
 * @returns {Kind}
 */
export function byId(id, kind) {
  const found = document.getElementById(id);
  if (found instanceof (kind ?? HTMLElement)) return /** @type {Kind} */ (found);
  throw new Error(`The page has no ${id}.`);
}

/** @param {string} text */
function visibleNodes(text) {
  return toVisibleParts(text).map(({ text: shown, escaped }) => {
    if (!escaped) return document.createTextNode(shown);
    const mark = document.createElement("span");
    mark.className = "escaped";
    mark.textContent = shown;
    return mark;
  });
}
