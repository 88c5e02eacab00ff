import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { preparedHelp, printText } from './prepared-help.ts';

let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prepared-help-'));
  file = join(folder, 'help.json');
  await writeFile(file, JSON.stringify({ '': 'all commands', get: 'get', 'job list': 'job list', number: 1 }));
});
afterAll(() => rm(folder, { recursive: true }));

test('each command of the package, and the program itself, has a prepared help text', () => {
  for (const option of ['-h', '--help']) {
    expect(preparedHelp([option], file)).toBe('all commands');
    expect(preparedHelp(['get', option], file)).toBe('get');
    expect(preparedHelp(['job', 'list', option], file)).toBe('job list');
  }
});

test.each([
  ['no help', ['get']],
  ['no arguments', []],
  ['help before the command', ['--help', 'get']],
  ['another option', ['get', '--helpful']],
  ['an unknown command', ['git', '--help']],
  ['a property of every object', ['constructor', '--help']],
  ['a command without a text', ['number', '--help']],
])('%s is left to the program', (_, words) => {
  expect(preparedHelp(words, file)).toBeUndefined();
});

test('without a request for help, the texts are not read', () => {
  expect(preparedHelp(['get'], join(folder, 'missing'))).toBeUndefined();
});

/** Prints by a descriptor that takes this many bytes at once, until it has an error. */
function printed(text: string, most: number, error?: Error) {
  let [written, later] = ['', ''];
  const code = printText(text, {
    write: (bytes) => {
      if (error !== undefined && written !== '') throw error;
      const part = Buffer.from(bytes.subarray(0, most)).toString('latin1');
      written += part;
      return part.length;
    },
    writeLater: (bytes) => (later += Buffer.from(bytes).toString('latin1')),
  });
  return { code, written, later };
}

const failure = (code: string) => Object.assign(new Error(code), { code });

test('a text is printed completely, however few bytes are accepted at once', () => {
  expect(printed('a long text', 100)).toEqual({ code: 0, written: 'a long text', later: '' });
  expect(printed('a long text', 3)).toEqual({ code: 0, written: 'a long text', later: '' });
  expect(printed('', 3)).toEqual({ code: 0, written: '', later: '' });
});

test('all that a full descriptor does not take is printed later', () => {
  expect(printed('a long text', 2, failure('EAGAIN'))).toEqual({ code: 0, written: 'a ', later: 'long text' });
});

test('a reader that closes early is no error, any other failure is one', () => {
  expect(printed('a long text', 2, failure('EPIPE'))).toEqual({ code: 0, written: 'a ', later: '' });
  expect(printed('a long text', 2, failure('EIO'))).toEqual({ code: 1, written: 'a ', later: '' });
  expect(printed('a long text', 2, new Error('x'))).toEqual({ code: 1, written: 'a ', later: '' });
});
