import {
  answer,
  assembleFilter,
  type FilterLine,
  ifAnyBit,
  ifAtLeast,
  ifEqual,
  load,
  unlessEqual,
} from "./filter-program.ts";
import {
  auditNumbers,
  type CallNumbers,
  type FilterArchitecture,
  judgedCalls,
  refusedCalls,
} from "./system-calls.ts";

/** What the kernel does with a call. */
export const verdicts = {
  allow: 0x7fff0000,
  kill: 0x80000000,
  /** "Operation not permitted". */
  refuse: 0x00050001,
  /** "Function not implemented": C libraries then fall back to the older call, which is checked. */
  missing: 0x00050026,
} as const;

/**
 * Creates a system call filter for a sandbox, or returns `undefined` if none is known for this
 * processor. Files that are created there and belong to root outside must not run as root's group either.
 */
export function createSeccompFilter(
  architecture: string,
  { isForRoot }: { readonly isForRoot: boolean },
): Uint8Array | undefined {
  if (!isKnown(architecture)) return undefined;
  return assembleFilter(writeFilter(architecture, isForRoot ? 0o6000 : 0o4000));
}

function writeFilter(
  architecture: FilterArchitecture,
  forbiddenModes: number,
): readonly FilterLine[] {
  const when = (numbers: CallNumbers, label: string): FilterLine[] => {
    const number = numbers[architecture];
    return number === undefined ? [] : [ifEqual(number, label)];
  };
  return [
    load(fields.architecture),
    unlessEqual(auditNumbers[architecture], "kill"),
    load(fields.number),
    // The x32 ABI: the same calls under other numbers, which the rest would not recognize.
    ...(architecture === "x64" ? [ifAtLeast(x32Numbers, "kill")] : []),
    ...when(judgedCalls.clone, "clone"),
    ...when(judgedCalls.clone3, "missing"),
    ...when(judgedCalls.unshare, "unshare"),
    ...when(judgedCalls.socket, "socket"),
    ...when(judgedCalls.socketpair, "socket"),
    ...when(judgedCalls.ioctl, "ioctl"),
    ...[judgedCalls.chmod, judgedCalls.fchmod, judgedCalls.creat, judgedCalls.mknod].flatMap(
      (numbers) => when(numbers, "second is a mode"),
    ),
    ...[judgedCalls.fchmodat, judgedCalls.fchmodat2, judgedCalls.mknodat].flatMap((numbers) =>
      when(numbers, "third is a mode"),
    ),
    ...when(judgedCalls.open, "open"),
    ...when(judgedCalls.openat, "openat"),
    // Its arguments are in memory, where no filter can see them.
    ...when(judgedCalls.openat2, "missing"),
    ...Object.values(refusedCalls).flatMap((numbers) => when(numbers, "refuse")),
    answer(verdicts.allow),

    { label: "clone" },
    load(fields.first),
    ifAnyBit(namespaceFlags, "refuse"),
    answer(verdicts.allow),

    { label: "unshare" },
    load(fields.first),
    ifAnyBit(namespaceFlags | timeNamespaceFlag, "refuse"),
    answer(verdicts.allow),

    { label: "socket" },
    load(fields.first),
    ...socketFamilies.map((family) => ifEqual(family, "allow")),
    unlessEqual(netlinkFamily, "refuse"),
    // Some programs list network addresses.
    load(fields.third),
    unlessEqual(routeProtocol, "refuse"),
    answer(verdicts.allow),

    // A set-user-id file would let a program leave the sandbox.
    { label: "open" },
    load(fields.second),
    ifAnyBit(makingFlags, "third is a mode"),
    answer(verdicts.allow),

    { label: "openat" },
    load(fields.third),
    ifAnyBit(makingFlags, "fourth is a mode"),
    answer(verdicts.allow),

    { label: "second is a mode" },
    load(fields.second),
    ifAnyBit(forbiddenModes, "refuse"),
    answer(verdicts.allow),

    { label: "third is a mode" },
    load(fields.third),
    ifAnyBit(forbiddenModes, "refuse"),
    answer(verdicts.allow),

    { label: "fourth is a mode" },
    load(fields.fourth),
    ifAnyBit(forbiddenModes, "refuse"),
    answer(verdicts.allow),

    { label: "ioctl" },
    load(fields.second),
    // Both insert characters into a terminal's input as if typed.
    ifEqual(0x5412, "refuse"),
    ifEqual(0x541c, "refuse"),

    { label: "allow" },
    answer(verdicts.allow),
    { label: "refuse" },
    answer(verdicts.refuse),
    { label: "missing" },
    answer(verdicts.missing),
    { label: "kill" },
    answer(verdicts.kill),
  ];
}

// Offsets in `seccomp_data`. Of the arguments the lower half: none of those checked has more than
// 32 bits, and the kernel itself looks no further.
const fields = {
  number: 0,
  architecture: 4,
  first: 16,
  second: 24,
  third: 32,
  fourth: 40,
} as const;

const x32Numbers = 0x40000000;

// Mounts, control groups, host names, message queues, users, processes, networks.
const namespaceFlags = 0x7e020000;
// In `clone` these bits are the exit signal.
const timeNamespaceFlag = 0x80;

// Local sockets and both versions of IP.
const socketFamilies = [1, 2, 10] as const;
// O_TMPFILE or a created name: with other flags the mode is ignored and can be anything.
const makingFlags = 0o20000100;
const netlinkFamily = 16;
const routeProtocol = 0;

function isKnown(architecture: string): architecture is FilterArchitecture {
  return Object.hasOwn(auditNumbers, architecture);
}
