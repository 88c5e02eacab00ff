import { ApiError } from '../../../shared/core/errors.ts';
import { isDeclaredAs } from '../../../shared/http/content-type.ts';
import { errorReply } from '../../../shared/http/error-reply.ts';
import { apiHeaders } from '../../../shared/http/gateway-responses.ts';
import { checkSize, textOf } from '../../../shared/http/json-body.ts';
import type { Codec } from '../../../shared/http/pipeline.ts';
import { REQUEST_ID_HEADER, requestIdOf } from '../../../shared/http/request-id.ts';
import { sourceAddressOf } from '../../../shared/http/source-address.ts';
import type { Caller } from '../../contract/caller.ts';
import type { Endpoint } from '../../contract/endpoint.ts';

export interface LogOutRequest {
  /** Empty without a token, or with several. */
  token: string;
  requestId: string;
  sourceIp: string;
}

const MEDIA_TYPE = 'application/x-www-form-urlencoded';

/** The wire format of https://openid.net/specs/openid-connect-backchannel-1_0.html: other fields of the form are ignored. */
export const logOutCodec: Codec<{ contract: Endpoint }, LogOutRequest, undefined, Caller> = {
  parse: ({ contract }, event) => {
    checkSize(contract, event);
    const declared = {
      contentType: event.headers['content-type'],
      contentEncoding: event.headers['content-encoding'],
    };
    if (!isDeclaredAs([MEDIA_TYPE], declared))
      throw new ApiError('unsupportedMediaType', `Send the body as ${MEDIA_TYPE}, not compressed.`);
    const [token = '', ...others] = new URLSearchParams(textOf(event)).getAll('logout_token');
    return {
      token: others.length === 0 ? token : '',
      requestId: requestIdOf(event),
      sourceIp: sourceAddressOf(event),
    };
  },
  render: (_, event) => {
    const { 'Content-Type': _type, ...headers } = apiHeaders;
    return { statusCode: 200, headers: { ...headers, [REQUEST_ID_HEADER]: requestIdOf(event) }, body: '' };
  },
  renderError: (_, event, error) => errorReply(error, requestIdOf(event)),
};
