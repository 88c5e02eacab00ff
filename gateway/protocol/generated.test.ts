import { readFile } from 'node:fs/promises';
import type { DescField } from '@bufbuild/protobuf';
import { ScalarType } from '@bufbuild/protobuf';
import { file_agent } from './generated/agent_pb.ts';

/** The messages of the declaration: each with its fields as they are declared. */
async function declared(): Promise<Record<string, string[]>> {
  const text = (await readFile(new URL('agent.proto', import.meta.url), 'utf8')).replace(/\/\/.*$/gm, '');
  const messages = text.split(/^message /m).slice(1);
  return Object.fromEntries(
    messages.map((message) => {
      const [name = ''] = message.split(' ', 1);
      const fields = message.matchAll(/((?:repeated )?[\w.]+(?:<\w+, \w+>)?) (\w+) = (\d+);/g);
      return [name, [...fields].map(([, type, field, number]) => `${type} ${field} ${number}`).sort()];
    }),
  );
}

const scalar = (type: ScalarType) => ScalarType[type].toLowerCase();

function typeOf(field: DescField): string {
  if (field.fieldKind === 'message') return field.message.name;
  if (field.fieldKind === 'list') return `repeated ${field.listKind === 'scalar' ? scalar(field.scalar) : 'other'}`;
  if (field.fieldKind === 'map')
    return `map<${scalar(field.mapKey)}, ${field.mapKind === 'scalar' ? scalar(field.scalar) : (field.message?.name ?? '')}>`;
  return field.fieldKind === 'scalar' ? scalar(field.scalar) : 'other';
}

test('the generated code is that of the declaration; `node tools/generate-protocol.ts` renews it', async () => {
  const generated = Object.fromEntries(
    file_agent.messages.map(({ name, fields }) => [
      name,
      fields.map((field) => `${typeOf(field)} ${field.name} ${field.number}`).sort(),
    ]),
  );
  expect(generated).toEqual(await declared());
  expect(Object.keys(generated).length).toBeGreaterThan(5);
});
