import { redact } from '../core/redact.ts';
import type { ApiReply, ApiRequest, Identity, Schema } from './api-request.ts';
import { type HttpContract, takesBody } from './http-contract.ts';
import { errorReply } from './error-reply.ts';
import { jsonBodies } from './middleware/json-bodies.ts';
import { jsonTextOf, parseRequest } from './parse-request.ts';
import type { Codec, ServedCall } from './pipeline.ts';
import { renderReply, standingHeaders } from './render-reply.ts';
import { requestIdOf } from './request-id.ts';

/** The wire format of an endpoint. */
export const jsonCodec = <Params extends Schema, Query extends Schema, Body extends Schema, Caller extends Identity>(
  endpoint: HttpContract<Params, Query, Body>,
): Codec<ServedCall, ApiRequest<Params, Query, Body, Caller>, ApiReply<unknown> | undefined, Caller> => ({
  readBody: takesBody(endpoint) ? jsonBodies((_, event) => jsonTextOf(endpoint, event)) : [],
  parse: (_, event, json) => parseRequest(endpoint, event, json),
  render: (_, event, reply) => renderReply(endpoint, event, reply),
  renderError: (_, event, error) => {
    const { headers, body, ...reply } = errorReply(error, requestIdOf(event));
    return { ...reply, headers: { ...standingHeaders(endpoint, event), ...headers }, body: redact(body) };
  },
  isRoutine: (reply) => reply?.isRoutine === true,
});
