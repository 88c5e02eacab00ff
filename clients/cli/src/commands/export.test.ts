import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandCall } from '../../../../tests/support/command-call.ts';
import type { Settings } from '../connection/settings.ts';
import { run } from './export.ts';

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'inventory-export-'))));
afterEach(() => rm(folder, { recursive: true }));

const line = (id: string) => ({ kind: 'node', object: { node_id: id } });
const textOf = (...values: object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const end = { kind: 'end', complete: true };

/** An export of two pages, of which the second one can fail. */
function exported(options: object = {}, isCut = false) {
  const call = commandCall({
    options: { ...options },
    answer: ({ path }) => {
      if (!path.includes('page_token=p'))
        return new Response(textOf(line('ä'), { kind: 'end', complete: false, next_page_token: 'p' }));
      if (isCut) throw new TypeError('cut');
      return new Response(textOf(line('b'), end));
    },
  });
  const settings = () => Promise.resolve({ url: 'http://inventory' } as Settings);
  return { call, ended: run({ ...call, name: 'export', settings }) };
}

test('prints the lines of all pages with one end', async () => {
  const { call, ended } = exported();
  await ended;
  expect(call.out()).toBe(textOf(line('ä'), line('b'), end));
});

test('--out writes the lines to a file and replaces its text', async () => {
  const out = join(folder, 'lines');
  await writeFile(out, 'x'.repeat(1000));
  const { call, ended } = exported({ out });
  await ended;
  expect([await readFile(out, 'utf8'), call.out()]).toEqual([textOf(line('ä'), line('b'), end), '']);
});

test('an interrupted export continues after the last complete page', async () => {
  const [out, progressFile] = [join(folder, 'lines'), join(folder, 'progress')];
  await expect(exported({ out, progressFile }, true).ended).rejects.toBeDefined();
  const stored: unknown = JSON.parse(await readFile(progressFile, 'utf8'));
  expect(stored).toMatchObject({ page: 'p', bytes: Buffer.byteLength(textOf(line('ä'))) });
  // A part of the next page.
  await writeFile(out, `${textOf(line('ä'))}{"kind":"no`);
  const { call, ended } = exported({ out, progressFile });
  await ended;
  expect(call.sent).toHaveLength(1);
  expect(await readFile(out, 'utf8')).toBe(textOf(line('ä'), line('b'), end));
  expect(existsSync(progressFile)).toBe(false);
});

test.each([
  [{ progressFile: 'p' }, '--progress-file needs --out FILE.'],
  [{ out: '/absent/lines' }, expect.stringMatching(/^ENOENT/)],
])('%j is refused before a request', async (options, message) => {
  const { call, ended } = exported(options);
  await expect(ended).rejects.toMatchObject({ message, exit: 'usage' });
  expect(call.sent).toEqual([]);
});
