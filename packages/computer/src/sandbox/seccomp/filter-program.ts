/** One instruction of a filter. Without a jump target, the next instruction follows. */
export interface FilterInstruction {
  readonly code: number;
  readonly value: number;
  /** The labels to jump to if the condition is true, or false. */
  readonly yes?: string;
  readonly no?: string;
}

/** Instructions in order, with labels for jump targets. */
export type FilterLine = FilterInstruction | { readonly label: string };

/** Loads a field of the call's data. */
export function load(offset: number): FilterInstruction {
  return { code: 0x20, value: offset };
}

/** Jumps if the loaded value equals a number. */
export function ifEqual(value: number, yes: string): FilterInstruction {
  return { code: 0x15, value, yes };
}

/** Jumps if the loaded value differs from a number. */
export function unlessEqual(value: number, no: string): FilterInstruction {
  return { code: 0x15, value, no };
}

/** Jumps if the loaded value is at least a number. */
export function ifAtLeast(value: number, yes: string): FilterInstruction {
  return { code: 0x35, value, yes };
}

/** Jumps if the loaded value has one of these bits. */
export function ifAnyBit(value: number, yes: string): FilterInstruction {
  return { code: 0x45, value, yes };
}

/** Ends with a verdict. */
export function answer(verdict: number): FilterInstruction {
  return { code: 0x06, value: verdict };
}

const instructionBytes = 8;

/** Assembles the program for the kernel: classic BPF of a little-endian machine. */
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
