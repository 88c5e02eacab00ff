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
  test.each(connectionCases.map((connectionCase) => [connectionCase.name, connectionCase] as const))(
    '%s',
    async (__, connectionCase) => {
      const server = await startWrongServer(connectionCase);
      try {
        let error: unknown;
        try {
          await getCaller(createClient({ url: server.url, key: server.key, ...transport }));
        } catch (thrown) {
          error = thrown;
        }
        expect([server.attempts(), isWrongSetting(error), error === undefined]).toEqual([
          connectionCase.attempts,
          connectionCase.is === 'permanent',
          connectionCase.is !== 'permanent',
        ]);
        for (const part of error === undefined ? [] : saidIn(connectionCase, 'typescript'))
          expect(String(error)).toContain(part);
        if (connectionCase.hides !== undefined) expect(String(error)).not.toContain(connectionCase.hides);
      } finally {
        await server.stop();
      }
    },
  );
});
