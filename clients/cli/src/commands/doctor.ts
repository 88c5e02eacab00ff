import { lookup } from 'node:dns/promises';
import { getCaller, getReadiness, getVersion } from '../../../typescript/src/generated/operations.ts';
import { VERSION } from '../../../typescript/src/generated/version.ts';
import { hasProxies } from '../../../typescript/src/node.ts';
import type { HttpReply } from '../../../typescript/src/options.ts';
import type { CommandCall } from '../command/command.ts';
import { type Exit, exitOf, lineOf } from '../core/exit-codes.ts';
import type { Fields } from '../core/values.ts';

/** Above this, times of sessions and changes are misleading, and signatures of clouds fail. */
const MAX_CLOCK_MS = 60_000;

export async function run({ output, settings, connect, world }: CommandCall): Promise<Exit | undefined> {
  const { url, context = '-', keySource } = await settings();
  const client = await connect();
  const rows: Fields[] = [{ check: 'address', result: 'ok', detail: `${url} (context ${context})` }];
  let exit: Exit | undefined;
  /** Later checks need the earlier ones. */
  const check = async (name: string, detail: () => Promise<string>) => {
    if (exit !== undefined) return;
    try {
      rows.push({ check: name, result: 'ok', detail: await detail() });
    } catch (error) {
      exit = exitOf(error);
      rows.push({ check: name, result: 'failed', detail: lineOf(error) });
    }
  };
  let date: string | null = null;
  if (world.fetch === undefined)
    await check('name', async () => {
      try {
        return (await lookup(new URL(url).hostname.replace(/^\[|\]$/g, ''))).address;
      } catch (error) {
        if (!hasProxies(world.env)) throw error;
        return 'is left to the proxy of HTTPS_PROXY or HTTP_PROXY';
      }
    });
  await check('server', async () => {
    const onReply = ({ headers }: Pick<HttpReply, 'headers'>) => (date = headers.get('Date'));
    await getReadiness(client, {}, { onReply, attempts: 1 });
    return 'ready';
  });
  await check('clock', () => {
    const apart = date === null ? 0 : Math.abs(world.clock.now() - Date.parse(date));
    if (apart > MAX_CLOCK_MS) throw new Error(`${Math.round(apart / 1000)} s apart from the server`);
    return Promise.resolve('as on the server');
  });
  await check('key', async () => {
    const { name, role, expires_at: expires = 'never' } = await getCaller(client);
    return `${name}, role ${role}, expires ${expires}, from ${keySource}`;
  });
  await check('version', async () => `${(await getVersion(client)).build.version}; this program: ${VERSION}`);
  await output.list(rows, { columns: ['check', 'result', 'detail'] });
  return exit;
}
