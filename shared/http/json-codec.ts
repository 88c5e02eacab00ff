import { redact } from '../core/redact.ts';
import type { ApiReply, ApiRequest, Identity, Schema } from './api-request.ts';
import type { HttpContract } from './http-contract.ts';
import { errorReply } from './error-reply.ts';
import { parseRequest } from './parse-request.ts';
import type { Codec } from './pipeline.ts';
import { renderReply, standingHeaders } from './render-reply.ts';
import { requestIdOf } from './request-id.ts';

export interface EndpointCall<Params extends Schema, Query extends Schema, Body extends Schema, Reply extends Schema> {
  contract: HttpContract<Params, Query, Body, Reply>;
}

/** The wire format of our endpoints. */
export const jsonCodec = <
  Params extends Schema,
  Query extends Schema,
  Body extends Schema,
  Reply extends Schema,
  Caller extends Identity,
>(): Codec<
  EndpointCall<Params, Query, Body, Reply>,
  ApiRequest<Params, Query, Body, Caller>,
  ApiReply<unknown> | undefined,
  Caller
> => ({
  parse: ({ contract }, event) => parseRequest(contract, event),
  render: ({ contract }, event, reply) => renderReply(contract, event, reply),
  renderError: ({ contract }, event, error) => {
    const { headers, body, ...reply } = errorReply(error, requestIdOf(event));
    return { ...reply, headers: { ...standingHeaders(contract, event), ...headers }, body: redact(body) };
  },
  isRoutine: (reply) => reply?.isRoutine === true,
});
