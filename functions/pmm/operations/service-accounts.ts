/** Grafana's calls on service accounts and their tokens, by their names in the routes. */
import { secondsOf, timeText } from '../../../shared/core/seconds.ts';
import { ApiError, invalidRequest } from '../../../shared/core/errors.ts';
import type { ApiKey } from '../../store/credentials/api-keys.ts';
import {
  addServiceAccount as storeServiceAccount,
  getServiceAccount as readServiceAccount,
  listServiceAccounts as readServiceAccounts,
  numberOf,
  removeServiceAccount as deleteServiceAccount,
  type ServiceAccount,
} from '../../store/credentials/service-accounts.ts';
import { allApiKeys } from '../../store/credentials/list-api-keys.ts';
import { writeContextOf } from '../../store/entities/write-context.ts';
import type { WireCall, Operation } from '../wire/call.ts';
import { GrafanaError } from '../wire/grafana.ts';
import { flagIn, given, numberIn, textIn } from '../wire/input.ts';
import { addedKey, additionIn, numberInPath, rankIn, removeByNumber } from './grafana.ts';

const idOf = (call: WireCall) => numberInPath(call, 'id', 'Service Account');

const accountOf = (call: WireCall) => readServiceAccount(call.dependencies.table, idOf(call));

/** The tokens of an account among all keys. */
const tokensAmong = (keys: readonly ApiKey[], { name }: ServiceAccount) =>
  keys.filter(({ service_account: account }) => account === name);

const tokensOf = async ({ dependencies: { table } }: WireCall, account: ServiceAccount) =>
  tokensAmong(await allApiKeys(table), account);

function accountMessage(account: ServiceAccount, tokens: number) {
  const { id, name, role, created_at: time } = account;
  const login = `sa-${name.toLowerCase().replaceAll(/\s/g, '-')}`;
  return {
    // Programs put `uid` into paths instead of `id`.
    ...{ id, uid: String(id), name, login, orgId: 1, isDisabled: false, createdAt: time, updatedAt: time },
    ...{ avatarUrl: '', role, teams: [], tokens },
  };
}

/** Does the work; a name that is taken is an error with the id of Grafana. */
async function naming<Result>(messageId: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const isTaken = error instanceof ApiError && error.kind === 'alreadyExists';
    throw isTaken ? new GrafanaError('invalidArgument', error.message, messageId) : error;
  }
}

const unchangeable = () =>
  invalidRequest([
    {
      ...{ field: '', reason: 'not_allowed' },
      message:
        'The name and the role of a service account cannot be changed, and it cannot be disabled. Add another one.',
    },
  ]);

export const addServiceAccount: Operation = async (call) => {
  // Without a role, Grafana adds a Viewer.
  const role = given(call.input, 'role') === undefined ? 'Viewer' : rankIn(call);
  const { name } = additionIn(call, role);
  if (flagIn(call.input, 'isDisabled')) throw unchangeable();
  const { dependencies } = call;
  const account = await naming('serviceaccounts.ErrAlreadyExists', () =>
    storeServiceAccount(dependencies.table, { name, role }, writeContextOf(call, dependencies)),
  );
  return accountMessage(account, 0);
};

const MAX_PER_PAGE = 1000;

export const listServiceAccounts: Operation = async (call) => {
  const { input, dependencies } = call;
  const sought = textIn(input, 'query').toLowerCase();
  const perPage = Math.min(Math.max(numberIn(input, 'perpage'), 0) || MAX_PER_PAGE, MAX_PER_PAGE);
  const page = Math.max(numberIn(input, 'page'), 1);
  const [accounts, keys] = await Promise.all([readServiceAccounts(dependencies.table), allApiKeys(dependencies.table)]);
  const now = secondsOf(dependencies.clock());
  const isWanted = (account: ServiceAccount) =>
    account.name.toLowerCase().includes(sought) &&
    !flagIn(input, 'disabled') &&
    (!flagIn(input, 'expiredTokens') ||
      tokensAmong(keys, account).some(({ expires_at: end = Infinity }) => end <= now));
  const wanted = accounts.filter(isWanted);
  const shown = wanted.slice((page - 1) * perPage, page * perPage);
  return {
    totalCount: wanted.length,
    serviceAccounts: shown.map((account) => accountMessage(account, tokensAmong(keys, account).length)),
    ...{ page, perPage },
  };
};

export const getServiceAccount: Operation = async (call) => {
  const account = await accountOf(call);
  return accountMessage(account, (await tokensOf(call, account)).length);
};

/** Accepts a change that changes nothing: programs send one after the addition. */
export const changeServiceAccount: Operation = async (call) => {
  const account = await accountOf(call);
  const { name = account.name, role = account.role } = call.input;
  if (name !== account.name || role !== account.role || flagIn(call.input, 'isDisabled')) throw unchangeable();
  const message = accountMessage(account, (await tokensOf(call, account)).length);
  return { id: account.id, name: account.name, message: 'Service account updated', serviceaccount: message };
};

export const removeServiceAccount: Operation = async (call) => {
  await deleteServiceAccount(call.dependencies.table, idOf(call), writeContextOf(call, call.dependencies));
  return { message: 'Service account deleted' };
};

const DAY_SECONDS = 86_400;
/** Grafana states how long a token still lives only in its last days. */
const SOON_SECONDS = 7 * DAY_SECONDS;

function tokenMessage(
  { key_id: id, name, created_at: created, last_used_at: used, expires_at: end }: ApiKey,
  now: number,
) {
  const left = end === undefined ? 0 : end - now;
  return {
    ...{ id: numberOf(id), name, created, lastUsedAt: used === undefined ? null : timeText(used) },
    expiration: end === undefined ? null : timeText(end),
    secondsUntilExpiration: left > 0 && left < SOON_SECONDS ? left : 0,
    hasExpired: end !== undefined && left <= 0,
    isRevoked: false,
  };
}

export const listServiceAccountTokens: Operation = async (call) => {
  const now = secondsOf(call.dependencies.clock());
  const tokens = await tokensOf(call, await accountOf(call));
  return tokens.map((token) => tokenMessage(token, now));
};

export const addServiceAccountToken: Operation = async (call) => {
  const account = await accountOf(call);
  return naming('serviceaccounts.ErrTokenAlreadyExists', () => addedKey(call, additionIn(call, account.role), account));
};

export const removeServiceAccountToken: Operation = async (call) => {
  const tokens = await tokensOf(call, await accountOf(call));
  await removeByNumber(call, tokens, numberInPath(call, 'token_id', 'Token'));
  return { message: 'Service account token deleted' };
};
