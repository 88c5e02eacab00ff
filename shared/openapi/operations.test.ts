import { mapMedia, mapOperations } from './operations.ts';
import type { OpenApiDocument, Operation } from './specification.ts';

const json = (name: string) => ({ 'application/json': { schema: { title: name }, example: 1 } });
const operation = {
  operationId: 'a',
  requestBody: { required: true, content: json('body') },
  responses: {
    '200': { description: 'd', content: json('reply') },
    '204': { description: 'none' },
    '400': { $ref: 'error' },
  },
} as unknown as Operation;

test('the schemas of the body and of each reply are changed, and nothing else', () => {
  const change = ({ title }: { title?: string }) => ({ title: `${title ?? ''} changed` });
  expect(mapMedia(operation, change as never)).toEqual({
    ...operation,
    requestBody: { required: true, content: json('body changed') },
    responses: { ...operation.responses, '200': { description: 'd', content: json('reply changed') } },
  });
  const { requestBody: _, ...without } = operation;
  expect(mapMedia(without, change as never)).not.toHaveProperty('requestBody');
});

test('every operation of every path is changed', () => {
  const document = {
    info: { title: 't' },
    paths: { '/a': { get: operation, put: operation }, '/b': { get: operation } },
  };
  const changed = mapOperations(document as unknown as OpenApiDocument, (one) => ({ ...one, operationId: 'b' }));
  const ids = Object.values(changed.paths).flatMap((path) => Object.values(path).map((one) => one.operationId));
  expect(ids).toEqual(['b', 'b', 'b']);
  expect(changed.info).toEqual({ title: 't' });
});
