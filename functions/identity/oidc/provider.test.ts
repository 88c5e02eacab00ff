import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientSecretOf, type OidcProvider, scopeOf, titleOf } from './provider.ts';

const company: OidcProvider = {
  kind: 'oidc',
  name: 'company',
  issuer: 'https://i.example',
  clientId: 'c',
} as OidcProvider;

test('a provider is shown by its display name, else by its name', () => {
  expect([titleOf(company), titleOf({ ...company, displayName: 'Company' })]).toEqual(['company', 'Company']);
});

test('every log-in requests openid once, and by default the scopes for sessions', () => {
  expect(scopeOf(company)).toBe('openid profile email offline_access');
  expect(scopeOf({ ...company, scopes: ['groups'] })).toBe('openid groups');
  expect(scopeOf({ ...company, scopes: ['groups', 'openid'] })).toBe('openid groups');
});

describe('the secret of the client', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'inventory-secret-'));
    file = join(folder, 'secret');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const secretAt = (seconds: number) =>
    clientSecretOf({ ...company, clientSecretFile: file }, { clock: () => new Date(seconds * 1000) });

  test('is absent for a public client', async () => {
    expect(await clientSecretOf(company, { clock: () => new Date(0) })).toBeUndefined();
  });

  test('is read again after a minute, and after the clock was set back', async () => {
    await writeFile(file, 'first\n');
    expect(await secretAt(1000)).toBe('first');
    await writeFile(file, 'second');
    expect([await secretAt(1059), await secretAt(1060)]).toEqual(['first', 'second']);
    await writeFile(file, 'third');
    expect([await secretAt(1060), await secretAt(1059)]).toEqual(['second', 'third']);
  });

  test('that is empty or unreadable is an error with its place, which is not cached', async () => {
    await expect(secretAt(0)).rejects.toMatchObject({
      sentence: expect.stringContaining(`${file} cannot be read (ENOENT)`),
    });
    await writeFile(file, ' \n');
    await expect(secretAt(0)).rejects.toMatchObject({
      sentence: expect.stringContaining(file),
      message: expect.not.stringContaining(file),
    });
    await writeFile(file, 'right');
    expect(await secretAt(0)).toBe('right');
  });
});
