/** Commands of many requests that are interrupted: progress files, and the end of an apply. */
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Interruption } from '../../clients/cli/src/core/exit-codes.ts';
import type { World } from '../../clients/cli/src/core/world.ts';
import { type CommandLine, startCommandLine } from './command.ts';
import { processClock } from '../../clients/cli/src/core/clock.ts';
import { timeOfDay } from '../../shared/core/time-of-day.ts';

let line: CommandLine;
let folder: string;
let progressFile: string;
const run: CommandLine['inventoryCommand'] = (...call) =>
  line.inventoryCommand(call[0], { clock: processClock, ...call[1] });
beforeAll(async () => (line = await startCommandLine({ clock: timeOfDay })));
afterAll(() => line.stop());
beforeEach(async () => {
  folder = await mkdtemp(join(line.home, 'progress-'));
  progressFile = join(folder, 'progress');
  line.sent.length = 0;
});

async function file(text: string, name = 'input'): Promise<string> {
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

type Fetch = NonNullable<World['fetch']>;

/** Requests that match the pattern are done; after `count` of them, the next one gets no reply. */
function interruptedAfter(count: number, pattern: RegExp, isDone = false): Fetch {
  let number = 0;
  return async (url, init) => {
    if (pattern.test(`${init.method} ${url}`)) number += 1;
    if (number > count) {
      if (isDone) await line.fetch(url, init);
      throw new TypeError('cut');
    }
    return line.fetch(url, init);
  };
}

const isApply = ({ body }: RequestInit) => typeof body === 'string' && body.includes('"apply"');

const sentTo = (path: string) => line.sent.filter((request) => request.includes(path)).length;

const nodeLine = (number: number, more: object = {}) =>
  JSON.stringify({
    kind: 'node',
    object: {
      node_id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
      node_type: 'generic',
      node_name: `line-${number}`,
      address: 'a',
      ...more,
    },
  });

/** More than one request of an import, and than one page of an export. */
const refused = nodeLine(3, { address: '169.254.169.254' });
const lines = Array.from({ length: 1100 }, (_, index) => (index === 3 ? refused : nodeLine(index)));

describe('import', () => {
  test('continues after finished lines and reports all', async () => {
    const source = await file(lines.join('\n'));
    const rest = join(folder, 'refused');
    const argv = ['import', source, '--progress-file', progressFile, '--refused', rest];
    const cut = await run(argv, { fetch: interruptedAfter(1, /import/) });
    expect(cut.code).toBe(7);
    expect(JSON.parse(await readFile(progressFile, 'utf8'))).toMatchObject({ command: 'import', done: 1000 });
    line.sent.length = 0;
    const { code, out, err } = await run(argv);
    expect([code, out]).toEqual([4, '1099 added, 0 changed, 0 unchanged, 1 refused.\n']);
    expect(err).toMatch(/^line 4: node .*address: /);
    expect(sentTo('/v1/import')).toBe(1);
    expect(await readFile(rest, 'utf8')).toBe(`${refused}\n`);
    expect((await readdir(folder)).sort()).toEqual(['input', 'refused']);
  });

  test('of another file, to another server, or with a damaged progress file is refused', async () => {
    const source = await file(lines.join('\n'));
    const argv = ['import', source, '--progress-file', progressFile];
    await run(argv, { fetch: interruptedAfter(1, /import/) });
    await file(nodeLine(1));
    const env = { INVENTORY_URL: 'http://elsewhere', INVENTORY_KEY: 'minv_x' };
    line.sent.length = 0;
    expect(await run(argv)).toMatchObject({ code: 64, err: expect.stringMatching(/is of another input: remove it/) });
    expect(await run(argv, { env })).toMatchObject({ code: 64, err: expect.stringMatching(/another server/) });
    await file('{', 'progress');
    expect(await run(argv)).toMatchObject({ code: 64, err: expect.stringMatching(/is no progress file/) });
    expect(await run([...argv.slice(0, 3), join(folder, 'no', 'progress')])).toMatchObject({ code: 64 });
    expect(await run([...argv, '--dry-run'])).toMatchObject({ code: 64 });
    expect(line.sent).toEqual([]);
  });
});

test('export continues after the last complete page', async () => {
  await run(['import', await file(lines.join('\n'))]);
  const whole = (await run(['export'])).out;
  const out = join(folder, 'out');
  const argv = ['export', '--out', out, '--progress-file', progressFile];
  expect((await run(argv, { fetch: interruptedAfter(1, /export/) })).code).toBe(7);
  const part = await readFile(out, 'utf8');
  expect([whole.startsWith(part), part.length > 0, part.length < whole.length]).toEqual([true, true, true]);
  // A crash in the middle of a page leaves a part of it.
  await writeFile(out, `${part}{"kind":"no`);
  line.sent.length = 0;
  expect((await run(argv)).code).toBe(0);
  expect(await readFile(out, 'utf8')).toBe(whole);
  expect(sentTo('/v1/export')).toBe(1);
  expect((await readdir(folder)).sort()).toEqual(['input', 'out']);
  expect((await run(['export', '--progress-file', progressFile])).code).toBe(64);
});

describe('batch', () => {
  const add = (name: string, ref: string) => ({
    op: 'addNode',
    ref,
    body: { node_type: 'generic', node_name: name, address: 'a' },
  });
  const declare = (number: number) => ({
    op: 'upsertNode',
    body: { node_type: 'generic', node_name: `many-${number}`, address: 'a' },
  });
  const agentOn = (ref: string) => ({
    op: 'addAgent',
    body: { agent_type: 'pmm_agent', runs_on_node_id: `$${ref}` },
  });
  const many = Array.from({ length: 499 }, (_, index) => declare(index));

  test('continues with the labels of earlier requests', async () => {
    const operations = [add('first', 'n'), ...many, declare(600), agentOn('n')];
    const source = await file(JSON.stringify(operations));
    const argv = ['batch', '-f', source, '--progress-file', progressFile, '-o', 'json', '--repeat'];
    expect((await run(argv, { fetch: interruptedAfter(1, /batch/) })).code).toBe(7);
    line.sent.length = 0;
    const { code, json } = await run(argv);
    expect([code, json().length, json()[501]]).toEqual([0, 502, expect.objectContaining({ status: 201 })]);
    expect(sentTo('/v1/batch')).toBe(1);
    expect(await readdir(folder)).toEqual(['input']);
  });

  test('sends operations with lost replies again only if they add nothing, or with --repeat', async () => {
    const declared = await file(JSON.stringify([...many, declare(700), declare(701)]), 'declared');
    const safe = ['batch', '-f', declared, '--progress-file', progressFile];
    expect((await run(safe, { fetch: interruptedAfter(1, /batch/, true) })).code).toBe(7);
    expect((await run(safe)).code).toBe(0);
    const added = await file(JSON.stringify([...many, declare(700), add('lost', 'l')]), 'added');
    const argv = ['batch', '-f', added, '--progress-file', progressFile];
    expect((await run(argv, { fetch: interruptedAfter(1, /batch/, true) })).code).toBe(7);
    line.sent.length = 0;
    expect(await run(argv)).toMatchObject({
      code: 4,
      out: '',
      err: expect.stringMatching(/^Error: The reply to the operations 500 to 500 was lost, .*--repeat/),
    });
    expect(line.sent).toEqual([]);
    // The name is taken: the addition was done.
    expect(await run([...argv, '--repeat'])).toMatchObject({ code: 4, out: expect.stringMatching(/addNode +409/) });
    expect((await run([...argv.slice(0, 3), '--atomic', '--progress-file', progressFile])).code).toBe(64);
  });
});

describe('an apply that is interrupted', () => {
  const fleet = (label: string) =>
    `scope: { selector: fleet=${label} }\ndefaults: { custom_labels: { fleet: ${label} } }\n` +
    `nodes: [{ node_type: generic, node_name: ${label}-1, address: a }]\n`;
  const interruption = new Interruption('Interrupted.', 'interrupted');

  test('cancels the job and prints its progress', async () => {
    const controller = new AbortController();
    // The request arrives, and its reply would not come in time.
    const fetch: Fetch = (url, init) => {
      if (!isApply(init)) return line.fetch(url, init);
      controller.abort(interruption);
      return Promise.reject(new TypeError('cut'));
    };
    const path = await file(fleet('cut'));
    const { code, out, err } = await run(['apply', '-y', '-f', path], { signal: controller.signal, fetch });
    expect([code, err]).toEqual([130, 'Error: Interrupted.\n']);
    expect(out).toMatch(/: cancelled, 0 of 1 done, 0 failed\.\n$/);
    expect((await run(['get', 'nodes', '--prefix', 'cut', '-o', 'name'])).out).toBe('');
    expect((await run(['apply', '-y', '-f', path])).code).toBe(0);
  });

  test('at a second signal names the job, which can be waited for', async () => {
    const [controller, leaving] = [new AbortController(), new AbortController()];
    let cancelled: () => void = () => undefined;
    const isCancelled = new Promise<void>((resolve) => (cancelled = resolve));
    const fetch: Fetch = async (url, init) => {
      if (url.endsWith('/cancel')) {
        cancelled();
        return new Promise(() => undefined);
      }
      if (!isApply(init)) return line.fetch(url, init);
      await line.fetch(url, init);
      controller.abort(interruption);
      throw new TypeError('cut');
    };
    let err = '';
    const world = {
      signal: controller.signal,
      leaving: leaving.signal,
      fetch,
      err: (text: string) => void (err += text),
    };
    void run(['apply', '-y', '-f', await file(fleet('left'))], world);
    await isCancelled;
    leaving.abort();
    const [, id = ''] = /^The server may go on: inventory job wait (\S+)\n$/.exec(err) ?? [];
    const waited = await run(['job', 'wait', id, '-o', 'json']);
    expect([waited.code, waited.json().state]).toEqual([0, 'done']);
  });

  test('with --no-wait ends with the id of the job', async () => {
    const fetch: Fetch = async (url, init) => {
      const reply = await line.fetch(url, init);
      if (!isApply(init)) return reply;
      const body: any = JSON.parse(await reply.text());
      return Response.json({ ...body, state: 'applying' }, { status: 202 });
    };
    const { code, out } = await run(['apply', '-y', '--no-wait', '-f', await file(fleet('background'))], { fetch });
    expect([code, out]).toEqual([0, expect.stringMatching(/applying, .*\ninventory job wait [\w-]{36}\n$/)]);
  });
});

test('a wait ends with 7 after its --timeout despite an open request', async () => {
  const fetch: Fetch = (_, { signal }) =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
    });
  for (const argv of [
    ['wait', 'node/x', '--for', 'live'],
    ['job', 'wait', 'x'],
    ['watch', '--kinds', 'node'],
  ])
    expect([argv, (await run([...argv, '--timeout', '20ms'], { fetch })).code]).toEqual([argv, 7]);
});
