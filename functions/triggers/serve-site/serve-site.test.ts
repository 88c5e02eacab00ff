import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveSite } from './serve-site.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'serve-site-'));
  await mkdir(join(folder, 'swagger'));
  await writeFile(join(folder, 'index.html'), '<title>\u00fc</title>');
  await writeFile(join(folder, 'swagger/index.html'), 'browser');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** A request for a path, as the gateway passes it on: below a stage, or with a host name of its own. */
async function get(
  path: string,
  { sent = `/live${path}`, headers = {} }: { sent?: string; headers?: Record<string, string[]> } = {},
) {
  const event: any = { httpMethod: 'GET', path, requestContext: { path: sent }, multiValueHeaders: headers };
  const { statusCode, headers: got = {}, body } = await serveSite(folder)(event);
  return { status: statusCode, headers: got as Record<string, string>, text: Buffer.from(body, 'base64').toString() };
}

test("a page has its type, the site's headers, and HTTPS for a year", async () => {
  const { status, headers, text } = await get('/');
  expect([status, text]).toEqual([200, '<title>\u00fc</title>']);
  expect(headers).toMatchObject({
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': expect.stringContaining("script-src 'self'"),
    'Strict-Transport-Security': 'max-age=31536000',
  });
});

test('a stage and a folder without a final slash are redirected, below the stage and without one', async () => {
  const to = async (path: string, sent: string) => {
    const { status, headers } = await get(path, { sent });
    return [status, headers['Location']];
  };
  expect(await to('/', '/live')).toEqual([301, '/live/']);
  expect(await to('/swagger', '/live/swagger')).toEqual([301, '/live/swagger/']);
  expect(await to('/swagger', '/swagger')).toEqual([301, '/swagger/']);
});

test('an unchanged file is not sent again', async () => {
  const { headers } = await get('/swagger/');
  const again = await get('/swagger/', { headers: { 'if-none-match': [headers['ETag']!] } });
  expect([again.status, again.text]).toEqual([304, '']);
});

test.each(['/nothing', '/../serve-site.ts', '/%2e%2e/x', '/.env'])('%s is no file of the site', async (path) => {
  expect((await get(path)).status).toBe(404);
});
