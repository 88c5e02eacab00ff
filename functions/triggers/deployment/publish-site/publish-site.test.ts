import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SiteFile } from './bucket.ts';
import { publishSite } from './publish-site.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'publish-'));
  await mkdir(join(folder, 'swagger'));
  for (const file of ['index.html', 'app.js', 'swagger/index.html', 'swagger/logo.svg'])
    await writeFile(join(folder, file), `<${file}>`);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A bucket with these keys, and a log of the calls. */
function publishing(...present: string[]) {
  const objects = new Map<string, SiteFile | undefined>(present.map((key) => [key, undefined]));
  const done: string[] = [];
  const step = publishSite(folder, (name) => ({
    put: (file) => {
      objects.set(file.key, file);
      done.push(`put ${name}/${file.key}`);
      return Promise.resolve();
    },
    keys: () => Promise.resolve([...objects.keys()]),
    remove: (keys) => {
      for (const key of keys) {
        objects.delete(key);
        done.push(`remove ${name}/${key}`);
      }
      return Promise.resolve();
    },
  }));
  return { objects, done, step };
}

const properties = { BucketName: 'site', Version: 'v1' };

test("the bucket contains exactly the site's files", async () => {
  const { objects, step } = publishing('old.js', 'app.js');
  await step.provide(properties);
  expect([...objects.keys()].sort()).toEqual(['app.js', 'index.html', 'swagger/index.html', 'swagger/logo.svg']);
  expect(objects.get('app.js')?.body.toString()).toBe('<app.js>');
});

test('a page never refers to missing files', async () => {
  const { done, step } = publishing('old.js');
  await step.provide(properties);
  const kinds = done.map((line) => (line.startsWith('remove') ? 'remove' : line.endsWith('.html') ? 'page' : 'file'));
  expect(kinds).toEqual(['file', 'file', 'page', 'page', 'remove']);
});

test('files have their type and charset, and are revalidated each time', async () => {
  const { objects, step } = publishing();
  await step.provide(properties);
  expect(objects.get('app.js')).toMatchObject({
    contentType: 'text/javascript; charset=utf-8',
    cacheControl: 'public, max-age=0, s-maxage=60, must-revalidate',
  });
  expect(objects.get('swagger/index.html')?.contentType).toBe('text/html; charset=utf-8');
});

test('removing the stack empties the bucket, because CloudFormation removes only empty ones', async () => {
  const { objects, step } = publishing('index.html');
  await step.remove!(properties);
  expect(objects.size).toBe(0);
});
