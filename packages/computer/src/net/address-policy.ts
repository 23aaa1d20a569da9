import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * Returns whether an address is public: global unicast, and no form that embeds another address.
 * Only plain spellings count; an address with a zone is refused.
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0 || text.includes("%")) return false;
  const address = ipaddr.parse(text);
  if (address instanceof ipaddr.IPv4) return !special4.some((range) => address.match(range));
  return (
    address.match(globalUnicast) &&
    !special6.some((range) => address.match(range)) &&
    !isIsatap(address)
  );
}

// IANA's special-purpose ranges, and ranges that clouds reserve. Refusing by prefix means that a
// range that becomes global later stays refused until it is removed here.
const special4 = [
  "0.0.0.0/8", // this network
  "10.0.0.0/8", // private
  "100.64.0.0/10", // carrier-grade NAT, and metadata of some clouds
  "127.0.0.0/8", // loopback
  "168.63.129.16/32", // Azure's host
  "169.254.0.0/16", // link-local, and metadata of most clouds
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments
  "192.0.2.0/24", // documentation
  "192.31.196.0/24", // AS112
  "192.52.193.0/24", // AMT
  "192.88.99.0/24", // 6to4 relays
  "192.168.0.0/16", // private
  "192.175.48.0/24", // AS112
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, and broadcast
].map((range) => ipaddr.IPv4.parseCIDR(range));

// Everything outside this range is unassigned, local, multicast, or an IPv4 address in another form:
// `::ffff:0:0/96`, `::/96`, `64:ff9b::/96` and `64:ff9b:1::/48`.
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

const special6 = [
  "2001::/23", // protocol assignments: Teredo, ORCHID, benchmarks, AMT and others
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4: an IPv4 address
  "2620:4f:8000::/48", // AS112
  "3ffe::/16", // returned to IANA
  "3fff::/20", // documentation
].map((range) => ipaddr.IPv6.parseCIDR(range));

/** An interface identifier that embeds an IPv4 address (ISATAP), under any prefix. */
function isIsatap(address: ipaddr.IPv6): boolean {
  const [high, low] = [address.parts[4] ?? 0, address.parts[5] ?? 0];
  return (high === 0 || high === 0x0200) && low === 0x5efe;
}
