import { openTable, type Table } from '../../shared/db/table.ts';
import { accepts } from './accepts.ts';
import type { Engine } from './engine-type.ts';
import { StartFailure } from '../process/failure.ts';
import { type ClockSource, monotonicMs, pause } from '../../shared/core/monotonic-clock.ts';

/** The engine may have been started at the same moment, on a busy machine. */
const answerTimeoutMilliseconds = 30_000;
const pollMilliseconds = 50;

/** A table of an engine that checks no credentials. The SDK requires some, and a profile of this host must not be used. */
export const tableAt = (endpoint: string, name: string): Table =>
  openTable(name, {
    AWS_REGION: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  });

/** An external engine: used and left unchanged. */
export async function engineAt(endpoint: string, timed: ClockSource = {}): Promise<Engine> {
  const url = URL.parse(endpoint);
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new StartFailure('DYNAMODB_ENDPOINT must be an http or https URL, for example http://127.0.0.1:8000.');
  }
  const host = url.hostname.replace(/^\[|\]$/g, ''); // IPv6 addresses are in brackets
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const deadline = monotonicMs(timed) + answerTimeoutMilliseconds;
  while (!(await accepts(host, port))) {
    if (monotonicMs(timed) > deadline) {
      throw new StartFailure(
        `Nothing answers at DYNAMODB_ENDPOINT ${url.origin}. Start that engine first, or unset DYNAMODB_ENDPOINT to use the embedded engine.`,
      );
    }
    await pause(timed, pollMilliseconds);
  }
  return { open: (name) => tableAt(endpoint.replace(/\/+$/, ''), name), stop: () => Promise.resolve() };
}
