import { styleText } from "node:util";
import type { Io } from "../io.ts";

/** Styles for standard error. They do nothing if it is not a terminal or colours are disabled. */
export interface Style {
  dim(text: string): string;
  bold(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

/** Creates the style for the terminal. */
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
