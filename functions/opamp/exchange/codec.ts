import { refusalMessages } from '../../../shared/auth/refusal-messages.ts';
import { ApiError, invalidRequest } from '../../../shared/core/errors.ts';
import { redact } from '../../../shared/core/redact.ts';
import type { ApiEvent } from '../../../shared/http/api-request.ts';
import { isDeclaredAs } from '../../../shared/http/content-type.ts';
import { apiHeaders } from '../../../shared/http/gateway-responses.ts';
import { inflated } from '../../../shared/http/inflated.ts';
import { checkSize } from '../../../shared/http/json-body.ts';
import type { Codec } from '../../../shared/http/pipeline.ts';
import { REQUEST_ID_HEADER, requestIdOf } from '../../../shared/http/request-id.ts';
import { sourceAddressOf } from '../../../shared/http/source-address.ts';
import type { Caller } from '../../contract/caller.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { errorTypes } from '../protocol/capabilities.ts';
import { REPORT_AFTER_HEADER } from './contract.ts';
import {
  type AgentToServer,
  MessageTooLong,
  readAgentToServer,
  type Reply,
  writeServerToAgent,
} from '../protocol/messages.ts';

export interface OpampCall {
  contract: Endpoint;
}

export interface OpampRequest {
  message: AgentToServer;
  caller: () => Caller;
  requestId: string;
  sourceIp: string;
}

export interface OpampReply {
  message: Reply;
  /** When the next report is due; undefined for an agent that is not declared. */
  reportAfterSeconds: number | undefined;
  /** Nothing is new, so that the log has no line about it. */
  isRoutine: boolean;
}

const MEDIA_TYPE = 'application/x-protobuf';

/** After decompression: the effective configuration, which is not read, may be long. */
const MAX_MESSAGE_BYTES = 1024 * 1024;

/** The length of an instance uid. */
const UID_BYTES = 16;

const malformed = (field: string, message: string) => invalidRequest([{ field, reason: 'invalid_format', message }]);

function bytesOf(contract: Endpoint, event: ApiEvent): Uint8Array {
  checkSize(contract, event);
  const contentType = event.headers['content-type'];
  if (!isDeclaredAs([MEDIA_TYPE], { contentType, contentEncoding: undefined }))
    throw new ApiError('unsupportedMediaType', `Send the body as ${MEDIA_TYPE}, uncompressed or as gzip.`);
  const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  return inflated(body, event.headers['content-encoding'], MAX_MESSAGE_BYTES);
}

function messageIn(bytes: Uint8Array): AgentToServer {
  let message: AgentToServer;
  try {
    message = readAgentToServer(bytes);
  } catch (error) {
    throw malformed('', error instanceof MessageTooLong ? error.message : 'The body is no AgentToServer message.');
  }
  if (message.instanceUid.length !== UID_BYTES)
    throw malformed('instance_uid', `The instance uid must have ${UID_BYTES} bytes.`);
  return message;
}

function resultOf(event: ApiEvent, statusCode: number, headers: Record<string, string>, message: Reply) {
  return {
    statusCode,
    headers: { ...apiHeaders, [REQUEST_ID_HEADER]: requestIdOf(event), ...headers, 'Content-Type': MEDIA_TYPE },
    body: Buffer.from(writeServerToAgent(message)).toString('base64'),
    isBase64Encoded: true,
  };
}

/** The error in words, with the violations. */
function sentenceOf({ message, details }: ApiError): string {
  const [first] = details;
  return redact(first === undefined ? message : first.message);
}

/** Agents wait as long as an error says, and repeat their message. */
function retryInfo({ headers }: ApiError) {
  const seconds = Number(headers['Retry-After']);
  return Number.isSafeInteger(seconds)
    ? { retryInfo: { retryAfterNanoseconds: BigInt(seconds) * 1_000_000_000n } }
    : {};
}

/** The wire format of OpAMP over HTTP: https://github.com/open-telemetry/opamp-spec */
export const opampCodec: Codec<OpampCall, OpampRequest, OpampReply, Caller> = {
  parse: ({ contract }, event) => ({
    message: messageIn(bytesOf(contract, event)),
    caller: () => {
      if (event.caller === undefined) throw new ApiError('unauthenticated', refusalMessages.missing);
      return event.caller;
    },
    requestId: requestIdOf(event),
    sourceIp: sourceAddressOf(event),
  }),
  render: (_, event, { message, reportAfterSeconds: seconds }) =>
    resultOf(event, 200, seconds === undefined ? {} : { [REPORT_AFTER_HEADER]: String(seconds) }, message),
  renderError: (_, event, error) => {
    const { httpStatus, headers } = error;
    const type = [429, 503].includes(httpStatus) ? errorTypes.unavailable : errorTypes.badRequest;
    const errorResponse = { type, errorMessage: sentenceOf(error), ...retryInfo(error) };
    return resultOf(event, httpStatus, { ...headers }, { errorResponse });
  },
  isRoutine: ({ isRoutine }) => isRoutine,
};
