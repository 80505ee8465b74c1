# Read by scripts/try-clone and scripts/try-packages.
# clean_root: a new Debian 12 in a folder of its own, $root, which goes when the script ends; in_root COMMAND... runs
# something there. Needs root, debootstrap, and the mirror that apt uses.
clean_root() {
  mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Codename: bookworm' | head -n 1)
  root=$(mktemp -d)
  chmod 755 "$root" # apt downloads as a user of its own
  trap 'umount "$root/dev/pts" "$root/proc" 2>/dev/null || true; rm -rf --one-file-system "$root" "$root.log"' EXIT
  debootstrap --variant=minbase "$@" bookworm "$root" "$mirror" >"$root.log" || {
    tail "$root.log" >&2
    exit 1
  }
  mount -t proc proc "$root/proc"
  mount -t devpts devpts "$root/dev/pts"
}
in_root() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"; }
