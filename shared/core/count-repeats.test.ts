import { manualClock } from '../../tests/support/manual-clock.ts';
import { countRepeats } from './count-repeats.ts';
import type { LogEntry } from './log.ts';

function logOf() {
  const entries: LogEntry[] = [];
  const clock = manualClock();
  return { entries, log: countRepeats((entry) => entries.push(entry), clock), wait: clock.advance };
}

const full = { level: 'error', message: 'request', fault: 'disk_full' } as const;

test('a repeated fault is logged as an error once a minute, with the number of others in between', () => {
  const { entries, log, wait } = logOf();
  for (let count = 0; count < 5; count += 1) log({ ...full, request_id: String(count) });
  wait(60_000);
  log(full);
  wait(60_000);
  log(full);
  const errors = entries.filter(({ level }) => level === 'error');
  expect(errors).toEqual([{ ...full, request_id: '0' }, { ...full, repeated: 4 }, full]);
  // With the level `info`, the log contains every entry.
  expect(entries).toHaveLength(7);
});

test('different faults and messages, errors without a fault, and information are logged unchanged', () => {
  const { entries, log } = logOf();
  const all: LogEntry[] = [
    full,
    { ...full, fault: 'disk_error' },
    { ...full, message: 'authorizer failed' },
    { level: 'error', message: 'request' },
    { level: 'error', message: 'request' },
    { level: 'info', message: 'request' },
  ];
  for (const entry of all) log(entry);
  expect(entries).toEqual(all);
});
