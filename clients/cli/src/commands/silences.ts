import { addSilence, listSilences, removeSilence } from '../../../typescript/src/generated/operations.ts';
import type { Silence } from '../../../typescript/src/generated/types.ts';
import type { Client } from '../../../typescript/src/operation.ts';
import { bodyOfOptions, bodyOptions } from '../command/body-flags.ts';
import type { Action } from '../command/command.ts';
import { CommandError } from '../core/exit-codes.ts';
import { fieldsOf } from '../core/values.ts';
import { removal } from './credentials.ts';

const layout = {
  columns: ['selector', 'reason', 'until'],
  wide: ['selector', 'reason', 'until', 'silence_id', 'created_at', 'created_by'],
};

export const list: Action = {
  run: async ({ output, connect }) => {
    const { silences } = await listSilences(await connect());
    await output.list(silences.map(fieldsOf), layout);
    return undefined;
  },
};

// A method: the server checks the fields, which are options by its contract.
const writes: { add(client: Client, body: object): Promise<Silence> } = { add: addSilence };

export const add: Action = {
  options: bodyOptions('silence', ['selector']),
  run: async ({ args: [selector], options, output, connect }) => {
    const silence = await writes.add(await connect(), { ...bodyOfOptions('silence', options), selector });
    await output.object(fieldsOf(silence), layout);
    return undefined;
  },
};

/** Ends the silence with this selector or id. */
export const end = removal('silence', async (client, name) => {
  const { silences } = await listSilences(client);
  const silence = silences.find(({ silence_id: id, selector }) => id === name || selector === name);
  if (silence === undefined) throw new CommandError(`There is no silence ${name}.`, 'missing');
  await removeSilence(client, { silence_id: silence.silence_id });
});
