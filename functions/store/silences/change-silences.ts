import { hash } from 'node:crypto';
import { ApiError } from '../../../shared/core/errors.ts';
import { timeText } from '../../../shared/core/seconds.ts';
import { PRESENT } from '../../../shared/db/conditions.ts';
import { retryOnContention } from '../../../shared/db/contention.ts';
import type { Table } from '../../../shared/db/table.ts';
import { parseSelector } from '../../../shared/selector/parse-selector.ts';
import { printSelector } from '../../../shared/selector/print-selector.ts';
import { MAX_SILENCES, MAX_TEAM_SILENCES } from '../../domain/records/silence.ts';
import { accessStep } from '../audit/access-events.ts';
import { changeCredentials, NO_CREDENTIAL } from '../credentials/change-credentials.ts';
import { isOwnSelector } from '../../domain/access/owned-objects.ts';
import { checkOwnSelector } from '../entities/owner-limit.ts';
import { readSilences, type Silence } from '../entities/silences.ts';
import type { WriteContext } from '../entities/write-context.ts';
import { additionStep } from '../table/additions.ts';
import { silenceKey, SILENCES_PARTITION, TTL_ATTRIBUTE } from '../table/keys.ts';

/** Equal selectors have one silence: a repeated request makes no second one, and another end or reason replaces it. */
const idOfSelector = (selector: string) => hash('sha256', selector).slice(0, 16);

/** The subject in the audit, with the selector as its name. */
const subjectOf = ({ silence_id: id, selector }: Silence) => ({ id, name: selector });

const isOwn = ({ selector }: Silence, limit: WriteContext['limit']) => isOwnSelector(limit, parseSelector(selector));

/** @throws ApiError `resourceExhausted` at the limit, and for a caller with owners at the share of its team. */
function checkNumber(present: readonly Silence[], { silence_id: id }: Silence, { limit }: WriteContext): void {
  if (present.some(({ silence_id: silenceId }) => silenceId === id)) return;
  const exhausted = (most: number, of: string) =>
    new ApiError('resourceExhausted', `The maximum of ${most} silences${of} is reached. Remove one first.`);
  if (present.length >= MAX_SILENCES) throw exhausted(MAX_SILENCES, '');
  if (limit !== undefined && present.filter((silence) => isOwn(silence, limit)).length >= MAX_TEAM_SILENCES)
    throw exhausted(MAX_TEAM_SILENCES, ` of ${limit.label} ${limit.owners.join(', ')}`);
}

/**
 * Adds a silence, or replaces the one with the same selector.
 *
 * @throws ApiError `permissionDenied` for a selector beyond the owners of the caller; `resourceExhausted` at the limit;
 *   as `changeCredentials`.
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
  const after = { reason, until: timeText(end) };
  await retryOnContention(table, async () => {
    const addition = await additionStep(table, SILENCES_PARTITION, cause.now);
    checkNumber(await readSilences(table, cause.now), silence, cause);
    const steps = [
      addition,
      { put: { ...silence, ...silenceKey(silence.silence_id), [TTL_ATTRIBUTE]: end } },
      accessStep({ event: 'silence.added', subject: subjectOf(silence), after }, cause),
    ];
    await changeCredentials(table, steps, cause, NO_CREDENTIAL);
  });
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
  await retryOnContention(table, () => changeCredentials(table, steps, cause, NO_CREDENTIAL));
}
