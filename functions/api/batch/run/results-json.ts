import { ApiError } from '../../../../shared/core/errors.ts';
import { jsonBytesInReply, MAX_REPLY_BYTES } from '../../../../shared/core/reply-size.ts';
import type { PreparedJson } from '../../../../shared/http/prepared-json.ts';
import { listJson } from '../../../replies/list-json.ts';
import { shownJson } from '../../../store/entities/shown-json.ts';
import { errorOf } from '../../../bulk/partial-failure.ts';
import type { Success } from '../../../bulk/batch/success.ts';

export type Outcome = Success | ApiError;

/** The results as JSON. Objects were validated when they were written. Those that do not fit into the reply are left out. */
export function resultsJson(
  outcomes: readonly Outcome[],
  requestId: string,
  maxBytes: number = MAX_REPLY_BYTES,
): PreparedJson {
  let left = maxBytes;
  const results = outcomes.map((outcome) => {
    if (outcome instanceof ApiError)
      return JSON.stringify({ status: outcome.httpStatus, error: errorOf(outcome, requestId) });
    const { body, ...rest } = outcome;
    const bare = JSON.stringify(rest);
    if (body === undefined) return bare;
    const whole = `${bare.slice(0, -1)},"body":${shownJson({ ...body })}}`;
    const bytes = jsonBytesInReply(whole);
    if (bytes > left) return bare;
    left -= bytes;
    return whole;
  });
  return listJson('results', results, {});
}
