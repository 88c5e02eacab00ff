import fc from '../../../shared/testing/fast-check.ts';
import { mergePatch } from './merge-patch.ts';

// The table of examples in RFC 7396, appendix A.
test.each([
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', 'null', 'null'],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
])('%s patched with %s is %s', (target, patch, result) => {
  expect(mergePatch(JSON.parse(target), JSON.parse(patch))).toEqual(JSON.parse(result));
});

test('a patch applied twice is a patch applied once, and neither of its arguments changes', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (target, patch) => {
      const [targetText, patchText] = [JSON.stringify(target), JSON.stringify(patch)];
      const once = mergePatch(target, patch);
      expect(mergePatch(once, patch)).toEqual(once);
      expect([JSON.stringify(target), JSON.stringify(patch)]).toEqual([targetText, patchText]);
    }),
  );
});

test('no patch reaches a prototype', () => {
  mergePatch({}, JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}'));
  expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
});
