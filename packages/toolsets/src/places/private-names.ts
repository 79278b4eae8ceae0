/**
 * Names for this machine or a private network, whatever a resolver says: `x` is `x` only, `.x` everything
 * under it.
 */
const privateNames: ReadonlySet<string> = new Set(
  words(`
    localhost .localhost localhost4 localhost6 .localhost4 .localhost6 .localdomain .localdomain4 .localdomain6
    ip6-localhost ip6-loopback ip6-localnet ip6-mcastprefix ip6-allnodes ip6-allrouters ip6-allhosts broadcasthost
    .local .internal .home.arpa .intranet .private .corp .home .lan .svc .consul
    metadata metadata.goog .metadata.goog metadata.azure.com .metadata.azure.com metadata.tencentyun.com instance-data
    kubernetes kubernetes.default
  `),
);

/** Public names that lead to this machine or, by their prefix, to any address. Only attackers need them. */
const leadingBack: ReadonlySet<string> = new Set(
  words(`
    localtest.me .localtest.me lvh.me .lvh.me vcap.me .vcap.me lacolhost.com .lacolhost.com
    .nip.io .sslip.io .xip.io .rbndr.us .1u.ms
  `),
);

/**
 * Whether a canonical name is private as it is written. That any other name leads to a private address shows
 * when it is resolved.
 */
export function isPrivateName(name: string): boolean {
  return suffixesOf(name).some((suffix) => privateNames.has(suffix) || leadingBack.has(suffix));
}

/** The name itself, and each domain that it lies under, with a dot before it. */
function suffixesOf(name: string): readonly string[] {
  const labels = name.split('.');
  return [name, ...labels.slice(1).map((_, index) => `.${labels.slice(index + 1).join('.')}`)];
}

function words(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
