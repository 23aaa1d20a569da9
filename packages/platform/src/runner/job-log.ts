import { maskValues } from "./mask-values.ts";
import type { ToolRun } from "./runner.ts";

const maxCharacters = 64 * 1024;
const maxLineCharacters = 8 * 1024;

/** Forwards an invocation's output line by line, up to a limit and with sensitive values masked. */
export class JobLog {
  readonly #run: ToolRun;
  readonly #hide: (text: string) => string;
  #rest = "";
  #left = maxCharacters;

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
    if (this.#rest.length > maxLineCharacters) this.#flush();
    if (this.#left > 0) return;
    this.#flush();
    this.#tell(`… more than ${maxCharacters} characters were printed. The rest is left out.`);
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
