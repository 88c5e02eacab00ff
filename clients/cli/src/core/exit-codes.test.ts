import { InventoryError, ServerLacks } from '../../../typescript/src/error.ts';
import { CommandError, exitOf, exits, FileError, Interruption, jsonOf, lineOf } from './exit-codes.ts';

const failure = (http: number, status = 'ANY') => ({
  ...{ http, status, code: 9, message: 'No.', operation: 'getNode', retryable: false },
});

test.each([
  [0, 7],
  [400, 1],
  [401, 3],
  [403, 3],
  [404, 5],
  [409, 6],
  [412, 6],
  [413, 1],
  [429, 7],
  [500, 1],
  [502, 7],
  [503, 7],
  [504, 7],
])('a reply with the status %i is the exit code %i', (http, code) =>
  expect(exits[exitOf(new InventoryError(failure(http)))].code).toBe(code),
);

test('an invalid argument is a usage error, and a server that is too old is an error', () => {
  expect(exits[exitOf(new InventoryError(failure(400, 'INVALID_ARGUMENT')))].code).toBe(64);
  expect(exits[exitOf(new ServerLacks(failure(404), '0.4.0', '0.3.0'))].code).toBe(1);
});

test("a command's error has its own exit code, by default that of a usage error", () => {
  expect(exits[exitOf(new CommandError('No.'))].code).toBe(64);
  expect(exits[exitOf(new FileError('a:1 No.'))].code).toBe(64);
  expect(exits[exitOf(new Interruption('Interrupted.', 'interrupted'))].code).toBe(130);
  expect(exits[exitOf(new Interruption('Terminated.', 'terminated'))].code).toBe(143);
  expect([new Error('x'), 'text', undefined].map(exitOf)).toEqual(['failed', 'failed', 'failed']);
});

test('two exits never have the same code', () => {
  const codes = Object.values(exits).map(({ code }) => code);
  expect(new Set(codes).size).toBe(codes.length);
});

test('people get an error as one line, whatever it is', () => {
  expect(lineOf(new Error('One.\n   Two.\nThree.'))).toBe('One. Two. Three.');
  expect(lineOf('text')).toBe('text');
});

test('programs get an error as the server sent it, and other errors in the same form', () => {
  const details = [{ field: 'address', reason: 'required', message: 'Required.' }];
  const sent = new InventoryError({ ...failure(400, 'INVALID_ARGUMENT'), details, requestId: 'r' });
  expect(JSON.parse(jsonOf(sent))).toEqual({
    ...{ code: 9, status: 'INVALID_ARGUMENT', message: 'No.', details, request_id: 'r' },
  });
  expect(JSON.parse(jsonOf(new CommandError('No.\nNo.', 'missing')))).toEqual({
    ...{ code: 2, status: 'MISSING', message: 'No. No.', details: [] },
  });
});
