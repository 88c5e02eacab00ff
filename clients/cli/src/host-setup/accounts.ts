import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { CommandError } from '../core/exit-codes.ts';
import type { Account, MonitoredService } from './exporters.ts';

/** Characters that end a value in one of the files. */
const CONTROL = /[\u0000-\u001f\u007f]/;

/** @throws CommandError if the account cannot be written into the files of the exporters. */
export function checkAccount({ user, password }: Account): void {
  if (password === '') throw new CommandError('The file of --exporter-password-file is empty.');
  if (CONTROL.test(user + password) || /["\\]/.test(password))
    throw new CommandError(
      'The password contains a quotation mark, a backslash or a control character: write the credentials files yourself, from their templates.',
    );
  if (/[:@/"\\]/.test(user))
    throw new CommandError(`--exporter-user has a character that a data source name ends at: ${user}`);
}

/** The addresses of the interfaces of this machine. */
export const ownAddresses = (): ReadonlySet<string> =>
  new Set(Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address)));

/**
 * Whether a database is on this host: it has no address, a loopback address or an address of an interface. Only such a one
 * gets the password: an Editor can change the address of a service.
 */
export function isOnHost({ address = '', socket = '' }: MonitoredService, hostAddresses: ReadonlySet<string>): boolean {
  if (socket !== '' || address === '' || address === 'localhost' || address === '::1') return true;
  return hostAddresses.has(address) || (isIP(address) === 4 && address.startsWith('127.'));
}
