import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { basic, bearer, curlText, shellWord } from './curl-text.ts';

const run = promisify(execFile);

const local = { baseUrl: 'https://localhost:8443', isSelfSigned: true };
const cloud = { baseUrl: 'https://api.example.com/live', isSelfSigned: false };

/** The arguments that a shell gives to a program, by a function in the place of curl. */
async function argumentsOf(command: string): Promise<string[]> {
  const script = `API_KEY=the-key; curl() { printf '%s\\0' "$@"; }; ${command}`;
  const { stdout } = await run('/bin/sh', ['-c', script]);
  return stdout.split('\0').slice(0, -1);
}

test('a GET has only the URL, and the key in a variable', async () => {
  const text = curlText(cloud, { method: 'GET', path: '/v1/nodes?page_size=5&selector=a%3Db' });
  expect(text).toBe(`curl 'https://api.example.com/live/v1/nodes?page_size=5&selector=a%3Db' \\
  -H "Authorization: Bearer $API_KEY"`);
  expect(await argumentsOf(text)).toEqual([
    'https://api.example.com/live/v1/nodes?page_size=5&selector=a%3Db',
    '-H',
    'Authorization: Bearer the-key',
  ]);
});

test('a body reaches the server unchanged, with quotes, dollars, backslashes and line ends', async () => {
  const body = { name: `it's "$HOME" \`id\` \\n\n%`, list: [1, true, null] };
  const text = curlText(local, { method: 'POST', path: '/v1/nodes', body });
  expect(text).toMatch(/^curl -k https:\/\/localhost:8443\/v1\/nodes /);
  const words = await argumentsOf(text);
  expect(words.slice(0, 2)).toEqual(['-k', 'https://localhost:8443/v1/nodes']);
  expect(words).toContain('Content-Type: application/json');
  expect(JSON.parse(words.at(-1)!)).toEqual(body);
});

test('other methods are named, and so is the required revision', async () => {
  const text = curlText(local, { method: 'PATCH', path: '/v1/nodes/1', body: { address: 'a' }, revision: 3 });
  const words = await argumentsOf(text);
  expect(words.slice(0, 4)).toEqual(['-k', '-X', 'PATCH', 'https://localhost:8443/v1/nodes/1']);
  expect(words).toContain('If-Match: "3"');
});

test('the authorization is Bearer, Basic or absent', async () => {
  const request = { method: 'GET', path: '/v1/caller' };
  expect(await argumentsOf(curlText(cloud, request, basic()))).toEqual(
    expect.arrayContaining(['-u', 'api_key:the-key']),
  );
  expect(curlText(cloud, request, bearer('minv_x'))).toContain('Bearer minv_x');
  expect(await argumentsOf(curlText(cloud, request, ''))).toHaveLength(1);
});

test('words of the shell that need no quotes have none', () => {
  expect(shellWord('a-b_c.d/e:1')).toBe('a-b_c.d/e:1');
  expect(shellWord('')).toBe("''");
  expect(shellWord("a'b")).toBe(String.raw`'a'\''b'`);
});
