import { addService } from '../../../../tests/support/add.ts';
import { addLimitedKey } from '../../../../tests/support/teams.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();
beforeAll(async () => {
  await addService(inventory, { cluster: 'orders' });
  await addService(inventory, { cluster: 'web', custom_labels: { env: 'a' } });
  for (const team of ['a', 'b']) await addService(inventory, { cluster: 'c', custom_labels: { team } });
});

const silence = { selector: 'cluster=orders', reason: 'Upgrade', time_to_live: '8h' };
const add = (more: object = {}) => inventory.request('POST', '/v1/silences', { body: { ...silence, ...more } });
const list = async () => (await inventory.request('GET', '/v1/silences')).body.silences;

test('a silence has an end, a reason and a maker, also in the audit', async () => {
  inventory.clock.now = new Date('2026-05-01T10:00:00Z');
  const { status, body } = await inventory.request('POST', '/v1/silences', { body: silence, as: 'Editor' });
  expect(await list()).toEqual([body]);
  const audit = await inventory.request('GET', '/v1/audit?event=silence.added');
  inventory.clock.now = undefined;
  const until = '2026-05-01T18:00:00.000Z';
  const { selector, reason } = silence;
  expect(status).toBe(201);
  expect(body).toMatchObject({ selector, reason, until, created_by: { name: 'test Editor' } });
  expect(audit.body.entries).toMatchObject([
    {
      actor: { name: 'test Editor' },
      subject: { kind: 'silence', id: body.silence_id, name: selector },
      after: { reason, until },
    },
  ]);
});

test('an equal selector, however written, replaces the silence', async () => {
  const first = await add({ selector: 'cluster = web , env in ( a )' });
  const second = await add({ selector: 'cluster=web,env=a', reason: 'Longer', time_to_live: '1d' });
  expect(second.body.silence_id).toBe(first.body.silence_id);
  const listed = (await list()).filter((listed: any) => listed.selector === 'cluster=web,env=a');
  expect(listed).toMatchObject([{ reason: 'Longer', until: second.body.until }]);
});

test.each([
  ['a selector that requires no value', { selector: 'env!=prod,!legacy' }, 'selector', 'required'],
  ['a text that is no selector', { selector: 'env=' }, 'selector', 'invalid_selector'],
  ['a selector that matches no object', { selector: 'cluster=orders,env=prod' }, 'selector', 'no_match'],
  ['no reason', { reason: '' }, 'reason', expect.any(String)],
  ['a long reason', { reason: 'x'.repeat(257) }, 'reason', expect.any(String)],
  ['more than 30 days', { time_to_live: '31d' }, 'time_to_live', 'invalid_format'],
  ['no end', { time_to_live: undefined }, 'time_to_live', 'required'],
])('%s is a 400', async (_, more, field, reason) => {
  expect(await add(more)).toMatchObject({ status: 400, body: { details: [{ field, reason }] } });
});

test('a caller with owners silences only selectors that require one of them', async () => {
  const team = await addLimitedKey(inventory, ['a', 'b']);
  const statusOf = async (selector: string) =>
    (await team.request('POST', '/v1/silences', { ...silence, selector })).status;
  expect(await statusOf('cluster=c,team=a')).toBe(201);
  expect(await statusOf('team in (a,b)')).toBe(201);
  for (const selector of ['cluster=c', 'cluster=c,team!=x', 'team in (a,x)', 'cluster=c,team'])
    expect([selector, await statusOf(selector)]).toEqual([selector, 403]);
});

test('an inventory has at most 100 silences', async () => {
  const there: number = (await list()).length;
  for (let count = there; count < 100; count += 1)
    expect((await add({ selector: `cluster=c,note!=${count}` })).status).toBe(201);
  expect(await add({ selector: 'cluster=c,note!=100' })).toMatchObject({ status: 429 });
  expect((await add({ selector: 'cluster=c,note!=99', reason: 'Replaced' })).status).toBe(201);
});
