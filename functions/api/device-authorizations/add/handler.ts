import { hashDeviceCode, hashUserCode, newDeviceCode } from '../../../../shared/auth/api-key-text.ts';
import { draw } from '../../../../shared/auth/base62.ts';
import { endAfter } from '../../../../shared/core/seconds.ts';
import {
  DEVICE_SECONDS,
  POLL_SECONDS,
  shownUserCode,
  USER_CODE_LENGTH,
  USER_CODE_LETTERS,
} from '../../../domain/access/device-authorization.ts';
import { DEVICE_PAGE } from '../../../domain/access/device-page.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { addDevice } from '../../../store/credentials/add-device.ts';
import { limitAttempts } from '../../../store/credentials/log-in.ts';
import { endpoint } from './endpoint.ts';

const PAGE = `/#/${DEVICE_PAGE}`;

export const { handler, handlerWith } = createEndpointFunction(endpoint, async ({ body, sourceIp }, dependencies) => {
  const { table, clock, randomBytes } = dependencies;
  const now = clock();
  await limitAttempts(table, { call: 'device-authorization', sourceIp, now });
  const device_code = newDeviceCode(randomBytes);
  const code = draw(USER_CODE_LENGTH, USER_CODE_LETTERS, randomBytes);
  const user_code = shownUserCode(code);
  await addDevice(table, {
    code_hash: hashDeviceCode(device_code),
    user_code_hash: hashUserCode(code),
    client_name: body.client_name,
    source_ip: sourceIp,
    requested_at: now.toISOString(),
    expires_at: endAfter(now, DEVICE_SECONDS),
    state: 'pending',
  });
  const pages = { verification_uri: PAGE, verification_uri_complete: `${PAGE}?user_code=${user_code}` };
  return { body: { device_code, user_code, ...pages, expires_in: DEVICE_SECONDS, interval: POLL_SECONDS } };
});
