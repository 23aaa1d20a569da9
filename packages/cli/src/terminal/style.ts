import { styleText } from "node:util";
import type { Io } from "../io.ts";

/** Ways to make text stand out on standard error; none where that is no terminal or wants none. */
export interface Style {
  dim(text: string): string;
  bold(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

/** The style that the person's terminal shows. */
export function createStyle({ errorIsTerminal, environment }: Io): Style {
  const isPlain =
    errorIsTerminal !== true || Boolean(environment.NO_COLOR) || environment.TERM === "dumb";
  const as =
    (format: keyof Style) =>
    (text: string): string =>
      isPlain ? text : styleText(format, text, { validateStream: false });
  return {
    dim: as("dim"),
    bold: as("bold"),
    red: as("red"),
    green: as("green"),
    yellow: as("yellow"),
    cyan: as("cyan"),
  };
}
