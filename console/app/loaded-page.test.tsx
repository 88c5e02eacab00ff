import { connection } from '../api/connection.ts';
import { Network } from '../testing/network.tsx';
import { closePage, show, textOf, untilQuiet } from '../testing/page.tsx';
import { LoadedPage } from './loaded-page.tsx';

afterEach(closePage);

const network = () => new Network(() => Promise.resolve({ status: 200, headers: {}, body: '' }));

/** React reports what the page catches. */
const quiet = () => Object.assign(globalThis.console, { error: () => undefined });

/** A page whose script is loaded from the network. */
const pageOver = (server: Network) => async () => {
  await server.fetch('/page.js', {});
  return { default: () => <>The page</> };
};

/** The same in a browser that does not load a script again. */
function keptFailure(load: ReturnType<typeof pageOver>) {
  let first: ReturnType<typeof load> | undefined;
  return () => (first ??= load());
}

test('a page whose script could not be loaded is loaded again once the server answers', async () => {
  const server = network();
  const load = pageOver(server);
  await show(<LoadedPage load={load} path="sessions" />, {
    network: server,
    before: () => {
      server.isOnline = false;
      quiet();
    },
  });
  expect(textOf()).toContain('This page cannot be shown');
  expect(connection.lostAt()).toBeDefined();
  server.isOnline = true;
  connection.answered();
  await untilQuiet();
  expect(textOf()).toBe('The page');
});

test('a browser that keeps the failure of a script gets a new document once the server answers', async () => {
  const server = network();
  let reloads = 0;
  const page = <LoadedPage load={keptFailure(pageOver(server))} path="sessions" reload={() => (reloads += 1)} />;
  await show(page, {
    network: server,
    before: () => {
      server.isOnline = false;
      quiet();
    },
  });
  expect(reloads).toBe(0);
  server.isOnline = true;
  connection.answered();
  await untilQuiet();
  expect(reloads).toBe(1);
});

test('a page whose script is gone while the server answers says that the console may have been updated', async () => {
  const load = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
  await show(<LoadedPage load={load} path="sessions" />, { network: network(), before: quiet });
  expect(textOf()).toContain('The console may have been updated since it was opened.');
  expect(connection.lostAt()).toBeUndefined();
});
