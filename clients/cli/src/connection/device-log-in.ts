import { hostname } from 'node:os';
import { InventoryError } from '../../../typescript/src/error.ts';
import { authorizeDevice, logIn } from '../../../typescript/src/generated/operations.ts';
import type { Client } from '../../../typescript/src/operation.ts';
import { isWrongSetting } from '../../../typescript/src/permanent.ts';
import type { Credential } from './config.ts';
import { CommandError } from '../core/exit-codes.ts';
import type { World } from '../core/world.ts';

/** Added to the interval when the server asks for it (RFC 8628, section 3.5). */
const SLOWER_SECONDS = 5;

/** The error code of RFC 8628 in a refusal of a poll; undefined for other errors. */
function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof InventoryError) || error.http !== 400) return undefined;
  return error.details.find(({ field }) => field === 'device_code')?.reason;
}

/** Whether the next poll can succeed: the network or the server failed, or the server is busy. */
const isTransient = (error: unknown) =>
  error instanceof InventoryError &&
  !isWrongSetting(error) &&
  (error.http === 0 || error.http === 429 || error.http >= 500);

/** Polls until a person has answered. @throws CommandError if the person denies, or if the codes expire. */
async function answered(
  client: Client,
  { device_code, interval, expires_in }: { device_code: string; interval: number; expires_in: number },
  { signal, clock }: World,
): Promise<Credential> {
  let seconds = interval;
  const end = clock.elapsed() + expires_in * 1000;
  while (clock.elapsed() < end) {
    await clock.pause(seconds * 1000, signal);
    try {
      const { key, expires_at } = await logIn(client, { method: 'device', device_code }, { signal });
      return { key, expires_at };
    } catch (error) {
      const reason = reasonOf(error);
      if (reason === 'slow_down' || isTransient(error)) seconds += SLOWER_SECONDS;
      else if (reason === 'access_denied' || reason === 'expired_token')
        throw new CommandError(error instanceof Error ? error.message : reason, 'denied');
      else if (reason !== 'authorization_pending') throw error;
    }
  }
  throw new CommandError('Nobody approved this log-in in time.', 'denied');
}

/**
 * Logs in by a code that the person enters in the console, also on another machine. The address and the code are for a
 * person: they are no result of the command.
 */
export async function logInByDevice(client: Client, url: string, world: World): Promise<Credential> {
  const codes = await authorizeDevice(client, { client_name: `inventory on ${hostname()}`.slice(0, 128) });
  const { user_code, verification_uri: page, verification_uri_complete: link, expires_in: seconds } = codes;
  world.err(
    `Open ${url}${page} and enter the code ${user_code}\n` +
      `or open ${url}${link}\n` +
      `Waiting for ${Math.round(seconds / 60)} minutes. Approve only a request that shows this code.\n`,
  );
  return answered(client, codes, world);
}
