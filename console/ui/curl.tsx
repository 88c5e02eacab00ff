import { base } from '../api/base.tsx';
import type { Endpoint } from '../../functions/contract/endpoint.ts';
import { type AnyCall, requestOf } from '../api/client.tsx';
import { type ApiRequest, curlText, type Server } from './curl-text.ts';

/** This server. On one machine its certificate is self-signed. */
export const server: Server = {
  baseUrl: location.origin + base,
  isSelfSigned: ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname),
};

/** A request as a command for the shell that works unchanged on this server. See `curlText`. */
export const curl = (request: ApiRequest, authorization?: string): string => curlText(server, request, authorization);

/** A call of an endpoint as such a command. */
export const curlCall = (endpoint: Endpoint, request: AnyCall, authorization?: string): string =>
  curl(requestOf(endpoint, request), authorization);
