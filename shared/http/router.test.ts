import fc from '../testing/fast-check.ts';
import type { HttpContract, PathSet } from './http-contract.ts';
import { createRouter, facadeOf } from './router.ts';

const at = (method: HttpContract['method'], path: string) => ({ id: `${method} ${path}`, method, path });

const table = [
  at('GET', '/v1/things/{thing_id}'),
  at('DELETE', '/v1/things/{thing_id}'),
  at('GET', '/v1/things/types'),
  at('GET', '/v1/things'),
  at('GET', '/v1/things/{thing_id}/parts/{part_id}'),
];

const route = createRouter(table);

const idOf = (method: string, path: string) => {
  const match = route(method, path);
  return match.kind === 'endpoint' ? match.endpoint.id : match.kind;
};

test('a literal segment precedes a parameter, in any table order', () => {
  for (const endpoints of [table, table.toReversed()]) {
    const match = createRouter(endpoints)('GET', '/v1/things/types');
    expect(match).toMatchObject({ kind: 'endpoint', endpoint: { path: '/v1/things/types' }, params: {} });
  }
});

test("a literal path is never another method's parameter", () => {
  expect(route('DELETE', '/v1/things/types')).toEqual({ kind: 'otherMethod', allow: ['GET', 'HEAD'] });
});

test.each([
  '/v1/things/',
  '/v1//things',
  '/v1/things/a/',
  '/V1/things',
  '/v1/things/a/parts',
  '/',
  '',
  '/v1/things/%zz',
])('%j is unknown', (path) => expect(idOf('GET', path)).toBe('unknown'));

test('an encoded slash or dot stays inside its parameter', () => {
  for (const [segment, value] of [
    ['..%2f..', '../..'],
    ['a%2Fb', 'a/b'],
    ['%2e%2e', '..'],
  ])
    expect(route('GET', `/v1/things/${segment}`)).toMatchObject({ params: { thing_id: value } });
  expect(idOf('GET', '/v1/things/a%2fparts%2fb')).toBe('GET /v1/things/{thing_id}');
});

test('HEAD is accepted where GET is', () => {
  expect(idOf('HEAD', '/v1/things/types')).toBe('GET /v1/things/types');
  expect(createRouter([at('DELETE', '/v1/x')])('HEAD', '/v1/x')).toEqual({ kind: 'otherMethod', allow: ['DELETE'] });
});

test('a percent-encoded literal is not that literal', () => {
  expect(idOf('GET', '/v1/thing%73')).toBe('unknown');
  expect(route('GET', '/v1/things/type%73')).toMatchObject({ params: { thing_id: 'types' } });
});

test('every encoded value is decoded from its path', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.string({ unit: 'binary', minLength: 1 }), (a, b) => {
      const path = `/v1/things/${encodeURIComponent(a)}/parts/${encodeURIComponent(b.toWellFormed())}`;
      expect(route('GET', path)).toMatchObject({ params: { thing_id: a, part_id: b.toWellFormed() } });
    }),
  );
});

test('no path causes an exception', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (path) => void route('GET', `/${path}`)));
});

test('a facade has its paths, and all below those with a rest parameter', () => {
  type Facade = PathSet & { id: string };
  const facade = (id: string, ...paths: string[]): Facade => ({ id, paths });
  const facades = [facade('all', '/v1/a/{rest+}', '/exact'), facade('one', '/v1/a/b')];
  const facadeIdOf = (path: string) => facadeOf(facades, path)?.facade.id;
  expect(['/v1/a/x', '/v1/a/x/y/', '/v1/a/b', '/exact'].map(facadeIdOf)).toEqual(['all', 'all', 'one', 'all']);
  const other: Facade = { ...facade('ready', '/v1/a/ready'), method: 'GET' };
  const withMethod = (method: string) => facadeOf([...facades, other], '/v1/a/ready', method)?.facade.id;
  expect(['GET', 'HEAD', 'POST', 'ANY'].map(withMethod)).toEqual(['ready', 'ready', undefined, undefined]);
  expect(facadeOf(facades, '/exact', 'POST')?.facade.id).toBe('all');
  expect(['/v1/a/', '/v1/a', '/exact/x', '/v1/ab', '/'].map(facadeIdOf)).toEqual(
    Array.from({ length: 5 }, () => undefined),
  );
});
