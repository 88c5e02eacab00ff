import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Whether an address is that of a reverse proxy of the operator. */
export type IsTrustedProxy = (address: string) => boolean;

/** A socket for both families shows addresses of IPv4 in this form. */
const plain = (address: string) => address.replace(/^::ffff:(?=[0-9.]+$)/i, '');

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/**
 * @param text addresses and networks such as `10.0.0.0/8`, separated by commas or spaces.
 * @returns undefined for any other text.
 */
export function parseTrustedProxies(text: string): IsTrustedProxy | undefined {
  const trusted = new BlockList();
  for (const entry of text.split(/[\s,]+/).filter((part) => part !== '')) {
    const [address = '', bits, ...rest] = entry.split('/');
    const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
    const isNetwork = bits !== undefined && /^[0-9]{1,3}$/.test(bits) && Number(bits) <= most;
    if (most < 0 || rest.length > 0 || (bits !== undefined && !isNetwork)) return undefined;
    if (isNetwork) trusted.addSubnet(address, Number(bits), familyOf(address));
    else trusted.addAddress(address, familyOf(address));
  }
  return (address) => trusted.check(plain(address), familyOf(plain(address)));
}

/** The address in an entry of X-Forwarded-For, to which some proxies add a port; undefined for any other text. */
function addressIn(entry: string): string | undefined {
  const [, inBrackets, beforePort] = /^(?:\[([^\]]*)\](?::[0-9]+)?|([0-9.]+):[0-9]+)$/.exec(entry) ?? [];
  const address = plain(inBrackets ?? beforePort ?? entry);
  return isIP(address) === 0 ? undefined : address;
}

/**
 * The address of the client: that of the connection, unless it is of a trusted proxy; then the right-most address of
 * X-Forwarded-For that is not one. A client chooses what is left of it. A proxy that names no address counts as the client.
 */
export function clientAddressOf(
  {
    socket,
    headersDistinct,
  }: Pick<IncomingMessage, 'headersDistinct'> & { socket: { remoteAddress?: string | undefined } },
  isTrusted: IsTrustedProxy,
): string {
  let client = socket.remoteAddress ?? '';
  const forwarded = headersDistinct['x-forwarded-for'] ?? [];
  const entries = forwarded.flatMap((value) => value.split(',')).map((entry) => entry.trim());
  while (isTrusted(client)) {
    const before = addressIn(entries.pop() ?? '');
    if (before === undefined) break;
    client = before;
  }
  return client;
}
