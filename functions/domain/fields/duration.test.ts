import { parseOverlap } from '../../../shared/auth/overlap.ts';
import { parseTimeToLive } from '../../../shared/auth/time-to-live.ts';
import { parseTokenLife, tokenLifeRange } from '../access/enrolment.ts';
import { parseSilenceTime, silenceTimeRange } from '../records/silence.ts';
import { duration, notADuration, timeToLiveRange } from './duration.ts';
import * as z from 'zod/mini';

test.each([
  ['time to live of a key', parseTimeToLive, timeToLiveRange],
  ['time to live of a token', parseTokenLife, tokenLifeRange],
  ['silence', parseSilenceTime, silenceTimeRange],
  ['overlap', parseOverlap, { least: '0', most: '30d' }],
])('%s: a number without a unit is in seconds, as the error and the documents state', (_, parse, range) => {
  expect([parse('30'), parse('30s')]).toEqual([30, 30]);
  const schema = duration(parse, range, 'Of a test');
  const rule = 'a whole number and a unit (s, m, h, d, w, M for 30 days, y for 365 days; none: s)';
  expect(z.safeParse(schema, '30 days').error?.issues).toMatchObject([
    { message: `Must be ${rule}, from ${range.least} to ${range.most}.` },
  ]);
  expect(notADuration(range)).toContain('none: s');
  expect(z.toJSONSchema(schema, { io: 'input' }).description).toBe(
    `Of a test: ${rule}, from ${range.least} to ${range.most}.`,
  );
});
