import { testTime } from '../../../../tests/support/test-time.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

const add = async (body: object) => (await inventory.request('POST', '/v1/enrolment-tokens', { body })).body;
const list = async (query = '') => (await inventory.request('GET', `/v1/enrolment-tokens${query}`)).body;

test('lists each usable token once across pages', async () => {
  const added = await Promise.all(
    [1, 2, 3, 4, 5].map((number) => add({ name: `t${number}`, node_name: `n${number}` })),
  );
  const brief = await add({ name: 'brief', time_to_live: '1m' });
  inventory.clock.now = testTime(61_000);
  const tokens: { token_id: string; node_name: string }[] = [];
  let token = '';
  do {
    const page = await list(`?page_size=2${token}`);
    tokens.push(...page.enrolment_tokens);
    token = page.next_page_token === undefined ? '' : `&page_token=${page.next_page_token}`;
  } while (token !== '');
  inventory.clock.now = undefined;
  expect(tokens.map(({ token_id: id }) => id)).toEqual(added.map(({ token_id: id }) => id).sort());
  expect(tokens.map(({ node_name: name }) => name).sort()).toEqual(['n1', 'n2', 'n3', 'n4', 'n5']);
  expect(JSON.stringify(tokens)).not.toContain(brief.token_id);
});

test('shows the time to live of the key, none for a permanent key', async () => {
  const lives = { a: '90d', b: ' 12h', c: '45', d: undefined };
  const added = await Promise.all(
    Object.entries(lives).map(([name, life]) => add({ name: `life ${name}`, key_time_to_live: life })),
  );
  const { enrolment_tokens: tokens } = await list('?page_size=1000');
  for (const { token, ...shown } of added) expect(tokens).toContainEqual(shown);
  expect(added.map(({ key_time_to_live: life }) => life)).toEqual(['90d', '12h', '45s', undefined]);
});
