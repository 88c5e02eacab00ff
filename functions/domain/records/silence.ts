import * as z from 'zod/mini';
import { parseTimeToLive } from '../../../shared/auth/time-to-live.ts';
import { isLegible } from '../../../shared/core/text.ts';
import { MAX_SELECTOR, parseSelector } from '../../../shared/selector/parse-selector.ts';
import { described, maker, time } from '../access/api-key.ts';
import { shortText } from '../fields/common-fields.ts';
import { duration } from '../fields/duration.ts';
import { selectorText } from '../fields/list-query.ts';

/** Each count of the inventory, and each pass over the states, reads all silences: at most 100, of which one has some 3 KB. */
export const MAX_SILENCES = 100;

/** Those that concern the owners of one caller: a team leaves room for others. */
export const MAX_TEAM_SILENCES = 25;

const MAX_SECONDS = 30 * 86_400;

export const silenceTimeRange = { least: '1s', most: '30d' };

/** @returns seconds; undefined for a text that is no duration, or longer than 30 days. */
export function parseSilenceTime(text: string): number | undefined {
  const seconds = parseTimeToLive(text);
  return seconds !== undefined && seconds <= MAX_SECONDS ? seconds : undefined;
}

/** A selector without `=` or `in` matches most of the inventory, also objects that are added later. */
const selector = selectorText.check(
  z.check(({ value, issues }) => {
    if (issues.length > 0 || parseSelector(value).some(({ operator }) => operator === 'in')) return;
    const message = 'Must require the value of a label: name=value, or name in (a,b).';
    issues.push({ code: 'custom', input: value, message, params: { reason: 'required' } });
  }),
  z.meta({
    minLength: 1,
    maxLength: MAX_SELECTOR,
    description:
      'Nodes, services and agents whose labels match, in the syntax of lists: `node_id=...`, `cluster=orders`. At least one ' +
      'requirement must be `=` or `in`. What rests only on silenced objects is silenced with them.',
  }),
);

const reason = shortText.check(isLegible(), z.meta({ description: 'Why, for other people.' }));

export const silenceAddition = z
  .strictObject({
    selector,
    reason,
    time_to_live: duration(parseSilenceTime, silenceTimeRange, 'How long it lasts'),
  })
  .register(z.globalRegistry, { id: 'Add_silence', description: 'A silence to add.' });

export const silenceIdInPath = z
  .string()
  .check(z.minLength(1), z.maxLength(64), z.meta({ description: 'Id of the silence.' }));

export const silenceSchema = z
  .strictObject({
    silence_id: described('Id of the silence. Equal selectors have the same id.'),
    selector: described('The objects that it covers.'),
    reason: described('Why.'),
    until: time('When it ends.'),
    created_at: time('When it was added.'),
    created_by: maker,
  })
  .register(z.globalRegistry, { id: 'Silence', description: 'Objects that cause no attention for some time.' });
