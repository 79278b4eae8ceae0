import type { ProgramSpec, ProgramTable } from '../spec.js';

/** Changes the system, whatever its arguments are. */
const changes = (what: string): ProgramSpec => ({
  isLoose: true,
  operands: ['...value'],
  does: [`sys.admin:${what}`],
});
/** Changes the system, unless one of these words is its command. */
const changesUnless = (what: string, looking: string): ProgramSpec => ({
  isLoose: true,
  commands: { [looking]: { isLoose: true, operands: ['...value'] }, '*': changes(what) },
});
const ipObject = changesUnless('network', 'show|list|ls|lst|sh|s|l|get|g|help|monitor');

/** Programs that operate the machine, its users and its other programs. */
export const adminPrograms: ProgramTable = {
  kill: {
    flags: '-l -L -#',
    values: '-s -n -q --signal --queue',
    isLoose: true,
    operands: ['...code:pid unless -l -L', '...value if -l -L'],
    does: ['proc.signal if none unless -l -L'],
  },
  pkill: {
    isLoose: true,
    values: '-g -G -P -s -t -u -U --signal',
    options: { '-F --pidfile': 'read' },
    operands: ['proc.signal'],
    does: ['proc.signal if none'],
  },
  killall: {
    isLoose: true,
    values: '-s --signal -u --user -o -y',
    operands: ['...proc.signal'],
    does: ['proc.signal if none'],
  },
  killall5: { isLoose: true, does: ['proc.signal'] },
  skill: { isLoose: true, operands: ['...proc.signal'], does: ['proc.signal if none'] },
  xkill: { isLoose: true, does: ['proc.signal'] },
  fuser: {
    isLoose: true,
    flags: '-k --kill -a -i -l -m -M -n -s -u -v -4 -6',
    operands: ['...list'],
    does: ['proc.signal if -k --kill'],
  },
  renice: { isLoose: true, operands: ['...proc.signal'] },
  disown: { isLoose: true },
  systemctl: {
    isLoose: true,
    isInherited: true,
    values:
      '-H -M -n -o -p -P -s -t --property --type --state --lines --output --signal --host --machine --root --kill-whom --job-mode',
    commands: {
      'status|show|cat|list-units|list-unit-files|list-timers|list-sockets|list-jobs|list-dependencies|list-machines|is-active|is-enabled|is-failed|is-system-running|get-default|show-environment|help':
        { isLoose: true, operands: ['...value'] },
      'enable|reenable|link|edit|preset|preset-all|add-wants|add-requires|set-default|mask|unmask|disable|revert':
        {
          isLoose: true,
          operands: ['...value'],
          does: ['sys.admin:services', 'sys.persist:services'],
        },
      '*': changes('services'),
    },
  },
  service: {
    isLoose: true,
    operands: ['...value'],
    does: ['sys.admin:services unless --status-all'],
    flags: '--status-all',
  },
  'rc-service': changes('services'),
  'rc-update': { ...changes('services'), does: ['sys.admin:services', 'sys.persist:services'] },
  'update-rc.d': { like: 'rc-update' },
  chkconfig: { like: 'rc-update' },
  initctl: changes('services'),
  sv: changes('services'),
  supervisorctl: changes('services'),
  pm2: { isLoose: true, does: ['code:js ?', 'sys.persist:services'] },
  launchctl: { ...changes('services'), does: ['sys.admin:services', 'sys.persist:services'] },
  'systemd-run': {
    isLoose: true,
    isPosix: true,
    values:
      '-p -u -M -H -G --unit --property --description --slice --uid --gid --nice --working-directory --on-active --on-boot --on-startup --on-calendar --on-unit-active --timer-property -E --setenv',
    operands: ['command'],
    does: [
      'sys.admin:services',
      'sys.persist:timers if --on-active --on-boot --on-startup --on-calendar --on-unit-active',
      'priv.escalate unless --user',
    ],
    flags: '--user --scope -t -P --pty --pipe -q -r --wait',
  },
  loginctl: changesUnless(
    'sessions',
    'list-sessions|session-status|show-session|list-users|user-status|show-user|list-seats',
  ),
  hostnamectl: changesUnless('hostname', 'status|show|hostname'),
  timedatectl: changesUnless('clock', 'status|show|list-timezones|timesync-status|show-timesync'),
  localectl: changesUnless('locale', 'status|list-locales|list-keymaps'),
  journalctl: {
    isLoose: true,
    values:
      '-u -n -p -t -o -S -U -g -b -c -M --unit --lines --priority --since --until --output --identifier --grep --boot --cursor --user-unit',
    options: { '--file': 'read', '-D --directory --root': 'read/**' },
    operands: ['...value'],
    does: [
      'sys.admin:logs if --vacuum-size --vacuum-time --vacuum-files --rotate --flush --sync --relinquish-var --update-catalog --setup-keys',
    ],
    flags:
      '--vacuum-size? --vacuum-time? --vacuum-files? --rotate --flush --sync --relinquish-var --update-catalog --setup-keys -f -r -k -e -x -a -q --no-pager --list-boots --disk-usage --follow --reverse --dmesg',
  },
  logger: {
    isLoose: true,
    options: { '-f --file': 'read', '-n --server': 'connect', '-u --socket': 'write' },
    operands: ['...value'],
  },
  logrotate: { isLoose: true, operands: ['...load'], does: ['write/** /var/log', 'code:sh ?'] },
  crontab: {
    flags: '-e -i -l -r -s -T -V -n',
    values: '-u -c -x',
    operands: ['read'],
    does: ['sys.persist:cron unless -l -T', 'run editor if -e'],
  },
  at: {
    isLoose: true,
    flags: '-l -c -m -M -v -b',
    values: '-q -t',
    options: { '-f': 'load:sh', '-r -d': 'value' },
    operands: ['...value'],
    does: ['sys.persist:at unless -l -c', 'input:sh unless -l -c -r -d -f'],
  },
  batch: { isLoose: true, does: ['sys.persist:at', 'input:sh'] },
  atq: { isLoose: true },
  atrm: { isLoose: true, operands: ['...value'], does: ['sys.persist:at'] },
  anacron: { isLoose: true, options: { '-t': 'load' }, does: ['code:sh ?'] },
  mount: {
    isLoose: true,
    flags: '-l -V -v -h --show-labels -a -f -n -r -w -B -R -M --bind --rbind --move',
    values: '-t -o -L -U -O --types --options',
    operands: ['code:mounted', '...value'],
    does: ['sys.admin:mounts unless none', 'sys.admin:mounts if -a -B -R -M --bind --rbind --move -L -U'],
  },
  findmnt: { isLoose: true, operands: ['...value'] },
  mountpoint: { isLoose: true, operands: ['exists'] },
  blkid: { isLoose: true, operands: ['...read'] },
  dumpe2fs: { isLoose: true, operands: ['...read'] },
  ...each('mounts', 'umount swapon swapoff losetup fusermount pivot_root quotaon cryptsetup'),
  ...disks(),
  ...each(
    'users',
    'useradd userdel usermod adduser deluser groupadd groupdel groupmod addgroup delgroup passwd chpasswd gpasswd chage chfn chsh vipw vigr newusers pwconv dscl faillock pam_tally2',
  ),
  ...each(
    'firewall',
    'iptables ip6tables iptables-restore ip6tables-restore ufw firewall-cmd ipset ebtables arptables pfctl fail2ban-client',
  ),
  ...each(
    'network',
    'ifup ifdown dhclient dhcpcd wpa_supplicant brctl tc ethtool hostapd openvpn wg wg-quick tailscale nmtui networksetup',
  ),
  ...each('power', 'reboot shutdown halt poweroff init telinit pm-suspend rtcwake kexec'),
  ...each('kernel', 'rmmod depmod dkms kmod'),
  ...each(
    'system',
    'update-alternatives update-grub grub-install apparmor_parser aa-enforce aa-complain aa-disable setenforce setsebool semanage semodule restorecon auditctl debconf-set-selections update-initramfs mkinitcpio dracut efibootmgr defaults nvram scutil csrutil spctl pmset softwareupdate systemsetup tmutil diskutil dpkg-divert dpkg-statoverride update-ca-certificates',
  ),
  insmod: { isLoose: true, operands: ['load', '...value'], does: ['sys.admin:kernel'] },
  modprobe: {
    isLoose: true,
    options: { '-C --config -d --dirname': 'load' },
    operands: ['...value'],
    does: ['sys.admin:kernel', 'code:kernel ?'],
  },
  modinfo: { isLoose: true, operands: ['...value'] },
  sysctl: {
    isLoose: true,
    flags: '-p? -f? --load? -a -A -w -n -q -e -N -r -X --all --write --system --values',
    operands: ['...code:sysctl unless -p -f --load', '...read if -p -f --load'],
    does: ['sys.admin:kernel if -w --write --system -p -f --load'],
  },
  bpftool: changes('kernel'),
  bpftrace: { isLoose: true, options: { '-e': 'code:bpf' }, operands: ['load'], does: ['sys.admin:kernel'] },
  tcpdump: {
    isLoose: true,
    options: { '-w': 'write', '-r -F -V': 'read', '-z': 'run', '-i -c -s -C -G -Z -B -T -y -E': 'value' },
    operands: ['...value'],
    does: ['sys.admin:capture unless -r'],
  },
  tshark: {
    isLoose: true,
    options: { '-w': 'write', '-r': 'read', '-X': 'load:lua', '-i -c -f -Y -T -e -d -o -z -a -b': 'value' },
    operands: ['...value'],
    does: ['sys.admin:capture unless -r'],
  },
  ip: {
    isLoose: true,
    flags:
      '-4 -6 -0 -B -br -brief -c -color -d -details -h -human -iec -j -json -N -o -oneline -p -pretty -r -resolve -s -stats -t -timestamp -V -a -all',
    values: '-f -family -l -loops -n -netns -rc',
    options: { '-b -batch': 'read+opaque:a file of commands says what it does' },
    isDashed: true,
    commands: {
      'addr|address|a|ad|add|link|l|li|lin|route|r|ro|rou|rule|ru|neigh|neighbour|neighbor|n|ne|maddr|mroute|tunnel|tuntap|ntable|token|vrf|macsec|tcp_metrics|nexthop|netconf|addrlabel|xfrm|x|sr|mptcp|maddress':
        ipObject,
      netns: {
        isLoose: true,
        commands: {
          'list|ls|show|identify|pids|monitor': { isLoose: true, operands: ['...value'] },
          exec: {
            isPosix: true,
            operands: ['value', 'command'],
            does: ['priv.escalate', 'sys.admin:network'],
          },
          '*': changes('network'),
        },
      },
      'monitor|help': { isLoose: true },
      '*': changes('network'),
    },
  },
  ifconfig: { isLoose: true, flags: '-a -s -v', operands: ['value', '...sys.admin:network'] },
  route: { isLoose: true, flags: '-n -e -v -ee -F -C', operands: ['...sys.admin:network'] },
  arp: {
    isLoose: true,
    flags: '-a -n -v -e -s -d',
    options: { '-f': 'read' },
    operands: ['...value'],
    does: ['sys.admin:network if -d -s -f'],
  },
  iwconfig: { isLoose: true, operands: ['value', '...sys.admin:network'] },
  iw: { isLoose: true, operands: ['...sys.admin:network'] },
  nmcli: changesUnless('network', 'general|g|monitor'),
  netstat: { isLoose: true },
  ss: {
    isLoose: true,
    flags: '-K --kill',
    options: { '-D --diag': 'write', '-F --filter': 'read' },
    operands: ['...value'],
    does: ['sys.admin:network if -K --kill'],
  },
  rfkill: changesUnless('network', 'list'),
  hciconfig: changes('network'),
  nginx: {
    isLoose: true,
    options: { '-c': 'load', '-g': 'code:nginx', '-p': 'folder', '-s': 'sys.admin:services' },
    does: ['net.listen unless -t -v -V -T -s'],
    flags: '-t -v -V -T',
  },
  apachectl: changes('services'),
  httpd: { isLoose: true, options: { '-f -C -c': 'load' }, does: ['net.listen'] },
  caddy: { isLoose: true, does: ['net.listen'] },
  certbot: {
    isLoose: true,
    options: {
      '--pre-hook --post-hook --deploy-hook --renew-hook --manual-auth-hook --manual-cleanup-hook': 'code:sh',
    },
    does: ['sys.admin:certificates', 'connect:https ?', 'code:sh ?'],
  },
  postfix: changes('services'),
  'redis-server': { isLoose: true, operands: ['load'], does: ['net.listen:6379'] },
  mysqld: { isLoose: true, does: ['net.listen:3306'] },
  postgres: { isLoose: true, does: ['net.listen:5432'] },
  mongod: { isLoose: true, does: ['net.listen:27017'] },
  openvt: { isLoose: true, isPosix: true, operands: ['command'] },
  ambit: { isLoose: true, does: ['sys.guard:ambit'] },
};

function each(what: string, names: string): ProgramTable {
  return Object.fromEntries(names.split(' ').map((name) => [name, changes(what)]));
}

/** Programs that write to whole devices, which may be files too. */
function disks(): ProgramTable {
  const names =
    'mkfs mkfs.ext4 mkfs.ext3 mkfs.ext2 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.ntfs mke2fs mkswap fsck e2fsck resize2fs tune2fs fdisk sfdisk cfdisk parted gdisk sgdisk wipefs blkdiscard hdparm badblocks mdadm pvcreate vgcreate lvcreate lvremove vgremove lvresize debugfs partprobe blockdev zpool zfs btrfs xfs_repair';
  const spec: ProgramSpec = {
    isLoose: true,
    values: '-t -L -c -m -b -N',
    operands: ['...write'],
    does: ['sys.admin:disks'],
  };
  return Object.fromEntries(names.split(' ').map((name) => [name, spec]));
}
