import { serialise } from './serialise.ts';
import type { OpenApiDocument } from './specification.ts';

const document = {
  openapi: '3.1.0',
  info: { title: 't' },
  paths: { '/a': { get: { id: 1 }, put: { id: 2 } } },
  components: { schemas: { A: { type: 'string' } } },
} as unknown as OpenApiDocument;

test('a document has one line for each operation and component', () => {
  const text = serialise(document);
  expect(JSON.parse(text)).toEqual(document);
  const lines = text.split('\n');
  for (const line of ['"get":{"id":1},', '"put":{"id":2}', '"A":{"type":"string"}']) expect(lines).toContain(line);
  expect(text.endsWith('}\n')).toBe(true);
});
