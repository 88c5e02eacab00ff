import { hash } from 'node:crypto';
import { ApiError } from '../../../shared/core/errors.ts';
import { timeText } from '../../../shared/core/seconds.ts';
import { PRESENT } from '../../../shared/db/conditions.ts';
import { retryOnContention } from '../../../shared/db/contention.ts';
import type { Table } from '../../../shared/db/table.ts';
import { parseSelector } from '../../../shared/selector/parse-selector.ts';
import { printSelector } from '../../../shared/selector/print-selector.ts';
import { MAX_SILENCES } from '../../domain/records/silence.ts';
import { accessStep } from '../audit/access-events.ts';
import { changeCredentials } from '../credentials/change-credentials.ts';
import { checkOwnSelector } from '../entities/owner-limit.ts';
import { readSilences, type Silence } from '../entities/silences.ts';
import type { WriteContext } from '../entities/write-context.ts';
import { silenceKey, TTL_ATTRIBUTE } from '../table/keys.ts';

/** Equal selectors have one silence: a repeated request makes no second one, and another end or reason replaces it. */
const idOfSelector = (selector: string) => hash('sha256', selector).slice(0, 16);

/** The subject in the audit, with the selector as its name. */
const subjectOf = ({ silence_id: id, selector }: Silence) => ({ id, name: selector });

/**
 * Adds a silence, or replaces the one with the same selector.
 *
 * @throws ApiError `permissionDenied` for a selector beyond the owners of the caller; `resourceExhausted` at the limit,
 *   which simultaneous calls may exceed; as `changeCredentials`.
 */
export async function addSilence(
  table: Table,
  { selector: text, reason, expires_at: end }: Pick<Silence, 'selector' | 'reason' | 'expires_at'>,
  cause: WriteContext,
): Promise<Silence> {
  const requirements = parseSelector(text);
  checkOwnSelector(cause.limit, requirements);
  const selector = printSelector(requirements);
  const silence = {
    silence_id: idOfSelector(selector),
    selector,
    reason,
    created_at: cause.now.toISOString(),
    created_by: cause.actor,
    expires_at: end,
  };
  const others = (await readSilences(table, cause.now)).filter(({ silence_id: id }) => id !== silence.silence_id);
  if (others.length >= MAX_SILENCES)
    throw new ApiError('resourceExhausted', `The maximum of ${MAX_SILENCES} silences is reached. Remove one first.`);
  const after = { reason, until: timeText(end) };
  const steps = [
    { put: { ...silence, ...silenceKey(silence.silence_id), [TTL_ATTRIBUTE]: end } },
    accessStep({ event: 'silence.added', subject: subjectOf(silence), after }, cause),
  ];
  await retryOnContention(table, () => changeCredentials(table, steps, cause));
  return silence;
}

/**
 * Ends a silence.
 *
 * @throws ApiError `notFound`, also for one that has ended by itself; `permissionDenied`; as `changeCredentials`.
 */
export async function removeSilence(table: Table, silenceId: string, cause: WriteContext): Promise<void> {
  const notFound = () => new ApiError('notFound', `Silence with ID "${silenceId}" not found.`);
  const silence = (await readSilences(table, cause.now)).find(({ silence_id: id }) => id === silenceId);
  if (silence === undefined) throw notFound();
  checkOwnSelector(cause.limit, parseSelector(silence.selector));
  const steps = [
    { delete: silenceKey(silenceId), condition: PRESENT, onConditionFailed: notFound },
    accessStep({ event: 'silence.removed', subject: subjectOf(silence) }, cause),
  ];
  await retryOnContention(table, () => changeCredentials(table, steps, cause));
}
