/** One instruction of a filter. Where a jump is not said to lead anywhere, the next one follows. */
export interface FilterInstruction {
  readonly code: number;
  readonly value: number;
  /** The label that a jump leads to if what it asks is true, or is not. */
  readonly yes?: string;
  readonly no?: string;
}

/** Instructions in order, with names for those that are jumped to. */
export type FilterLine = FilterInstruction | { readonly label: string };

/** Loads a part of what is judged. */
export function load(offset: number): FilterInstruction {
  return { code: 0x20, value: offset };
}

/** Jumps if what was loaded equals a number. */
export function ifEqual(value: number, yes: string): FilterInstruction {
  return { code: 0x15, value, yes };
}

/** Jumps if what was loaded is another number. */
export function unlessEqual(value: number, no: string): FilterInstruction {
  return { code: 0x15, value, no };
}

/** Jumps if what was loaded is a number or above it. */
export function ifAtLeast(value: number, yes: string): FilterInstruction {
  return { code: 0x35, value, yes };
}

/** Jumps if what was loaded has one of these bits. */
export function ifAnyBit(value: number, yes: string): FilterInstruction {
  return { code: 0x45, value, yes };
}

/** Ends with a verdict. */
export function answer(verdict: number): FilterInstruction {
  return { code: 0x06, value: verdict };
}

const instructionBytes = 8;

/** The program as the kernel takes it: classic BPF of a little-endian machine. */
export function assembleFilter(lines: readonly FilterLine[]): Uint8Array {
  const labels = new Map<string, number>();
  const instructions: FilterInstruction[] = [];
  for (const line of lines) {
    if ("label" in line) labels.set(line.label, instructions.length);
    else instructions.push(line);
  }
  const bytes = new Uint8Array(instructions.length * instructionBytes);
  const view = new DataView(bytes.buffer);
  const distance = (from: number, label: string | undefined): number => {
    if (label === undefined) return 0;
    const steps = (labels.get(label) ?? -1) - from - 1;
    if (steps >= 0 && steps <= 255) return steps;
    throw new RangeError(`The filter can't jump from ${from} to ${label}.`);
  };
  for (const [index, { code, value, yes, no }] of instructions.entries()) {
    const at = index * instructionBytes;
    view.setUint16(at, code, true);
    view.setUint8(at + 2, distance(index, yes));
    view.setUint8(at + 3, distance(index, no));
    view.setUint32(at + 4, value, true);
  }
  return bytes;
}
