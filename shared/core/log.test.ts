import { newApiKeySecret, newEnrolmentTokenSecret } from '../auth/api-key-text.ts';
import { ApiError, DependencyError } from './errors.ts';
import { describeError, jsonLog, type LogEntry } from './log.ts';

test('each entry is one JSON line with its time', () => {
  const lines: string[] = [];
  jsonLog((line) => lines.push(line))({ level: 'info', message: 'a\nb', status: 200, cause: undefined });
  expect(lines).toHaveLength(1);
  expect(lines[0]!.endsWith('\n')).toBe(true);
  expect(JSON.parse(lines[0]!)).toEqual({ time: expect.any(String), level: 'info', message: 'a\nb', status: 200 });
});

test('at level error only errors are written', () => {
  const lines: string[] = [];
  const log = jsonLog((line) => lines.push(line), 'error');
  for (const level of ['info', 'error'] as LogEntry['level'][]) log({ level, message: 'x' });
  expect(lines).toHaveLength(1);
});

test('a key in any text is redacted', () => {
  const key = newApiKeySecret((size) => Buffer.alloc(size, 7));
  const lines: string[] = [];
  jsonLog((line) => lines.push(line))({ level: 'error', message: `x${key}y`, cause: key });
  expect(lines[0]).not.toContain(key);
  expect(lines[0]).toContain(`x${key.slice(0, 9)}...y`);
});

test('an enrolment token in any text is redacted, valid or not', () => {
  const token = newEnrolmentTokenSecret((size) => Buffer.alloc(size, 7));
  const mistyped = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`;
  for (const text of [token, mistyped]) {
    const lines: string[] = [];
    const cause = new Error(`no such token: ${text}`);
    jsonLog((line) => lines.push(line))({ level: 'error', message: `"${text}"`, cause: describeError(cause) });
    expect(lines[0]).not.toContain(text.slice(0, 20));
    expect(lines[0]).toContain(`no such token: ${text.slice(0, 15)}...`);
  }
});

test('a known fault is described without a stack, with the database errors beneath; other errors with their stack', () => {
  class DatabaseError extends DependencyError {
    override readonly name = 'ResourceNotFoundException';
  }
  const ofDatabase = new DatabaseError('no table');
  expect(describeError(ofDatabase)).toContain('log.test.ts');
  const fault = new ApiError('unavailable', 'fault', { fault: 'table_missing', cause: ofDatabase });
  expect(describeError(fault)).toBe('ApiError: fault\ncaused by ResourceNotFoundException: no table');
  expect(describeError(new ApiError('internal', 'x'))).toContain('log.test.ts');
});

test('an error is described with its causes', () => {
  expect(describeError(new Error('a', { cause: new Error('b', { cause: 'c' }) }))).toMatch(
    /a[^]*caused by [^]*b[^]*caused by c/,
  );
});
