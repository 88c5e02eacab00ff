import { getCaller, getVersion } from '../../../typescript/src/generated/operations.ts';
import type { CommandCall } from '../command/command.ts';

export async function run({ output, settings, connect }: CommandCall): Promise<undefined> {
  const { url, context, keySource } = await settings();
  const client = await connect();
  const [caller, { build }] = await Promise.all([getCaller(client), getVersion(client)]);
  const result = { ...caller, server: url, server_version: build.version, context, key_source: keySource };
  await output.object(result, { columns: ['name', 'role', 'server'] });
}
