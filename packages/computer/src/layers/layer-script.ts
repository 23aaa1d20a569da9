/**
 * Mounts the overlays of a layer, and then becomes another program, which sees them. It is Perl for the
 * reasons of `ownerMappingScript`, and uses no module, because loading one takes longer than the rest.
 * In its own user and mount namespace it stays the user that it was, so that the program starts without
 * capabilities.
 *
 * Its arguments: the number of a descriptor, and the program to run. On the descriptor it reads words
 * that end in NUL (every user of this machine can read a command line): the processor as Node names it;
 * `contain` or `run`; how many overlays to mount, and for each a descriptor of the directory to read, its
 * path, and the overlay's `upper`, `work` and `merged`; then pairs of a descriptor of the program and the
 * directory in a `merged` that it shall refer to instead.
 *
 * With `contain` the program runs in a PID namespace of its own, and this process waits for it: when this
 * process has ended, so has everything that the program started. SIGTERM ends all of it.
 */
export const layerScript: string = String.raw`
use strict;

my %calls = (
  x64   => { mount => 165, unshare => 272, openat => 257, dup3 => 292, directory => 0600000 },
  arm64 => { mount => 40, unshare => 97, openat => 56, dup3 => 24, directory => 0140000 },
);
my ($here, $pathOnly, $closeOnExec) = (-100, 010000000, 02000000);

sub fail { print STDERR "haft: @_\n"; exit 121 }

my $from = 0 + shift @ARGV;
open my $content, "<&=", $from or fail("the layer is not described: $!");
my @words = do { local $/ = "\0"; map { chomp; $_ } <$content> };
close $content;
my $machine = shift @words;
my $call = $calls{$machine} or fail("processors of the kind $machine are not known");
my $contains = shift(@words) eq "contain";

my ($uid, $gid) = ($<, (split " ", $()[0]);
my $namespaces = 0x10000000 | 0x20000 | ($contains ? 0x20000000 : 0);
syscall($call->{unshare}, $namespaces) == 0 or fail("no user namespace can be made: $!");
put("uid_map", "$uid $uid 1\n");
put("setgroups", "deny");
put("gid_map", "$gid $gid 1\n");
my ($none, $root, $overlay) = ("none\0", "/\0", "overlay\0");
syscall($call->{mount}, $none, $root, 0, 0x4000 | 0x80000, 0) == 0 or fail("mounts stay shared: $!");

for (1 .. shift @words) {
  my ($place, $path, $upper, $work, $merged) = splice @words, 0, 5;
  # Only what is found in this namespace can be mounted, so the path is looked up once more.
  my $lower = find($path);
  identify($lower) eq identify($place) or fail("$path has become a link, or leads through one");
  # The program must not get a descriptor of what lies below its layer.
  passOn($lower, $place, $closeOnExec);
  # Descriptors, because the kernel limits the length of these options, and some characters end them.
  my @options = ("lowerdir=/proc/self/fd/$lower", map { "$_->[0]=/proc/self/fd/" . find($_->[1]) }
    ["upperdir", $upper], ["workdir", $work]);
  my ($at, $options) = ("$merged\0", join(",", @options, "userxattr", "volatile") . "\0");
  syscall($call->{mount}, $overlay, $at, $overlay, 2 | 4, $options) == 0
    or fail("$path can't be mounted as a layer: $!");
}

while (my ($place, $path) = splice @words, 0, 2) {
  my $found = find($path);
  readlink("/proc/self/fd/$found") eq $path or fail("$path has become a link, or leads through one");
  passOn($found, $place, 0);
}

contain() if $contains;
exec { $ARGV[0] } @ARGV or fail("$ARGV[0] can't be run: $!");

# Returns in the process that becomes the program. Its parent is the first process of the namespace: when
# that one ends, the kernel ends all others.
sub contain {
  my $first = fork // fail("no process can be started: $!");
  if ($first) {
    $SIG{TERM} = sub { kill 9, $first };
    # A signal interrupts it.
    1 until waitpid($first, 0) == $first;
    exit($? >> 8 || $? & 127);
  }
  my $proc = "proc\0";
  my $at = "/proc\0";
  syscall($call->{mount}, $proc, $at, $proc, 2 | 4 | 8, 0) == 0 or fail("/proc can't be mounted: $!");
  my $program = fork // fail("no process can be started: $!");
  return if !$program;
  while ((my $ended = wait) > 0) { exit($? >> 8 || $? & 127) if $ended == $program }
}

sub put {
  my ($name, $content) = @_;
  open my $file, ">", "/proc/self/$name" or fail("$name: $!");
  syswrite $file, $content or fail("$name: $!");
}

# A directory, and no link to one.
sub find {
  my $path = "$_[0]\0";
  my $found = syscall($call->{openat}, $here, $path, $pathOnly | $call->{directory} | $closeOnExec, 0);
  fail("$_[0] can't be found: $!") if $found < 0;
  return $found;
}

sub passOn {
  my ($found, $number, $flags) = @_;
  syscall($call->{dup3}, $found, 0 + $number, $flags) >= 0 or fail("a descriptor is taken: $!");
}

sub identify { join ":", (stat "/proc/self/fd/$_[0]")[0, 1] }
`;
