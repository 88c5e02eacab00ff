import { readFile } from 'node:fs/promises';
import { type DescField, type DescFile, ScalarType } from '@bufbuild/protobuf';
import { file_opamp } from '../functions/opamp/protocol/generated/opamp_pb.ts';
import { file_agent } from '../gateway/protocol/generated/agent_pb.ts';

const FIELD = /((?:repeated )?[\w.]+(?:<\w+, \w+>)?) (\w+) = (\d+);/g;

/** The messages of a declaration: each with its fields as they are declared. */
async function declared(path: string): Promise<Record<string, string[]>> {
  const text = (await readFile(new URL(path, import.meta.url), 'utf8')).replace(/\/\/.*$/gm, '');
  const messages = text.split(/^message /m).slice(1);
  return Object.fromEntries(
    messages.map((message) => {
      const [name = ''] = message.split(' ', 1);
      return [name, [...message.matchAll(FIELD)].map(([, type, field, number]) => `${type} ${field} ${number}`).sort()];
    }),
  );
}

const scalar = (type: ScalarType) => ScalarType[type].toLowerCase();

function typeOf(field: DescField): string {
  if (field.fieldKind === 'message') return field.message.name;
  if (field.fieldKind === 'list')
    return `repeated ${field.listKind === 'scalar' ? scalar(field.scalar) : (field.message?.name ?? 'other')}`;
  if (field.fieldKind === 'map')
    return `map<${scalar(field.mapKey)}, ${field.mapKind === 'scalar' ? scalar(field.scalar) : (field.message?.name ?? '')}>`;
  return field.fieldKind === 'scalar' ? scalar(field.scalar) : 'other';
}

test.each<[string, DescFile]>([
  ['../gateway/protocol/agent.proto', file_agent],
  ['../functions/opamp/protocol/opamp.proto', file_opamp],
])('the generated code is that of %s; `node tools/generate-protocol.ts` renews it', async (path, { messages }) => {
  const generated = Object.fromEntries(
    messages.map(({ name, fields }) => [
      name,
      fields.map((field) => `${typeOf(field)} ${field.name} ${field.number}`).sort(),
    ]),
  );
  expect(generated).toEqual(await declared(path));
  expect(Object.keys(generated).length).toBeGreaterThan(5);
});
