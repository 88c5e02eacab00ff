import type { CommandCall } from '../command.ts';
import { stateSchema } from '../state-schema.ts';

export function run({ output }: CommandCall): Promise<undefined> {
  output.line(JSON.stringify(stateSchema(), undefined, 2));
  return Promise.resolve(undefined);
}
