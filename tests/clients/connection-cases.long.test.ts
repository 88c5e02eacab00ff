/** Wrong settings and failing servers over real connections, for the two transports of the TypeScript client on Node. */
import { createClient, getCaller } from '../../clients/typescript/src/index.ts';
import { nodeFetch } from '../../clients/typescript/src/node.ts';
import { isWrongSetting } from '../../clients/typescript/src/permanent.ts';
import { connectionCases, saidIn } from './connection-cases.ts';
import { startWrongServer } from './wrong-server.ts';

const transports = [
  ['fetch', {}],
  ['nodeFetch', { fetch: nodeFetch() }],
] as const;

describe.each(transports)('%s', (_, transport) => {
  test.each(connectionCases.map((one) => [one.name, one] as const))('%s', async (__, one) => {
    const server = await startWrongServer(one);
    try {
      let error: unknown;
      try {
        await getCaller(createClient({ url: server.url, key: server.key, ...transport }));
      } catch (thrown) {
        error = thrown;
      }
      expect([server.attempts(), isWrongSetting(error), error === undefined]).toEqual([
        one.attempts,
        one.is === 'permanent',
        one.is !== 'permanent',
      ]);
      for (const part of error === undefined ? [] : saidIn(one, 'typescript')) expect(String(error)).toContain(part);
      if (one.hides !== undefined) expect(String(error)).not.toContain(one.hides);
    } finally {
      await server.stop();
    }
  });
});
