import { makePageToken, readPageToken } from '../../../../shared/db/page-token.ts';
import { monotonicMs, pause } from '../../../../shared/core/monotonic-clock.ts';
import { wordsIn } from '../../../domain/fields/list-query.ts';
import { objectKinds } from '../../../domain/fields/object-kind.ts';
import { recordKinds } from '../../../domain/records/change.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { toChangeReply } from '../../../replies/change.ts';
import {
  type FeedPosition,
  positionFromTexts,
  positionToTexts,
  presentPosition,
  readFeed,
} from '../../../store/history/change-feed.ts';
import { pageTokenSecret } from '../../../store/credentials/page-token-secret.ts';
import { endpoint } from './endpoint.ts';

/** Interval between two reads while a client waits for a change. */
const PAUSE_MS = 500;

export const { handler, handlerWith } = createEndpointFunction(endpoint, async ({ query }, { table, clock }) => {
  const secret = await pageTokenSecret(table);
  const cursor = (position: FeedPosition) => makePageToken(positionToTexts(position), endpoint.id, secret);
  const { since, limit: most, wait } = query;
  if (since === 'now')
    return { body: { changes: [], next: cursor(await presentPosition(table, clock())), more: false } };
  const kinds = wordsIn(recordKinds, query.kinds) ?? new Set(objectKinds);
  const contents = { objects: objectKinds.some((kind) => kinds.has(kind)), states: kinds.has('state') };
  let position =
    since === undefined ? undefined : positionFromTexts(readPageToken(since, endpoint.id, secret, 'since'));
  const end = monotonicMs(table) + wait * 1000;
  for (;;) {
    const { changes: readChanges, next, more } = await readFeed(table, position, { most, now: clock(), contents });
    const changes = readChanges.filter(({ kind }) => kinds.has(kind));
    if (changes.length > 0 || more || monotonicMs(table) + PAUSE_MS > end)
      return { body: { changes: changes.map(toChangeReply), next: cursor(next), more } };
    // Past the changes of other kinds, so that they are not read again.
    if (readChanges.length > 0) position = next;
    await pause(table, PAUSE_MS);
  }
});
