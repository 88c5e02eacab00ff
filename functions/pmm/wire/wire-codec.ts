import { refusalMessages } from '../../../shared/auth/refusal-messages.ts';
import { redact } from '../../../shared/core/redact.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import type { ApiEvent } from '../../../shared/http/api-request.ts';
import { fitLambdaLimit, MAX_RESULT_BYTES, orSmaller } from '../../../shared/http/carry.ts';
import { apiHeaders } from '../../../shared/http/gateway-responses.ts';
import { checkSize } from '../../../shared/http/json-body.ts';
import { jsonBodies } from '../../../shared/http/middleware/json-bodies.ts';
import type { Codec } from '../../../shared/http/pipeline.ts';
import { REQUEST_ID_HEADER, requestIdOf } from '../../../shared/http/request-id.ts';
import { sourceAddressOf } from '../../../shared/http/source-address.ts';
import type { Caller } from '../../contract/caller.ts';
import type { ServedRoute } from '../declarations/route.ts';
import type { WireCall, Message } from './call.ts';
import { unimplemented } from './errors.ts';
import type { FoundCall } from './find-call.ts';
import { ListMessage } from './list-message.ts';
import { jsonTextOf, readInput } from './read-input.ts';
import { tooLarge } from './reply-size.ts';

/** The form in which a function of PMM finds its calls and writes its messages. */
export interface Form {
  /** The path by which the call is found. */
  pathOf: (path: string) => string;
  textOf: (message: unknown) => string;
  /** The status and the message of a refused call. */
  refusalOf: (error: ApiError, call: FoundCall) => { http: number; message: object };
}

/** A request, without what its operation needs besides. */
type ParsedCall = Omit<WireCall, 'dependencies'>;

/** @throws ApiError for a call that is not served, whatever its body is. */
function servedRouteOf({ route }: FoundCall, { path, httpMethod: method }: ApiEvent<Caller>): ServedRoute {
  if (route === undefined) throw new ApiError('notFound', `Endpoint not found: ${path}, http method: ${method}`);
  if (route.operation === 'unimplemented') throw unimplemented(path);
  return route;
}

function jsonText(call: FoundCall, event: ApiEvent<Caller>): string {
  servedRouteOf(call, event);
  checkSize(call.contract, event);
  return jsonTextOf(event);
}

function parse(call: FoundCall, event: ApiEvent<Caller>, json: unknown): ParsedCall {
  const route = servedRouteOf(call, event);
  call.input = readInput(event, json, call.input);
  const caller = () => {
    if (event.caller === undefined) throw new ApiError('unauthenticated', refusalMessages.missing);
    return event.caller;
  };
  const { input } = call;
  const from = { requestId: requestIdOf(event), sourceIp: sourceAddressOf(event) };
  return { route, generation: route.generation, input, caller, ...from };
}

const headersOf = (event: ApiEvent) => ({ ...apiHeaders, [REQUEST_ID_HEADER]: requestIdOf(event) });

/** The wire format of PMM's clients: JSON of protobuf messages in requests, and replies and errors of this form. */
export const wireCodec = ({
  textOf,
  refusalOf,
}: Form): Codec<FoundCall, ParsedCall, Message | ListMessage, Caller> => ({
  readBody: jsonBodies(jsonText),
  parse,
  render: ({ route }, event, reply) => {
    const { message, smaller } = reply instanceof ListMessage ? reply : { message: reply };
    return orSmaller<Message>(message, smaller, (shortMessage) => {
      const body = textOf(shortMessage);
      if (Buffer.byteLength(body) > MAX_RESULT_BYTES) throw tooLarge(route);
      const result = { statusCode: route?.status ?? 200, headers: headersOf(event), body };
      try {
        return fitLambdaLimit(result, event.headers['accept-encoding']);
      } catch (error) {
        throw error instanceof ApiError ? tooLarge(route) : error;
      }
    });
  },
  renderError: (call, event, error) => {
    const { http, message } = refusalOf(error, call);
    return { statusCode: http, headers: { ...headersOf(event), ...error.headers }, body: redact(textOf(message)) };
  },
});
