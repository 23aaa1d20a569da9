import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSeccompFilter, verdicts } from "./seccomp-filter.ts";
import {
  auditNumbers,
  type CallNumbers,
  type FilterArchitecture,
  judgedCalls,
  refusedCalls,
} from "./system-calls.ts";

const architectures = ["x64", "arm64"] as const;

describe.each(architectures)("the filter of system calls on %s", (architecture) => {
  const ask = (number: number, ...args: number[]): number =>
    run(architecture, { architecture: auditNumbers[architecture], number, args });
  const numberOf = (call: keyof typeof judgedCalls): number => {
    const numbers: CallNumbers = judgedCalls[call];
    return numbers[architecture] ?? -1;
  };

  it("refuses every call in the table", () => {
    for (const [name, numbers] of Object.entries(refusedCalls)) {
      const number = numbers[architecture];
      if (number !== undefined) expect([name, ask(number)]).toEqual([name, verdicts.refuse]);
    }
  });

  it("allows all other calls", () => {
    const special = new Set([
      ...Object.values(refusedCalls).map((numbers) => numbers[architecture]),
      ...Object.values<CallNumbers>(judgedCalls).map((numbers) => numbers[architecture]),
    ]);
    for (let number = 0; number < 500; number++) {
      if (!special.has(number)) expect([number, ask(number)]).toEqual([number, verdicts.allow]);
    }
  });

  it("kills processes of another architecture", () => {
    const other = architecture === "x64" ? "arm64" : "x64";
    const foreign = [auditNumbers[other], 0x40000003, 0];
    for (const audit of foreign) {
      expect(run(architecture, { architecture: audit, number: 0, args: [] })).toBe(verdicts.kill);
    }
  });

  it("allows threads and processes, but no namespaces", () => {
    const threadFlags = 0x3d0f00;
    expect(ask(numberOf("clone"), threadFlags)).toBe(verdicts.allow);
    expect(ask(numberOf("clone"), 17)).toBe(verdicts.allow);
    expect(ask(numberOf("clone3"))).toBe(verdicts.missing);
    for (const flag of namespaces) {
      expect(ask(numberOf("clone"), (threadFlags | flag) >>> 0)).toBe(verdicts.refuse);
      expect(ask(numberOf("unshare"), flag)).toBe(verdicts.refuse);
    }
    expect(ask(numberOf("unshare"), 0x80)).toBe(verdicts.refuse);
    expect(ask(numberOf("unshare"), 0x400)).toBe(verdicts.allow);
  });

  it("allows local, internet and routing sockets", () => {
    for (const call of ["socket", "socketpair"] as const) {
      for (const family of [1, 2, 10])
        expect(ask(numberOf(call), family, 1, 0)).toBe(verdicts.allow);
      expect(ask(numberOf(call), 16, 3, 0)).toBe(verdicts.allow);
      fc.assert(
        fc.property(fc.integer({ min: 0, max: 0xffffffff }), fc.nat(300), (family, protocol) => {
          fc.pre(![1, 2, 10].includes(family) && !(family === 16 && protocol === 0));
          return ask(numberOf(call), family, 3, protocol) === verdicts.refuse;
        }),
      );
    }
  });

  it("refuses to create files that run as their owner", () => {
    const makes = 0o100;
    const calls: readonly [keyof typeof judgedCalls, (mode: number) => readonly number[]][] = [
      ["chmod", (mode) => [0, mode]],
      ["fchmod", (mode) => [0, mode]],
      ["creat", (mode) => [0, mode]],
      ["mknod", (mode) => [0, mode]],
      ["fchmodat", (mode) => [0, 0, mode]],
      ["fchmodat2", (mode) => [0, 0, mode]],
      ["mknodat", (mode) => [0, 0, mode]],
      ["open", (mode) => [0, makes, mode]],
      ["openat", (mode) => [0, 0, makes, mode]],
      ["openat", (mode) => [0, 0, 0o20200000, mode]],
    ];
    for (const [call, toArguments] of calls) {
      if (numberOf(call) < 0) continue;
      expect(ask(numberOf(call), ...toArguments(0o755))).toBe(verdicts.allow);
      for (const mode of [0o4755, 0o2755, 0o104755]) {
        expect([call, ask(numberOf(call), ...toArguments(mode))]).toEqual([call, verdicts.refuse]);
      }
    }
    expect(ask(numberOf("openat"), 0, 0, 0, 0o7777)).toBe(verdicts.allow);
    expect(ask(numberOf("openat2"))).toBe(verdicts.missing);
  });

  it("allows users other than root to share directories with a group", () => {
    const audit = auditNumbers[architecture];
    const call = { architecture: audit, number: numberOf("fchmodat"), args: [0, 0, 0o2775] };
    expect(run(architecture, call, false)).toBe(verdicts.allow);
    expect(run(architecture, { ...call, args: [0, 0, 0o4775] }, false)).toBe(verdicts.refuse);
  });

  it("refuses typing into a terminal, however the number is written", () => {
    for (const request of [0x5412, 0x541c]) {
      expect(ask(numberOf("ioctl"), 0, request)).toBe(verdicts.refuse);
      expect(ask(numberOf("ioctl"), 0, request + 2 ** 32)).toBe(verdicts.refuse);
    }
    expect(ask(numberOf("ioctl"), 0, 0x5413)).toBe(verdicts.allow);
  });
});

describe("the filter of system calls", () => {
  it("kills the other numbers that calls have on x64", () => {
    const call = { architecture: auditNumbers.x64, number: 0x40000000 + 272, args: [] };
    expect(run("x64", call)).toBe(verdicts.kill);
  });

  it("is not there for processors that it does not know", () => {
    expect(createSeccompFilter("riscv64", { isForRoot: true })).toBeUndefined();
  });
});

const namespaces = [
  0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000,
];

interface SystemCall {
  readonly architecture: number;
  readonly number: number;
  readonly args: readonly number[];
}

/** Does what the kernel would do with the filter. */
function run(architecture: FilterArchitecture, call: SystemCall, isForRoot = true): number {
  const program = createSeccompFilter(architecture, { isForRoot }) ?? new Uint8Array();
  const code = new DataView(program.buffer);
  const data = new DataView(new ArrayBuffer(64));
  data.setUint32(0, call.number, true);
  data.setUint32(4, call.architecture, true);
  for (const [index, value] of call.args.entries()) {
    data.setBigUint64(16 + index * 8, BigInt(value), true);
  }
  let loaded = 0;
  for (let at = 0; at < program.length; at += 8) {
    const value = code.getUint32(at + 4, true);
    const jump = (isTrue: boolean): void => {
      at += code.getUint8(at + (isTrue ? 2 : 3)) * 8;
    };
    switch (code.getUint16(at, true)) {
      case 0x20:
        loaded = data.getUint32(value, true);
        break;
      case 0x15:
        jump(loaded === value);
        break;
      case 0x35:
        jump(loaded >= value);
        break;
      case 0x45:
        jump((loaded & value) !== 0);
        break;
      case 0x06:
        return value;
      default:
        throw new Error("The kernel would not know this instruction.");
    }
  }
  throw new Error("The kernel would not take this program: it has no end.");
}
