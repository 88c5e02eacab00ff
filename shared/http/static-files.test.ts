import fc from '../testing/fast-check.ts';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { siteHeaders } from './site-headers.ts';
import { type StaticRoot, staticFile } from './static-files.ts';

let home: string;
let roots: StaticRoot[];

async function put(path: string, text = `content of ${path}`): Promise<void> {
  await mkdir(dirname(join(home, path)), { recursive: true });
  await writeFile(join(home, path), text);
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'static-files-test-'));
  await put('secret.txt');
  await put('site-secret/secret.txt'); // a sibling whose name begins with that of the folder
  await put('site/index.html');
  await put('site/app.js', 'const ok = "ä";');
  await put('site/über uns.html');
  await put('site/50%25.txt');
  await put('site/.env');
  await put('site/.git/config');
  await put('site/deep/er/index.html');
  await put('site/empty/readme.txt');
  await put('site/shared.css', 'own');
  await put('package/shared.css', 'package');
  await put('package/bundle.js');
  await put('console/index.html');
  await symlink(join(home, 'secret.txt'), join(home, 'site/out.txt'));
  await symlink(home, join(home, 'site/up'));
  await symlink(join(home, 'site-secret/secret.txt'), join(home, 'site/near.txt'));
  await symlink(join(home, 'site/app.js'), join(home, 'site/alias.js'));
  await symlink('loop', join(home, 'site/loop'));
  roots = [
    { prefix: '/swagger/', folder: join(home, 'site') },
    { prefix: '/swagger/', folder: join(home, 'package') },
    { prefix: '/swagger/', folder: join(home, 'missing') },
    { prefix: '/console/', folder: join(home, 'console') },
  ];
});
afterAll(() => rm(home, { recursive: true, force: true }));

const get = async (path: string) => {
  const reply = await staticFile(roots, path);
  return { ...reply, text: reply.body.toString() };
};

test('a path ending in a slash is its index.html', async () => {
  expect((await get('/swagger/')).text).toBe('content of site/index.html');
  expect((await get('/swagger/deep/er/')).text).toBe('content of site/deep/er/index.html');
  expect((await get('/console/')).text).toBe('content of console/index.html');
});

test('a folder without a slash is redirected only if it has a page', async () => {
  expect(await get('/swagger')).toMatchObject({ status: 301, headers: { Location: '/swagger/' } });
  expect(await get('/swagger/deep/er')).toMatchObject({ status: 301, headers: { Location: '/swagger/deep/er/' } });
  expect((await get('/swagger/empty')).status).toBe(404);
  expect((await get('/swagger/empty/')).status).toBe(404);
  expect((await get('/')).status).toBe(404);
  expect((await get('//swagger')).status).toBe(404); // would redirect to another host
});

test('the first folder with the file is used, and a missing folder is no error', async () => {
  expect((await get('/swagger/shared.css')).text).toBe('own');
  expect((await get('/swagger/bundle.js')).text).toBe('content of package/bundle.js');
  expect((await get('/console/bundle.js')).status).toBe(404);
});

test('a file of a folder that is being built is served after the build', async () => {
  const folder = join(home, 'built');
  const root: StaticRoot = { prefix: '/built/', folder, ready: () => put('built/late.txt') };
  expect((await staticFile([root], '/built/late.txt')).body.toString()).toBe('content of built/late.txt');
});

test('a name is percent-decoded, once', async () => {
  expect((await get('/swagger/%C3%BCber%20uns.html')).status).toBe(200);
  expect((await get('/swagger/50%2525.txt')).status).toBe(200);
  expect((await get('/swagger/50%25.txt')).status).toBe(404);
  expect((await get('/swagger/%zz')).status).toBe(404);
});

test.each([
  '/swagger/../secret.txt',
  '/swagger/%2e%2e/secret.txt',
  '/swagger/%2e%2e%2fsecret.txt',
  '/swagger/..%2fsecret.txt',
  '/swagger/..%5csecret.txt',
  '/swagger/%252e%252e/secret.txt',
  '/swagger/../site-secret/secret.txt',
  '/swagger/deep/../../secret.txt',
  '/swagger//app.js',
  '/swagger/./app.js',
  '/swagger/deep%2fer/index.html',
  '/swagger/app.js%00',
  '/swagger/app.js%00.html',
  '/swagger/app.js\u0000',
  '/swagger/out.txt',
  '/swagger/up/secret.txt',
  '/swagger/up/site/app.js/',
  '/swagger/loop',
  '/swagger/app.js/',
  '/swagger/.env',
  '/swagger/.git/config',
  `/swagger/${'a'.repeat(5000)}`,
  '/swaggerapp.js',
  'swagger/app.js',
  '',
])('%j is not found', async (path) => {
  expect(await get(path)).toMatchObject({ status: 404, text: 'Not found\n' });
});

test('a link inside the folder is followed', async () => {
  expect((await get('/swagger/alias.js')).status).toBe(200);
});

test('a link to another folder whose name begins with that of the folder is not followed', async () => {
  expect((await get('/swagger/near.txt')).status).toBe(404);
});

test('no path leads outside the folders or causes a failure', async () => {
  const piece = fc.constantFrom(
    '..',
    '.',
    '/',
    '\\',
    '%2e',
    '%2f',
    '%5c',
    '%00',
    'secret.txt',
    'up',
    'deep',
    'er',
    'é',
    '%',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(piece, fc.string({ maxLength: 4 })), { maxLength: 8 }), async (pieces) => {
      const { text } = await get(`/swagger/${pieces.join('')}`);
      expect(text).not.toContain('secret.txt');
    }),
  );
});

test('text is declared UTF-8, and unknown types are not guessed', async () => {
  const types = {
    'index.html': 'text/html; charset=utf-8',
    'app.js': 'text/javascript; charset=utf-8',
    'app.JS': 'text/javascript; charset=utf-8',
    'shared.css': 'text/css; charset=utf-8',
    'openapi.json': 'application/json; charset=utf-8',
    'logo.svg': 'image/svg+xml; charset=utf-8',
    'logo.png': 'image/png',
    LICENSE: 'application/octet-stream',
  };
  for (const [name, type] of Object.entries(types)) {
    await put(`types/${name}`);
    const reply = await staticFile([{ prefix: '/', folder: join(home, 'types') }], `/${name}`);
    expect(reply.headers['Content-Type']).toBe(type);
  }
});

test('the ETag changes only with the content', async () => {
  const etag = async () => (await get('/swagger/changing.txt')).headers['ETag'];
  await put('site/changing.txt', 'one');
  const first = await etag();
  expect(first).toMatch(/^"[\w-]{27}"$/);
  await put('site/changing.txt', 'one');
  expect(await etag()).toBe(first);
  await put('site/changing.txt', 'two');
  expect(await etag()).not.toBe(first);
});

test("every reply has the site's headers and is revalidated", async () => {
  for (const path of ['/swagger/', '/swagger', '/swagger/nothing']) {
    expect((await get(path)).headers).toMatchObject({ ...siteHeaders, 'Cache-Control': 'no-cache' });
  }
});

test("the site's policy allows nothing inline and nothing foreign", () => {
  const policy = siteHeaders['Content-Security-Policy'];
  expect(policy.startsWith("default-src 'none';")).toBe(true);
  expect(policy).not.toMatch(/unsafe|\*|http|blob:/);
  for (const closed of ['base-uri', 'form-action', 'frame-ancestors']) expect(policy).toContain(`${closed} 'none'`);
});
