/**
 * Starts the broker for root. It is Perl, which every Debian has: no other program can do this, and
 * Node can't make system calls. In its own mount namespace it mounts each directory that sandboxes
 * need onto its own path once more, so that its owner on disk appears as an unprivileged user, and
 * then becomes that user for good. Directories that other users can't pass through are covered with
 * empty ones that lead only to what is needed.
 *
 * Its arguments: the user ID; how many directories to cover, and which; how many to show, and for each
 * the mode (`write`, `read`, or `as-is` to keep the owner), its owner, its group, its path; then the
 * program to run.
 */
export const ownerMappingScript: string = String.raw`
use strict;
use warnings;
use POSIX ();

my %calls = (
  x86_64  => { mount => 165, prctl => 157, umount => 166, unshare => 272 },
  aarch64 => { mount => 40,  prctl => 167, umount => 39, unshare => 97 },
);
my ($openTree, $moveMount, $setAttributes) = (428, 429, 442);
my ($here, $empty) = (-100, "\0");
my ($emptyPath, $recursive, $noFollow, $closeOnExec) = (0x1000, 0x8000, 0x100, 02000000);
my ($readOnly, $noSetuid, $noDevices, $mapped) = (1, 2, 4, 0x100000);

sub fail { print STDERR "haft: @_\n"; exit 121 }

my $machine = (POSIX::uname())[4];
my $call = $calls{$machine} or fail("processors of the kind $machine are not known");

my $id = 0 + shift @ARGV;
my @covered = splice @ARGV, 0, shift @ARGV;
my @shown;
for (1 .. shift @ARGV) {
  my ($how, $uid, $gid, $path) = splice @ARGV, 0, 4;
  push @shown, { how => $how, uid => 0 + $uid, gid => 0 + $gid, path => $path };
}

my ($none, $root, $tmpfs) = ("none\0", "/\0", "tmpfs\0");
syscall($call->{unshare}, 0x20000) == 0 or fail("no mount namespace can be made: $!");
syscall($call->{mount}, $none, $root, 0, 0x4000 | 0x40000, 0) == 0 or fail("mounts stay shared: $!");

# It is not needed, and each mount of a sandbox goes through all existing ones.
my $sys = "/sys\0";
syscall($call->{umount}, $sys, 2);

my %owners;
for my $shown (@shown) {
  my $path = "$shown->{path}\0";
  $shown->{tree} = syscall($openTree, $here, $path, 1 | $recursive | $noFollow | $closeOnExec);
  fail("$shown->{path} can't be shown: $!") if $shown->{tree} < 0;
  my $flags = $noSetuid | $noDevices;
  $flags |= $readOnly if $shown->{how} ne "write";
  my $owner;
  if ($shown->{how} ne "as-is") {
    $owner = $owners{"$shown->{uid} $shown->{gid}"} ||= mapOwner($shown->{uid}, $shown->{gid});
    $flags |= $mapped;
  }
  my $attributes = pack "QQQQ", $flags, 0, 0, $owner ? fileno $owner : 0;
  my $set = sub {
    syscall($setAttributes, $shown->{tree}, $empty, $emptyPath | $_[0], $attributes, 32) == 0;
  };
  next if $set->($recursive);
  my $reason = "$!";
  # Something else that is mounted in there may be what can't be mapped.
  $shown->{tree} = syscall($openTree, $here, $path, 1 | $noFollow | $closeOnExec);
  next if $shown->{tree} >= 0 && $set->(0);
  fail("$shown->{path} can't be mapped to another owner: $reason");
}

for my $path (@covered) {
  my ($at, $options) = ("$path\0", "mode=755,size=1m\0");
  syscall($call->{mount}, $tmpfs, $at, $tmpfs, 2 | 4, $options) == 0
    or fail("$path can't be covered: $!");
}

for my $shown (@shown) {
  my $path = "$shown->{path}\0";
  make($shown->{path}, -d "/proc/self/fd/$shown->{tree}");
  syscall($moveMount, $shown->{tree}, $empty, $here, $path, 4) == 0
    or fail("$shown->{path} can't be mounted: $!");
}

chdir "/" or fail("/: $!");
$) = "$id $id";
POSIX::setgid($id);
POSIX::setuid($id);
fail("root can't be left: $!") if $< != $id || $> != $id || (split " ", $()[0] != $id;
fail("root could be had back") if POSIX::setuid(0);
syscall($call->{prctl}, 38, 1, 0, 0, 0) == 0 or fail("new rights can't be ruled out: $!");
exec { $ARGV[0] } @ARGV or fail("$ARGV[0] can't be run: $!");

# A user namespace in which one owner is our user and all others are themselves.
sub mapOwner {
  my ($uid, $gid) = @_;
  pipe my $ready, my $isReady or fail("no pipe: $!");
  pipe my $done, my $isDone or fail("no pipe: $!");
  my $child = fork;
  fail("no process: $!") unless defined $child;
  if (!$child) {
    close $isDone;
    syscall($call->{unshare}, 0x10000000) == 0 or fail("no user namespace can be made: $!");
    syswrite $isReady, "x";
    sysread $done, my $byte, 1;
    POSIX::_exit(0);
  }
  close $isReady;
  sysread($ready, my $byte, 1) or exit 121;
  my %ids = (uid_map => $uid, gid_map => $gid);
  for my $map (sort keys %ids) {
    my $from = $ids{$map};
    my @ranges = ([0, 0, $from], [$from, $id, 1], [$from + 1, $from + 1, $id - $from - 1],
      [$id + 1, $id + 1, 4294967294 - $id]);
    my $all = join "", map { $_->[2] > 0 ? "@$_\n" : "" } @ranges;
    open my $file, ">", "/proc/$child/$map" or fail("$map: $!");
    # In a container not all of them exist.
    syswrite($file, $all) or syswrite($file, "$from $id 1\n") or fail("$map: $!");
  }
  open my $namespace, "<", "/proc/$child/ns/user" or fail("the user namespace is gone: $!");
  close $isDone;
  waitpid $child, 0;
  return $namespace;
}

sub make {
  my ($path, $isDirectory) = @_;
  return if -e $path;
  make($1, 1) if $path =~ m{^(.+)/[^/]*$}s;
  if ($isDirectory) { mkdir $path, 0755 or fail("$path: $!") }
  else { open my $file, ">", $path or fail("$path: $!") }
}
`;
