import * as z from 'zod/mini';
import { parseTimeToLive, secondsPerUnit } from '../../../shared/auth/time-to-live.ts';
import { durationText } from '../fields/duration.ts';

const MOST_SECONDS = secondsPerUnit.get('y') ?? NaN;

/** The seconds of a filter by the age of a status; undefined for an invalid text. */
export function statusPeriodSeconds(text: string): number | undefined {
  const seconds = parseTimeToLive(text);
  return seconds !== undefined && seconds <= MOST_SECONDS ? seconds : undefined;
}

/** The filter by the age of a status. The value stays text: the store parses it again. Units are those of other durations. */
export const statusPeriodFilter = () =>
  z.optional(
    durationText(statusPeriodSeconds, { least: '1s', most: '1y' }).check(
      z.meta({ description: 'Only agents with their reported status for at least this time, such as 30m or 1d.' }),
    ),
  );
