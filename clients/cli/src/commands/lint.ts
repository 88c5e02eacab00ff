import type { CommandCall, OptionSpec } from '../command.ts';
import { filesOption } from '../plans.ts';
import { readStateFiles } from '../state-file.ts';

export const options: readonly OptionSpec[] = [filesOption];

export async function run({ options: given, output }: CommandCall): Promise<undefined> {
  const rows = (await readStateFiles(given.all('file'))).map(({ path, parsed: { desired } }) => ({
    file: path,
    nodes: desired?.nodes.length,
    services: desired?.services.length,
    agents: desired?.agents.length,
  }));
  await output.list(rows, { columns: ['file', 'nodes', 'services', 'agents'] });
}
