/** At its start, the server on one machine compares its clock (libfaketime) with those of its identity providers. */
import { settingsFor } from '../support/oidc-log-in.ts';
import { startOidcServer } from '../support/oidc-server.ts';
import { serverClockIn } from '../support/server-clock.ts';
import { PASSWORD } from './client.ts';
import { eventually } from './processes.ts';
import { startedServers } from './started-servers.ts';

const { start, home } = startedServers();

test.each([
  [600, 'ahead of'],
  [-600, 'behind'],
])('a clock that is wrong by %d seconds causes one line', async (seconds, words) => {
  const provider = await startOidcServer();
  const clock = await serverClockIn(home());
  await clock.set(seconds);
  const providers = [await settingsFor(provider, { name: 'right' })];
  const environment = { ADMIN_PASSWORD: PASSWORD, IDENTITY_PROVIDERS: JSON.stringify(providers), ...clock.environment };
  const server = await start({ environment });
  await eventually(() => server.stderr().includes('\n'));
  await provider.stop();
  expect(server.stderr()).toMatch(
    new RegExp(
      `^Identity provider "right": the clock of this server is (59.|60.) seconds ${words} its clock\\. Set both clocks by NTP\\.\\n$`,
    ),
  );
});
