import { enrolNode } from '../../../typescript/src/generated/operations.ts';
import type { AddNode } from '../../../typescript/src/generated/types.ts';
import { readText } from '../files/body-file.ts';
import { bodyOfOptions, bodyOptions, labelOption } from '../command/body-flags.ts';
import type { CommandCall, OptionSpec } from '../command/command.ts';
import { CommandError } from '../core/exit-codes.ts';
import { checkOut, giveSecret, outOption } from '../files/secrets.ts';

export const options: readonly OptionSpec[] = [
  { flags: '--token-file <file>', description: 'file with the enrolment token; - is the standard input' },
  ...bodyOptions('node', ['node_name']),
  labelOption,
  outOption,
];

/** The server checks the fields, which the options of its contract gave. */
const isNode = (body: object): body is AddNode => 'node_type' in body;

export async function run(call: CommandCall): Promise<undefined> {
  const file = call.options.text('tokenFile');
  if (file === undefined) throw new CommandError('Give the enrolment token: --token-file FILE.');
  const token = (await readText(file, call.world)).trim();
  const node = { node_type: 'generic', ...bodyOfOptions('node', call.options), node_name: call.args[0] };
  if (token === '' || !isNode(node)) throw new CommandError(`${file} contains no token.`);
  checkOut(call);
  const reply = await enrolNode(await call.connect(), { token, node });
  await giveSecret(call, { key: reply.api_key.key }, reply.node);
}
