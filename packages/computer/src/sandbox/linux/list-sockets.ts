import { execFile } from "node:child_process";

/** The file that a Unix socket is bound to, as reported by `lstat`. */
export interface SocketFile {
  readonly dev: number;
  /** The lower 32 bits of its inode number. */
  readonly ino: number;
}

/**
 * Asks the kernel which files the sockets of a network are bound to. Only a program in that network
 * can ask, hence `enter`. Paths would not do: files can be moved after they were bound.
 */
export function listSockets(
  perl: string,
  enter: (argv: readonly [string, ...string[]]) => readonly [string, ...string[]],
): Promise<readonly SocketFile[]> {
  const [program, ...args] = enter([perl, "-e", script]);
  return new Promise((resolve) => {
    execFile(program, args, { env: {}, timeout: timeoutMs, maxBuffer }, (error, output) => {
      // Without an answer no socket counts as the network's own.
      resolve(error === null ? output.split("\n").flatMap(parseLine) : []);
    });
  });
}

const timeoutMs = 5_000;
const maxBuffer = 4 * 1024 * 1024;

function parseLine(line: string): readonly SocketFile[] {
  const [device, ino] = line.split(" ").map(Number);
  if (device === undefined || ino === undefined) return [];
  // The kernel's own form of a device number, and that of `lstat`.
  const major = device >>> 20;
  const minor = device & 0xfffff;
  return [{ dev: (minor & 0xff) + major * 256 + (minor >>> 8) * 2 ** 20, ino }];
}

// A dump of sock_diag for Unix sockets, with the file of each.
const script = String.raw`
use strict;
socket(my $kernel, 16, 3, 4) or exit 1;
my $request = pack "LSSLL CCSLLLLL", 40, 20, 0x301, 1, 0, 1, 0, 0, 0xffffffff, 0, 2, 0, 0;
defined send($kernel, $request, 0, pack "SSLL", 16, 0, 0, 0) or exit 1;
while (sysread $kernel, my $answer, 1 << 20) {
  while (length $answer >= 16) {
    my ($length, $type) = unpack "LS", $answer;
    exit($type == 3 ? 0 : 1) if $type != 20 || $length < 32;
    my $attributes = substr $answer, 32, $length - 32;
    while (length $attributes >= 4) {
      my ($size, $kind) = unpack "SS", $attributes;
      last if $size < 4;
      if ($kind == 1) { my ($ino, $device) = unpack "LL", substr $attributes, 4, 8; print "$device $ino\n" }
      substr($attributes, 0, ($size + 3) & ~3) = "";
    }
    substr($answer, 0, ($length + 3) & ~3) = "";
  }
}
exit 1;
`;
