/** Grafana's calls on API keys, by their names in the routes. */
import { isRank } from '../../../shared/auth/roles.ts';
import { secondsOf, timeText } from '../../../shared/core/seconds.ts';
import type { ApiKey } from '../../store/credentials/api-keys.ts';
import { allApiKeys } from '../../store/credentials/list-api-keys.ts';
import { numberOf } from '../../store/credentials/service-accounts.ts';
import type { WireCall, Operation } from '../wire/call.ts';
import { flagIn } from '../wire/input.ts';
import { addedKey, additionIn, numberInPath, rankIn, removeByNumber } from './grafana.ts';

/** The keys that belong to no service account. */
const keysOf = async ({ dependencies: { table } }: WireCall) =>
  (await allApiKeys(table)).filter(({ service_account: account }) => account === undefined);

const keyMessage = ({ key_id: id, name, role, expires_at: end }: ApiKey) => ({
  ...{ id: numberOf(id), name, role: isRank(role) ? role : 'None' },
  ...(end === undefined ? {} : { expiration: timeText(end) }),
});

export const listGrafanaKeys: Operation = async (call) => {
  const now = secondsOf(call.dependencies.clock());
  const includesExpired = flagIn(call.input, 'includeExpired');
  const keys = await keysOf(call);
  return keys.filter(({ expires_at: end = Infinity }) => includesExpired || end > now).map(keyMessage);
};

export const addGrafanaKey: Operation = (call) => addedKey(call, additionIn(call, rankIn(call)));

export const removeGrafanaKey: Operation = async (call) => {
  await removeByNumber(call, await keysOf(call), numberInPath(call, 'id', 'API key'));
  return { message: 'API key deleted' };
};
