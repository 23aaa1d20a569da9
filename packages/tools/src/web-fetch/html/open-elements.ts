import { isClosedBy, isClosing, isIndenting, isScopeOf } from "./element-kinds.ts";

const maxElements = 25_000;
const maxCharacters = 2_000_000;

// Decent pages have half of it. What is deeper loses its tags, not its text.
const maxDepth = 64;
const maxIndentation = 12;

/** The text of a page while it is written: what is open, and what of it is not shown. */
export class OpenElements {
  readonly #parts: string[] = [];
  readonly #names: string[] = [];
  /** Where among the parts the tag of each stands. */
  readonly #starts: number[] = [];
  readonly #counts = new Map<string, number>();
  /** Elements too deep to be opened, whose end tags must not close others. */
  readonly #unopened = new Map<string, number>();
  #indentation = 0;
  #hiding: HiddenElement | undefined;
  #room = maxCharacters;
  /** How many were opened so far, but those that have nothing inside. */
  elements = 0;

  /** There is no room for more. */
  get isFull(): boolean {
    return this.#room === 0 || this.elements >= maxElements;
  }

  get isHiding(): boolean {
    return this.#hiding !== undefined;
  }

  get isPreformatted(): boolean {
    return (this.#counts.get("pre") ?? 0) > 0;
  }

  addText(text: string): void {
    if (text === "" || this.isHiding) return;
    const shown = text.slice(0, this.#room);
    this.#room -= shown.length;
    this.#parts.push(shown.replaceAll(longBlank, shortenBlank));
  }

  addVoid(text: string): void {
    if (this.isHiding) return;
    this.elements++;
    this.#parts.push(text);
  }

  open(name: string, text: string, isHidden: boolean): void {
    if (wrapping.has(name)) return;
    if (this.#hiding !== undefined) {
      if (this.#hiding.depth > 0 || !isClosedBy(this.#hiding.name, name)) {
        this.#hiding.open(name);
        return;
      }
      this.#hiding = undefined;
    }
    if (isClosing(name)) this.#closeImplied(name);
    if (isHidden) {
      this.#hiding = new HiddenElement(name);
      return;
    }
    if (
      this.#names.length >= maxDepth ||
      (isIndenting(name) && this.#indentation >= maxIndentation)
    ) {
      increase(this.#unopened, name, 1);
      return;
    }
    this.elements++;
    this.#names.push(name);
    this.#starts.push(this.#parts.length);
    increase(this.#counts, name, 1);
    if (isIndenting(name)) this.#indentation++;
    this.#parts.push(text);
  }

  close(name: string): void {
    if (this.#hiding !== undefined) {
      const isOutside = this.#hiding.name !== name && (this.#counts.get(name) ?? 0) > 0;
      if (this.#hiding.close(name)) return;
      if (isOutside || this.#hiding.name === name) this.#hiding = undefined;
      if (!isOutside) return;
    }
    if ((this.#unopened.get(name) ?? 0) > 0) increase(this.#unopened, name, -1);
    else if ((this.#counts.get(name) ?? 0) > 0) this.#closeFrom(this.#names.lastIndexOf(name));
  }

  /** All of it, with everything closed. */
  end(): string {
    this.#closeFrom(0);
    return this.#parts.join("");
  }

  #closeImplied(next: string): void {
    let from: number | undefined;
    for (let at = this.#names.length - 1; at >= 0; at--) {
      const element = this.#names[at] as string;
      if (isClosedBy(element, next)) from = at;
      else if (isScopeOf(element, next)) break;
    }
    if (from !== undefined) this.#closeFrom(from);
  }

  #closeFrom(place: number): void {
    while (this.#names.length > place) {
      const name = this.#names.pop() as string;
      increase(this.#counts, name, -1);
      if (isIndenting(name)) this.#indentation--;
      // What has nothing inside shows nothing, but an empty cell keeps the others in their columns.
      const isEmpty = this.#starts.pop() === this.#parts.length - 1;
      if (isEmpty && name !== "td" && name !== "th") {
        this.#parts.pop();
        this.elements--;
      } else this.#parts.push(`</${name}>`);
    }
  }
}

// We have these ourselves.
const wrapping = new Set(["body", "head", "html"]);

// No page means as many; what handles them later takes much more than its time for it.
const longBlank = /\s{32,}/gu;
const shortenBlank = (blank: string): string => (blank.includes("\n") ? "\n\n" : " ");

/** An element that is not shown, and what was opened inside of it. */
class HiddenElement {
  readonly name: string;
  readonly #inside = new Map<string, number>();
  depth = 0;

  constructor(name: string) {
    this.name = name;
  }

  open(name: string): void {
    this.depth++;
    increase(this.#inside, name, 1);
  }

  /** Whether the tag closed something inside. */
  close(name: string): boolean {
    if ((this.#inside.get(name) ?? 0) === 0) return false;
    this.depth--;
    increase(this.#inside, name, -1);
    return true;
  }
}

function increase(counts: Map<string, number>, name: string, by: number): void {
  counts.set(name, (counts.get(name) ?? 0) + by);
}
