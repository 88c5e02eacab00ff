/** The client of the constructs' functions in the cases of clients/connection-cases.json. */
import { connectionCases, replyIn, RIGHT_KEY, RIGHT_REPLY, saidIn } from '../../../tests/clients/connection-cases.ts';
import { manualClock } from '../../../tests/support/manual-clock.ts';
import { getCaller, InventoryError } from '../../typescript/src/index.ts';
import { isWrongSetting } from '../../typescript/src/permanent.ts';
import { clientFor } from './connection.ts';

test.each(connectionCases.map((connectionCase) => [connectionCase.name, connectionCase] as const))(
  '%s',
  async (_, connectionCase) => {
    const clock = manualClock();
    const keys: (string | undefined)[] = [];
    const Url =
      connectionCase.url ??
      (connectionCase.urlForm ?? 'https://{host}:{port}').replace('{host}', 'a').replace('{port}', '8443');
    const fetch = async (__: string, { headers }: { headers: Record<string, string> }) => {
      await Promise.resolve();
      keys.push(headers['Authorization']);
      return connectionCase.is !== 'right' && keys.length === 1 ? replyIn(connectionCase) : Response.json(RIGHT_REPLY);
    };
    const readKey = () => Promise.resolve(JSON.stringify({ key: connectionCase.key ?? RIGHT_KEY }));
    const connection = { Url, SecretArn: 'arn:key', SecretField: 'key' };
    const error = await clock.passUntil(
      (async () => getCaller(clientFor(connection, readKey, { fetch, clock })))().then(
        () => undefined,
        (thrown: unknown) => thrown,
      ),
    );
    expect(keys).toEqual(Array.from({ length: connectionCase.attempts }, () => `Bearer ${RIGHT_KEY}`));
    expect([error !== undefined, isWrongSetting(error)]).toEqual([
      connectionCase.is === 'permanent',
      connectionCase.is === 'permanent',
    ]);
    if (!(error instanceof InventoryError)) return;
    for (const part of saidIn(connectionCase, 'cdk')) expect(error.message).toContain(part);
    expect(error.message).not.toMatch(/nodeFetch|--use-system-ca/);
    if (connectionCase.hides !== undefined) expect(error.message).not.toContain(connectionCase.hides);
  },
);

test.each([
  ['https://a/v1/', 'https://a/v1/caller'],
  ['https://a.execute-api.eu-west-1.amazonaws.com/v1', 'https://a.execute-api.eu-west-1.amazonaws.com/v1/v1/caller'],
])('an address that only the deployment knows is used in its normal form: %s', async (Url, expected) => {
  const urls: string[] = [];
  const fetch = (url: string) => {
    urls.push(url);
    return Promise.resolve(Response.json(RIGHT_REPLY));
  };
  await getCaller(clientFor({ Url, SecretArn: 'arn:key' }, () => Promise.resolve(` ${RIGHT_KEY}\n`), { fetch }));
  expect(urls).toEqual([expected]);
});
