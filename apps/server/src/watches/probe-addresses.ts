import { BlockList, isIPv6 } from 'node:net';
import { type Phrase, phrase } from '@medley/core';

/**
 * Which addresses the server may ask for workflows. `public`: those of the Internet. `private`: also those of private networks. `all`: also this machine itself and
 * what is only reachable from it, as the metadata services of clouds are.
 */
export const probeAddressKinds = ['public', 'private', 'all'] as const;
export type ProbeAddresses = (typeof probeAddressKinds)[number];

// Loopback, link-local, multicast and reserved; in IPv6 also what stands for IPv4 addresses by translation, and the services that clouds tell their machines' secrets by. Source: the IANA registries of special-purpose addresses.
const own = listOf(
  ['0.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '192.0.0.0/24', '224.0.0.0/3', '100.100.100.200/32', '168.63.129.16/32'],
  ['::/96', '64:ff9b::/96', '64:ff9b:1::/48', '2002::/16', 'fe80::/10', 'ff00::/8', 'fd00:ec2::254/128', 'fd20:ce::254/128'],
);
const inner = listOf(['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.168.0.0/16', '198.18.0.0/15'], ['fc00::/7', 'fec0::/10']);

function listOf(ipv4: readonly string[], ipv6: readonly string[]): BlockList {
  const list = new BlockList();
  const add = (range: string, family: 'ipv4' | 'ipv6') => {
    const [network, prefix] = range.split('/') as [string, string];
    list.addSubnet(network, Number(prefix), family);
  };
  for (const range of ipv4) add(range, 'ipv4');
  for (const range of ipv6) add(range, 'ipv6');
  return list;
}

/** Why an address may not be asked, or null. The lists know IPv4 that is written as IPv6. */
export function addressFault(address: string, allowed: ProbeAddresses): Phrase | null {
  if (allowed === 'all') return null;
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  if (own.check(address, family)) return phrase('address-of-server', { address });
  return allowed === 'public' && inner.check(address, family) ? phrase('address-private', { address }) : null;
}
