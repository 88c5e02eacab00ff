import { rotateKey } from '../../../typescript/src/flows/rotate.ts';
import {
  addApiKey,
  addEnrolmentToken,
  changeApiKey,
  endSession,
  removeApiKey,
  removeEnrolmentToken,
  rotateApiKey,
} from '../../../typescript/src/generated/operations.ts';
import type { NewApiKey, NewEnrolmentToken } from '../../../typescript/src/generated/types.ts';
import type { Client } from '../../../typescript/src/operation.ts';
import { bodyOfOptions, bodyOptions } from '../command/body-flags.ts';
import type { Action, CommandCall, OptionSpec } from '../command/command.ts';
import { CommandError } from '../core/exit-codes.ts';
import { confirm } from '../command/confirm.ts';
import { isId, readList } from '../objects/objects.ts';
import { checkOut, giveSecret, outOption, showCredential, storeSecret } from '../files/secrets.ts';

const yesOption: OptionSpec = { flags: '-y, --yes', description: 'do not ask' };

/** The id of the key with this name or id. */
async function keyId(client: Client, name: string): Promise<string> {
  const key = (await readList(client, 'api_keys', { name_prefix: name, include_expired: true })).find(
    (candidate) => candidate['name'] === name,
  );
  if (key !== undefined) return String(key['key_id']);
  if (!isId(name)) throw new CommandError(`There is no key ${name}.`, 'missing');
  return name;
}

// Methods: the server checks the fields, which are options by its contract.
interface Additions {
  key(client: Client, body: object): Promise<NewApiKey>;
  token(client: Client, body: object): Promise<NewEnrolmentToken>;
}

const additions: Additions = { key: addApiKey, token: addEnrolmentToken };

export const addKey: Action = {
  options: [...bodyOptions('key', ['name']), outOption],
  run: async (call) => {
    checkOut(call);
    const body = { ...bodyOfOptions('key', call.options), name: call.args[0] };
    const { key, ...rest } = await additions.key(await call.connect(), body);
    return giveSecret(call, { key }, rest);
  },
};

export const addToken: Action = {
  options: [...bodyOptions('token', ['name']), outOption],
  run: async (call) => {
    checkOut(call);
    const body = { ...bodyOfOptions('token', call.options), name: call.args[0] };
    const { token, ...rest } = await additions.token(await call.connect(), body);
    return giveSecret(call, { token }, rest);
  },
};

export const rotate: Action = {
  options: [
    { flags: '--overlap <time>', description: 'how long the present secret still works; default: 1h' },
    outOption,
  ],
  run: async (call) => {
    const overlap = call.options.text('overlap') ?? '1h';
    const client = await call.connect();
    const [name] = call.args;
    if (name !== undefined) {
      checkOut(call);
      const { key, ...rest } = await rotateApiKey(client, { key_id: await keyId(client, name), overlap });
      return giveSecret(call, { key }, rest);
    }
    // The new key is stored where the present one comes from, and used from there.
    const { name: ownName, ...rest } = await rotateKey(client, { overlap, store: await storeSecret(call) });
    await showCredential(call, { name: ownName, ...rest });
    return undefined;
  },
};

/** Changes the key that the first argument names. */
const change = (bodyOf: (args: readonly string[]) => Omit<Parameters<typeof changeApiKey>[1], 'key_id'>): Action => ({
  run: async ({ args, connect }) => {
    const [name = ''] = args;
    const body = bodyOf(args);
    const client = await connect();
    await changeApiKey(client, { key_id: await keyId(client, name), ...body });
    return undefined;
  },
});

export const limit = change(([, text = '']) => {
  const number = text === 'none' ? null : Number(text);
  if (number !== null && !Number.isInteger(number)) throw new CommandError(`Not requests per minute, or none: ${text}`);
  return { rate_limit_per_minute: number };
});

export const disableKey = change(() => ({ disabled: true }));

export const enableKey = change(() => ({ disabled: false }));

/** Removes what the argument names, after a question. */
export const removal = (noun: string, remove: (client: Client, name: string) => Promise<unknown>): Action => ({
  options: [yesOption],
  run: async (call: CommandCall) => {
    const [name = ''] = call.args;
    await confirm(`Remove the ${noun} ${name}?`, call);
    await remove(await call.connect(), name);
    call.output.line(`${noun} ${name} removed`);
    return undefined;
  },
});

export const removeKey = removal('key', async (client, name) =>
  removeApiKey(client, { key_id: await keyId(client, name) }),
);

export const removeToken = removal('token', (client, id) => removeEnrolmentToken(client, { token_id: id }));

export const end = removal('session', (client, id) => endSession(client, { session_id: id }));
