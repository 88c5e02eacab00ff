import { timeText } from '../../../shared/core/seconds.ts';

/** A time (seconds since 1970) as a field in RFC 3339; no field if undefined. */
export function timeOf<Name extends string>(name: Name, seconds: number | undefined): Partial<Record<Name, string>>;
export function timeOf(name: string, seconds: number | undefined): Record<string, string> {
  return seconds === undefined ? {} : { [name]: timeText(seconds) };
}
