import { testTime } from '../../../tests/support/test-time.ts';
import { KEY_USE, keyUseAttribute } from './key-use.ts';

const SECOND = 1000;
const at = (seconds: number) => testTime(seconds * SECOND);
const secondsAt = (seconds: number) => at(seconds).getTime() / SECOND;

/** The attribute after reports with these secrets, one a second, each from an address with the number of the report. */
const usesOf = (...secrets: string[]) =>
  secrets.reduce<unknown>(
    (last, secretDigest, index) =>
      keyUseAttribute({ secretDigest, sourceIp: `192.0.2.${index}` }, at(index), last)[KEY_USE],
    undefined,
  );

test('keeps the last use of the present secret, and that of the secret before it', () => {
  const [old, present] = ['old-secret-digest', 'present-secret'];
  expect(usesOf(old)).toEqual(['old-secr', secondsAt(0), '192.0.2.0']);
  expect(usesOf(old, old)).toEqual(['old-secr', secondsAt(1), '192.0.2.1']);
  const former = [secondsAt(1), '192.0.2.1'];
  expect(usesOf(old, old, present)).toEqual(['present-', secondsAt(2), '192.0.2.2', ...former]);
  expect(usesOf(old, old, present, present)).toEqual(['present-', secondsAt(3), '192.0.2.3', ...former]);
});

test('an attribute that is no use is replaced', () => {
  const use = keyUseAttribute({ secretDigest: 'a', sourceIp: 'b' }, at(0), ['unknown'])[KEY_USE];
  expect(use).toEqual(['a', secondsAt(0), 'b']);
});
