/** docs/one-machine.md: the upgrade from the recorded release 8ebed6a4, whose objects have values that this version refuses in new ones. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { exportedLines, replaceAddress, unpackDataFolder } from '../support/data-folder.ts';
import { root } from './steps.ts';
import { openWay, type Way } from './way.ts';

/** An address that the release accepted, in place of one that it has recorded. */
const [RECORDED, REFUSED] = ['10.0.0.11', '10.0.0.256'];

let way: Way;

beforeAll(async () => {
  way = await openWay('upgrade', { names: {}, folders: [] });
});

afterAll(() => way.stop());

test('the upgrade keeps every object of the release, and names each value that became stricter', async () => {
  const data = join(way.folder, '.data');
  const { keys, exported } = await unpackDataFolder('8ebed6a4', data);
  replaceAddress(data, RECORDED, REFUSED);
  await way.type('copy');
  await way.start('start', /^Try .*\n/m, { inCheckout: true });
  const login = [
    `cd '${root}' && npm install --global "$(npm run -s package:cli)"`,
    `echo '${keys.admin}' | inventory login https://localhost:8443 --ca '${join(data, 'tls-cert.pem')}' --key-stdin`,
  ];
  await way.run(['bash', '-ec', login.join('\n')]);
  const printed = await way.type('check');
  expect(printed).toContain('node/node 11 ä');
  expect(printed).toContain('address');
  expect(printed.match(/^node\/|^service\/|^agent\//gm)).toHaveLength(1);
  const after = exportedLines(await readFile(join(way.folder, 'after.ndjson'), 'utf8'));
  const before = exportedLines(exported.replaceAll(RECORDED, REFUSED));
  expect(before.length).toBeGreaterThan(20);
  // This version may add fields.
  expect(after).toMatchObject(before);
  expect(after).toHaveLength(before.length);
  // The copy is the former folder: a return begins with it.
  expect((await readFile(join(way.folder, 'data-before', 'format'), 'utf8')).trim()).toBe('1');
  await rm(join(way.folder, 'data-before'), { recursive: true });
  way.finish();
});
