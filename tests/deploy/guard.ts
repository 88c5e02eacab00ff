import { isIPv4 } from 'node:net';

/** The account of an emulator that was told no other; AWS gives it to nobody. */
export const EMULATED_ACCOUNT = '000000000000';

function isLoopback(endpoint: string): boolean {
  const { protocol, hostname } = URL.parse(endpoint) ?? { protocol: '', hostname: '' };
  // No names: `localhost` is whatever somebody's resolver says.
  return protocol === 'http:' && ((isIPv4(hostname) && hostname.startsWith('127.')) || hostname === '[::1]');
}

/**
 * Stands before everything here that makes, changes or removes something.
 *
 * @throws Error for anything that could be an account of AWS, or a machine other than this one.
 */
export function assertEmulator({ endpoint, account }: { endpoint: string; account: string }): void {
  if (!isLoopback(endpoint))
    throw new Error(`Refused: "${endpoint}" is not http on a loopback address of this machine, such as 127.0.0.1.`);
  if (account !== EMULATED_ACCOUNT)
    throw new Error(`Refused: account "${account}" is not ${EMULATED_ACCOUNT}, that of an emulator.`);
}
