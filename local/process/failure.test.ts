import { errorCode, StartFailure } from './failure.ts';

test('a start failure is one line, whatever it quotes', () => {
  expect(new StartFailure('It said:\n  no\r\n\tluck \n').message).toBe('It said: no luck');
});

test('a failure of the data folder names the folder, the reason and the variable', () => {
  const cause = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
  const failure = StartFailure.dataFolder('/some/folder', cause);
  expect(failure.message).toMatch(/^Cannot use the data folder \/some\/folder: permission denied\. Set DATA_DIR /);
  expect(failure.cause).toBe(cause);
});

test('an error code is found on any thrown value, or is UNKNOWN', () => {
  expect([{ code: 'ENOENT' }, new Error('x'), null, 'EACCES'].map(errorCode)).toEqual([
    'ENOENT',
    'UNKNOWN',
    'UNKNOWN',
    'UNKNOWN',
  ]);
});
