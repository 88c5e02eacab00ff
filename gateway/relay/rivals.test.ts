import { CONNECTED_TWICE } from '../../functions/domain/agent/connected-twice.ts';
import { manualClock } from '../../tests/support/manual-clock.ts';
import type { Reporter, ReportPart } from './reporter.ts';
import { RIVAL_GONE_MS, Rivals } from './rivals.ts';

function start() {
  const clock = manualClock();
  const reasons: [id: string, reason: string | undefined][] = [];
  const add = (_: string, { entries = [] }: ReportPart) => {
    // The host itself is connected.
    expect(entries.map(({ status }) => status)).toEqual(['running']);
    reasons.push(...entries.map((entry): [string, string | undefined] => [entry.agent_id, entry.status_reason]));
  };
  const rivals = new Rivals({ add } as unknown as Reporter, clock);
  const tickAfter = async (milliseconds: number) => {
    await clock.pass(milliseconds);
    rivals.tick();
  };
  return { rivals, reasons, tickAfter };
}

test('a host is reported once, however often its rival tries, and no more ten minutes after the last attempt', async () => {
  const { rivals, reasons, tickAfter } = start();
  expect(rivals.refusal('a')).toMatchObject({ message: 'An agent with this id is connected already.' });
  await tickAfter(RIVAL_GONE_MS - 1);
  rivals.refusal('a');
  await tickAfter(RIVAL_GONE_MS - 1);
  expect(reasons).toEqual([['a', CONNECTED_TWICE]]);
  await tickAfter(1);
  await tickAfter(RIVAL_GONE_MS);
  expect(reasons.slice(1)).toEqual([['a', undefined]]);
});

test('a rival after the host has reconnected is reported again', () => {
  const { rivals, reasons } = start();
  rivals.refusal('a');
  rivals.forget('a');
  rivals.refusal('a');
  expect(reasons).toEqual([
    ['a', CONNECTED_TWICE],
    ['a', CONNECTED_TWICE],
  ]);
});
