/** Date and time of day as fields contain them: `2026-03-02` and `10:30:05`. */
export interface TimeParts {
  date: string;
  clock: string;
}

const two = (number: number) => String(number).padStart(2, '0');

/** The parts of a time, in UTC or in the time zone of the browser. */
export function partsOf(time: Date, isUtc: boolean): TimeParts {
  if (isUtc) return { date: time.toISOString().slice(0, 10), clock: time.toISOString().slice(11, 19) };
  return {
    date: `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`,
    clock: [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':'),
  };
}

/** The time of parts. @returns undefined for an incomplete or impossible date or time of day. */
export function timeOfParts({ date, clock }: TimeParts, isUtc: boolean): Date | undefined {
  const [, hours = '', rest = ''] = /^([01][0-9]|2[0-3])(:[0-5][0-9](?::[0-5][0-9])?)?$/.exec(clock) ?? [];
  if (hours === '' || !/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(date)) return undefined;
  const time = new Date(`${date}T${hours}${rest === '' ? ':00' : rest}${isUtc ? 'Z' : ''}`);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
