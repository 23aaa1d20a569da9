import { maskValues } from "./mask-values.ts";
import type { ToolRun } from "./runner.ts";

const mostCharacters = 64 * 1024;
const mostLineCharacters = 8 * 1024;

/** Passes on what an invocation prints: line by line, no more than so much, nothing sensitive. */
export class JobLog {
  readonly #run: ToolRun;
  readonly #hide: (text: string) => string;
  #rest = "";
  #left = mostCharacters;

  constructor(run: ToolRun) {
    this.#run = run;
    this.#hide = maskValues(Object.values(run.sensitiveUserVariables));
  }

  add(text: string): void {
    if (this.#left <= 0) return;
    const lines = (this.#rest + text.slice(0, this.#left)).split("\n");
    this.#left -= text.length;
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#tell(line);
    if (this.#rest.length > mostLineCharacters) this.#flush();
    if (this.#left > 0) return;
    this.#flush();
    this.#tell(`… more than ${mostCharacters} characters were printed; the rest is left out.`);
  }

  end(): void {
    this.#flush();
  }

  #flush(): void {
    if (this.#rest !== "") this.#tell(this.#rest);
    this.#rest = "";
  }

  #tell(line: string): void {
    this.#run.onLog?.(this.#hide(line));
  }
}
