import { commandCall } from '../../../../tests/support/command-call.ts';
import { listing } from './listing.ts';

async function list(items: Parameters<typeof listing>[0], reply: object, options: object = {}) {
  const call = commandCall({ options: { output: 'name', ...options }, answer: () => reply });
  await listing(items).run(call);
  return { out: call.out(), paths: call.sent.map(({ path }) => path) };
}

test('each filter is an option with a description, and a Boolean filter needs no value', () => {
  expect(listing('api_keys').options?.map(({ flags }) => flags)).toEqual([
    ...['--name-prefix <value>', '--include-expired [boolean]', '--exclude-hosts [boolean]', '--limit <number>'],
  ]);
  const descriptions = listing('entries').options?.map(({ description }) => description);
  expect(descriptions).toHaveLength(6);
  expect(descriptions).not.toContain('');
});

test('options are filters of the request', async () => {
  const keys = { keys: [{ name: 'ci' }, { name: 'cd' }, { name: 'ce' }] };
  const { out, paths } = await list(
    'api_keys',
    { api_keys: keys.keys },
    {
      ...{ namePrefix: 'c', includeExpired: true, excludeHosts: 'false', limit: '2' },
    },
  );
  expect(out).toBe('ci\ncd\n');
  const [path = ''] = paths;
  expect(Object.fromEntries(new URL(path, 'http://a').searchParams)).toEqual({
    ...{ name_prefix: 'c', include_expired: 'true', exclude_hosts: 'false', page_size: '2' },
  });
});

test('a filter that is not given is not sent', async () => {
  expect((await list('sessions', { sessions: [{ session_id: 'i', user_name: 'ann' }] })).paths).toEqual([
    '/v1/sessions?page_size=1000',
  ]);
});

test('an empty filter is refused', async () => {
  const empty = list('api_keys', { api_keys: [] }, { namePrefix: '' });
  await expect(empty).rejects.toMatchObject({ message: '--name-prefix is empty.', exit: 'usage' });
});
