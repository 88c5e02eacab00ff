import { commandCall } from '../../../../tests/support/command-call.ts';
import type { Settings } from '../connection/settings.ts';
import { run } from './whoami.ts';

test('shows the caller with its server and the place of its key', async () => {
  const call = commandCall({
    options: { output: 'json' },
    answer: ({ path }) =>
      path === '/v1/version' ? { build: { version: '1.2' } } : { kind: 'key', name: 'ci', role: 'Viewer' },
  });
  const settings = { url: 'https://a', context: 'prod', keySource: 'INVENTORY_KEY' } as Settings;
  await run({ ...call, settings: () => Promise.resolve(settings) });
  expect(JSON.parse(call.out())).toEqual({
    ...{ kind: 'key', name: 'ci', role: 'Viewer' },
    ...{ server: 'https://a', server_version: '1.2', context: 'prod', key_source: 'INVENTORY_KEY' },
  });
});
