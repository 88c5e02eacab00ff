import { endpoints } from './api/endpoints.ts';
import { facades, handlerPath, isApiPath, otherApiPaths, servedFacades } from './facades.ts';
import { BACK_CHANNEL_LOGOUT_PATH } from './identity/log-out/contract.ts';
import { OPAMP_PATH } from './opamp/exchange/contract.ts';

const idsOf = (served: readonly { id: string }[]) => served.map(({ id }) => id);

test('the calls of PMM alone are left out by their setting', () => {
  expect(idsOf(servedFacades(undefined))).toEqual(idsOf(facades));
  expect(idsOf(servedFacades(true))).toEqual(idsOf(facades));
  const others = servedFacades(false);
  expect(others.flatMap(({ paths }) => paths)).toEqual([OPAMP_PATH, BACK_CHANNEL_LOGOUT_PATH]);
  expect(idsOf(facades).filter((id) => !idsOf(others).includes(id))).toEqual(
    idsOf(facades).filter((id) => id.startsWith('pmm')),
  );
});

test('paths outside /v1/ have a star for their rest', () => {
  expect(otherApiPaths).toEqual(expect.arrayContaining(['/ping', '/managed/v1/version', '/graph/api/*']));
  expect(otherApiPaths.filter((path) => path.startsWith('/v1/') || /[{}]/.test(path))).toEqual([]);
  const outside = facades.flatMap(({ paths }) => paths).filter((path) => !path.startsWith('/v1/'));
  expect(otherApiPaths).toHaveLength(outside.length);
});

test.each([
  ['/v1/nodes', true],
  ['/v1/', true],
  ['/ping', true],
  ['/graph/api/health', true],
  ['/v1', false],
  ['/', false],
  ['/docs/', false],
  ['/ping/x', false],
])('whether %s is a path of the API: %j', (path, isOfApi) => {
  expect(isApiPath(path)).toBe(isOfApi);
});

test('a contract names the module of its function', () => {
  const [endProviderSession] = facades.filter(({ id }) => id === 'endProviderSession');
  expect(handlerPath(endProviderSession!)).toBe('functions/identity/log-out/handler.ts');
  const getNode = endpoints.find(({ id }) => id === 'getNode')!;
  expect(handlerPath(getNode)).toBe(`functions/api/${getNode.folder}/handler.ts`);
});
