import {
  addUser,
  changeUser,
  endUserSessions,
  inviteUser,
  removeUser,
} from '../../../typescript/src/generated/operations.ts';
import type { InvitedUser } from '../../../typescript/src/generated/types.ts';
import type { Client } from '../../../typescript/src/operation.ts';
import { bodyOfOptions, bodyOptions } from '../command/body-flags.ts';
import type { Action } from '../command/command.ts';
import { requiredArgument } from '../command/required-argument.ts';
import { CommandError } from '../core/exit-codes.ts';
import { readList } from '../objects/objects.ts';
import { checkOut, giveSecret, outOption } from '../files/secrets.ts';
import { removal } from './credentials.ts';

/** The id of the user with this name or id. */
async function userId(client: Client, name: string): Promise<string> {
  const matching = (await readList(client, 'users', {})).filter(
    ({ user_id: id, user_name: userName }) => id === name || userName === name,
  );
  const [user] = matching;
  if (user === undefined) throw new CommandError(`There is no user ${name}.`, 'missing');
  if (matching.length > 1) throw new CommandError(`Several users have the name ${name}: give the id.`);
  return String(user['user_id']);
}

// Methods: the server checks the fields, which are options by its contract.
interface Writes {
  add(client: Client, body: object): Promise<InvitedUser>;
  change(client: Client, body: object): Promise<unknown>;
}

const writes: Writes = { add: addUser, change: changeUser };

export const add: Action = {
  options: [...bodyOptions('user', ['user_name']), outOption],
  run: async (call) => {
    checkOut(call);
    const body = { ...bodyOfOptions('user', call.options), user_name: call.args[0] };
    const { invitation, ...rest } = await writes.add(await call.connect(), body);
    return giveSecret(call, { invitation }, rest);
  },
};

export const invite: Action = {
  options: [
    { flags: '--invitation-time-to-live <text>', description: 'how long the invitation works; default: 3d' },
    outOption,
  ],
  run: async (call) => {
    checkOut(call);
    const life = call.options.text('invitationTimeToLive');
    const client = await call.connect();
    const { invitation, ...rest } = await inviteUser(client, {
      user_id: await userId(client, requiredArgument(call)),
      ...(life === undefined ? {} : { invitation_time_to_live: life }),
    });
    return giveSecret(call, { invitation }, rest);
  },
};

/** Changes the user that the argument names. */
const change = (bodyOf: (options: Parameters<Action['run']>[0]['options']) => object): Pick<Action, 'run'> => ({
  run: async ({ args: [name = ''], connect, options }) => {
    const body = bodyOf(options);
    const client = await connect();
    await writes.change(client, { user_id: await userId(client, name), ...body });
    return undefined;
  },
});

export const set: Action = {
  options: bodyOptions('user', ['user_name', 'invitation_time_to_live']),
  ...change((options) => {
    const { owners, ...body }: { owners?: unknown } = bodyOfOptions('user', options);
    // No owners is null in the API: an empty list is refused.
    const isEmpty = Array.isArray(owners) && owners.length === 0;
    return { ...body, ...(owners === undefined ? {} : { owners: isEmpty ? null : owners }) };
  }),
};

export const disable: Action = change(() => ({ disabled: true }));

export const enable: Action = change(() => ({ disabled: false }));

export const endSessions: Action = {
  run: async ({ args: [name = ''], connect }) => {
    const client = await connect();
    await endUserSessions(client, { user_id: await userId(client, name) });
    return undefined;
  },
};

export const remove = removal('user', async (client, name) =>
  removeUser(client, { user_id: await userId(client, name) }),
);
