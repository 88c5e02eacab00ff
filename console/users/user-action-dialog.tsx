import { endpoint as changeUser } from '../../functions/api/users/change/endpoint.ts';
import { endpoint as endUserSessions } from '../../functions/api/users/end-sessions/endpoint.ts';
import { endpoint as inviteUser } from '../../functions/api/users/invite/endpoint.ts';
import { endpoint as removeUser } from '../../functions/api/users/remove/endpoint.ts';
import type { Endpoint } from '../../functions/contract/endpoint.ts';
import { type AnyCall, call, requestOf } from '../api/client.tsx';
import { session } from '../api/session.tsx';
import { useCaller } from '../ui/caller-context.tsx';
import { flash } from '../ui/flash.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { useAction } from '../ui/use-submit.tsx';
import type { InvitedUser } from './invited-dialog.tsx';
import type { User } from './use-users.tsx';

interface UserAction {
  header: string;
  submitText: string;
  /** The effect, before the action. */
  effect: (name: string) => string;
  endpoint: Endpoint;
  body?: object;
  /** @returns the user with a new invitation, if the action makes one. */
  send: (id: string) => Promise<InvitedUser | undefined>;
  /** The effect, after the action. */
  done: (name: string) => string;
}

const lock = (disabled: boolean) => (id: string) =>
  call(changeUser, { params: { user_id: id }, body: { disabled } }).then(() => undefined);

const actions = {
  disable: {
    header: 'Disable user',
    submitText: 'Disable',
    effect: (name) => `All sessions of ${name} end, and log-ins are refused. API keys that ${name} added stay.`,
    endpoint: changeUser,
    body: { disabled: true },
    send: lock(true),
    done: (name) => `${name} was disabled.`,
  },
  enable: {
    header: 'Enable user',
    submitText: 'Enable',
    effect: (name) => `${name} can log in again.`,
    endpoint: changeUser,
    body: { disabled: false },
    send: lock(false),
    done: (name) => `${name} was enabled.`,
  },
  invite: {
    header: 'Invite again',
    submitText: 'Invite',
    effect: (name) =>
      `For a lost invitation or password. The password, the previous invitation and all sessions of ${name} end.`,
    endpoint: inviteUser,
    body: {},
    send: (id) => call(inviteUser, { params: { user_id: id }, body: {} }),
    done: (name) => `${name} was invited again.`,
  },
  endSessions: {
    header: 'End all sessions',
    submitText: 'End all sessions',
    effect: (name) => `${name} must log in again everywhere.`,
    endpoint: endUserSessions,
    send: (id) => call(endUserSessions, { params: { user_id: id } }).then(() => undefined),
    done: (name) => `All sessions of ${name} were ended.`,
  },
  remove: {
    header: 'Remove user',
    submitText: 'Remove',
    effect: (name) =>
      `All sessions of ${name} end, and the private saved filters of ${name} are removed. API keys that ${name} added stay.`,
    endpoint: removeUser,
    send: (id) => call(removeUser, { params: { user_id: id } }).then(() => undefined),
    done: (name) => `${name} was removed.`,
  },
} as const satisfies Record<string, UserAction>;

export type UserActionName = keyof typeof actions;

interface Props {
  user: User;
  action: UserActionName;
  close: () => void;
  done: () => void;
  invited: (user: InvitedUser) => void;
}

/** Asks before an action on a user, and performs it. */
export function UserActionDialog({ user: { user_id, user_name: name }, action, close, done, invited }: Props) {
  const { header, submitText, effect, endpoint, body, send, done: doneText }: UserAction = actions[action];
  const caller = useCaller();
  const isOwn = caller.user_id === user_id;
  const form = useAction(async () => {
    const user = await send(user_id);
    if (user !== undefined) invited(user);
    else {
      flash.add({ type: 'success', content: doneText(name) });
      if (isOwn) session.leave('You have ended your sessions.');
      else done();
    }
  });
  const request: AnyCall = { params: { user_id }, ...(body === undefined ? {} : { body }) };
  return (
    <FormDialog
      header={header}
      submitText={submitText}
      form={form}
      failureTitle="The action failed"
      close={close}
      request={requestOf(endpoint, request)}
    >
      <div>
        {effect(name)}
        {isOwn && ' You are logged in as this user, and will be logged out.'}
      </div>
    </FormDialog>
  );
}
