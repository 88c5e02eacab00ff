import type { CommandCall } from '../command/command.ts';
import { itemsOf } from '../objects/objects.ts';
import { objectSchema, stateSchema } from '../files/state-schema.ts';

export function run({ args: [kind], output }: CommandCall): Promise<undefined> {
  const schema = kind === undefined ? stateSchema() : objectSchema(itemsOf(kind, ['nodes', 'services', 'agents']));
  output.line(JSON.stringify(schema, undefined, 2));
  return Promise.resolve(undefined);
}
