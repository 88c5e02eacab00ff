/** The command line in the cases of clients/connection-cases.json. Its client repeats as the TypeScript client does. */
import {
  connectionCases,
  replyIn,
  RIGHT_KEY,
  RIGHT_REPLY,
  saidIn,
} from '../../../../tests/clients/connection-cases.ts';
import { quietWorld } from '../../../../tests/support/command-call.ts';
import { exits } from '../core/exit-codes.ts';
import { run } from '../run.ts';

const final = connectionCases.filter((connectionCase) => connectionCase.is !== 'passing');

test.each(final.map((connectionCase) => [connectionCase.name, connectionCase] as const))(
  '%s',
  async (_, connectionCase) => {
    const keys: (string | undefined)[] = [];
    let err = '';
    const url =
      connectionCase.url ??
      (connectionCase.urlForm ?? 'https://{host}:{port}').replace('{host}', 'a').replace('{port}', '8443');
    const code = await run(
      ['get', 'nodes', '-o', 'json'],
      quietWorld({
        err: (text) => (err += text),
        env: { INVENTORY_URL: url, INVENTORY_KEY: connectionCase.key ?? RIGHT_KEY },
        fetch: async (__, { headers }) => {
          await Promise.resolve();
          keys.push(headers['Authorization']);
          return connectionCase.is === 'right' ? Response.json(RIGHT_REPLY) : replyIn(connectionCase);
        },
      }),
    );
    expect(keys).toEqual(Array.from({ length: connectionCase.attempts }, () => `Bearer ${RIGHT_KEY}`));
    expect(code).toBe(connectionCase.is === 'right' ? exits.done.code : exits.usage.code);
    if (connectionCase.is === 'right') return;
    const { message } = JSON.parse(err);
    for (const part of saidIn(connectionCase, 'command line')) expect(message).toContain(part);
    expect(message).not.toMatch(/nodeFetch|--use-system-ca/);
    if (connectionCase.hides !== undefined) expect(err).not.toContain(connectionCase.hides);
  },
);
