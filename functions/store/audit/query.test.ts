import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { transact } from '../../../shared/db/transact.ts';
import { contextOf, node } from '../../../tests/support/store.ts';
import { putItem, withSend } from '../../../tests/support/table.ts';
import { changeStep } from '../history/change-record.ts';
import { changeIdOf, refusalKey } from '../table/keys.ts';
import { accessStep } from './access-events.ts';
import { type AuditQuestion, type AuditRecord, readAudit } from './query.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();

const MINUTE = 60_000;
const MONTH = 30 * 86_400_000;
const START = Date.parse('2026-05-01T10:00:00Z');

const byActor = (id: string, time: number) =>
  contextOf({ actor: { kind: 'api_key', id, name: id }, clock: () => new Date(START + time) });

/** A change of the node `name`. */
const change = (name: string, time: number, more: { shard?: number; actor?: string; previous?: string } = {}) => {
  const after = node({
    node_id: name,
    node_name: name,
    ...(more.previous === undefined ? {} : { last_change: more.previous }),
  });
  const id = changeIdOf(more.shard ?? 0, START + time, 'aaaaaa', 0);
  return transact(table, [changeStep(id, { after }, byActor(more.actor ?? 'editor', time))]);
};
const access = (id: string, time: number) =>
  transact(table, [accessStep({ event: 'api_key.added', subject: { id, name: id } }, byActor('admin', time))]);
const refusals = (id: string, first: number, last: number) =>
  putItem(table, {
    ...refusalKey(START + Math.floor(first / MINUTE) * MINUTE, id),
    ...{ event: 'call.refused', reason: 'role', request_id: 'r', count: 2, actor_kind: 'api_key', actor_id: 'viewer' },
    ...{ actor_name: 'viewer', subject_kind: 'endpoint', subject_id: id, subject_name: id },
    ...{ first_at: START + first, last_at: START + last },
  });

beforeAll(async () => {
  await change('one', 10 * MINUTE);
  await change('two', 11 * MINUTE, { shard: 3, actor: 'other' });
  await access('key', 12 * MINUTE);
  await refusals('addNode', 13 * MINUTE + 10_000, 13 * MINUTE + 20_000);
  await change('three', 14 * MINUTE, { shard: 2, previous: 'its removal' });
});

function subjectOf(auditRecord: AuditRecord): string {
  if (auditRecord.source === 'change') return auditRecord.record.id;
  return auditRecord.record.subject_id ?? '';
}

async function ask(question: AuditQuestion = {}, size = 100, now = new Date(START + 20 * MINUTE)) {
  const subjects: string[] = [];
  let after: [string, string] | undefined;
  let pages = 0;
  do {
    const page = await readAudit(table, question, { size, after, now });
    expect(page.objects.length).toBeLessThanOrEqual(size);
    subjects.push(...page.objects.map(subjectOf));
    after = page.next;
    pages += 1;
  } while (after !== undefined);
  return { subjects, pages };
}
const answer = async (question: AuditQuestion) => (await ask(question)).subjects;

test('lists the entries of all partitions, newest first, in pages of any size', async () => {
  const all = ['three', 'addNode', 'key', 'two', 'one'];
  expect(await ask()).toEqual({ subjects: all, pages: 1 });
  expect(await ask({}, 5)).toEqual({ subjects: all, pages: 1 });
  for (const size of [1, 2, 3, 4]) expect((await ask({}, size)).subjects).toEqual(all);
  expect((await ask({}, 4)).pages).toBe(2);
});

test('a time range selects entries', async () => {
  const at = (minutes: number, milliseconds = 0) => START + minutes * MINUTE + milliseconds;
  expect(await answer({ since: at(11) })).toEqual(['three', 'addNode', 'key', 'two']);
  expect(await answer({ since: at(11, 1) })).toEqual(['three', 'addNode', 'key']);
  expect(await answer({ until: at(11, 1) })).toEqual(['two', 'one']);
  expect(await answer({ until: at(11) })).toEqual(['one']);
  expect(await answer({ since: at(12), until: at(11) })).toEqual([]);
});

test('refusals belong to a range by their first and last time, not by their minute', async () => {
  const at = (seconds: number) => START + 13 * MINUTE + seconds * 1000;
  expect(await answer({ since: at(20), until: at(60) })).toEqual(['addNode']);
  expect(await answer({ since: at(20.001), until: at(60) })).toEqual([]);
  expect(await answer({ since: at(0), until: at(10) })).toEqual([]);
  expect(await answer({ since: at(0), until: at(10.001) })).toEqual(['addNode']);
});

test('actor, object and event select entries', async () => {
  expect(await answer({ actorId: 'other' })).toEqual(['two']);
  expect(await answer({ actorId: 'admin' })).toEqual(['key']);
  expect(await answer({ objectId: 'one' })).toEqual(['one']);
  expect(await answer({ objectId: 'addNode' })).toEqual(['addNode']);
  expect(await answer({ event: 'api_key.added' })).toEqual(['key']);
  expect(await answer({ event: 'call.refused' })).toEqual(['addNode']);
  expect(await answer({ event: 'node.removed' })).toEqual([]);
  expect(await answer({ event: 'node.added', actorId: 'other' })).toEqual(['two']);
});

test('adding an object that was removed before is a restoration', async () => {
  expect(await answer({ event: 'node.restored' })).toEqual(['three']);
  expect(await answer({ event: 'node.added' })).toEqual(['two', 'one']);
});

test('entries are shown for 30 days, to the millisecond', async () => {
  const at = async (milliseconds: number) =>
    (await ask({}, 100, new Date(START + 11 * MINUTE + milliseconds))).subjects;
  expect(await at(MONTH)).toEqual(['three', 'addNode', 'key', 'two']);
  expect(await at(MONTH + 1)).toEqual(['three', 'addNode', 'key']);
});

test('a filtered page may be short without being the last one', async () => {
  const reads: any[] = [];
  const send = (command: any) => {
    if (command instanceof QueryCommand) reads.push(command.input);
    return table.client.send(command);
  };
  const now = new Date(START + 20 * MINUTE);
  await readAudit(withSend(table, send), { actorId: 'other' }, { size: 1, after: undefined, now });
  expect(reads.map(({ Limit }) => Limit)).toEqual(Array(7).fill(1000));
  // One read of a partition ended before its end: what is below it is unknown.
  const page = { Items: [], LastEvaluatedKey: { sk: reads[0].ExpressionAttributeValues[':sk'] } };
  let first = true;
  const early = (command: any) => {
    if (!first || !(command instanceof QueryCommand)) return table.client.send(command);
    first = false;
    return Promise.resolve(page);
  };
  const short = await readAudit(withSend(table, early), {}, { size: 9, after: undefined, now });
  expect(short.next).toEqual([page.LastEvaluatedKey.sk, 'CHANGE#0']);
});

test('the last entry that a read of a partition evaluated belongs to the page', async () => {
  const now = new Date(START + 20 * MINUTE);
  const send = async (command: any) => {
    const reply: any = await table.client.send(command);
    const isCut = command instanceof QueryCommand && command.input.ExpressionAttributeValues?.[':pk'] === 'CHANGE#0';
    return isCut && reply.Items.length > 0 ? { ...reply, LastEvaluatedKey: { sk: reply.Items.at(-1).sk } } : reply;
  };
  const page = await readAudit(withSend(table, send), {}, { size: 9, after: undefined, now });
  expect(page.objects.map(subjectOf)).toEqual(['three', 'addNode', 'key', 'two', 'one']);
  expect(page.next?.[1]).toBe('CHANGE#0');
});
