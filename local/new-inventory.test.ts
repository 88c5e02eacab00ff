import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { ensureCertificate } from './server/certificate.ts';
import { StartFailure } from './process/failure.ts';
import { beginsAnew } from './new-inventory.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'new-inventory-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const put = (name: string, text: string | Buffer = 'x') => writeFile(join(folder, name), text);
const begin = (wanted = false) => beginsAnew(folder, { wanted });

test('a new folder begins with an empty inventory, wanted or not, and nothing to report', async () => {
  expect(await begin()).toBeUndefined();
  expect(await begin(true)).toBeUndefined();
});

test('a folder with a database is used, and --new-inventory is refused', async () => {
  await put('inventory.sqlite');
  await put('seal.key');
  expect(await begin()).toBeUndefined();
  await expect(begin(true)).rejects.toThrow(StartFailure);
  await expect(begin(true)).rejects.toThrow('--new-inventory');
});

test.each(['seal.key', 'format', 'inventory.sqlite-wal', 'our own certificate'])(
  'a folder that had a database, as %s shows, is refused with both ways out, until an empty inventory is wanted',
  async (left) => {
    const isCertificate = left === 'our own certificate';
    if (isCertificate) await ensureCertificate(folder);
    else await put(left);
    for (const database of [undefined, '']) {
      if (database !== undefined) await put('inventory.sqlite', database);
      const refused = begin();
      await expect(refused).rejects.toThrow(StartFailure);
      await expect(refused).rejects.toThrow(isCertificate ? 'tls-cert.pem' : left);
      await expect(refused).rejects.toThrow('docs/repairs.md');
      await expect(refused).rejects.toThrow('npm start -- --new-inventory');
    }
    expect(await begin(true)).toBeUndefined();
  },
);

test.each([['localhost'], ['inventory.example']])(
  'a certificate of somebody else, for %s, is reported, and the inventory begins',
  async (name) => {
    const ca = await generate([{ name: 'commonName', value: 'an authority' }], { keyType: 'ec', curve: 'P-256' });
    const { cert } = await generate([{ name: 'commonName', value: name }], {
      keyType: 'ec',
      curve: 'P-256',
      ca: { key: ca.private, cert: ca.cert },
    });
    await put('tls-cert.pem', cert);
    expect(await begin()).toMatch(/contains a certificate and no database. The server creates an empty inventory/);
    await copyFile(join(folder, 'tls-cert.pem'), join(folder, 'inventory.sqlite'));
    expect(await begin()).toBeUndefined();
  },
);
